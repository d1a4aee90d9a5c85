package io.weir.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslContext;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamTlsConfig;
import io.weir.testing.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of connections to a node, and what a renewed file changes. */
class ClientCertificatesTest {

    private static final String SETTING = "networks.a.upstreams.n.tls";

    @TempDir
    private Path folder;

    private TestAuthority authority;
    private Path ca;
    private KeyFiles files;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority("Nodes");
        ca = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        files = new KeyFiles(folder.resolve("proxy.pem"), folder.resolve("proxy.key"));
        authority.issue("proxy").write(files.chain(), files.key());
    }

    private static ClientCertificates read(@Nullable Path ca, @Nullable KeyFiles client) throws TlsFileException {
        return new ClientCertificates(
                SETTING,
                new UpstreamTlsConfig(
                        ca, client == null ? null : client.chain(), client == null ? null : client.key(), false),
                Clock.systemUTC());
    }

    @Test
    void aRenewedCertificateOfTheProxyIsUsedByNewConnections() throws Exception {
        ClientCertificates certificates = read(null, files);
        SslContext before = certificates.get();
        assertThat(certificates.reread().renewed()).isEmpty();
        assertThat(certificates.get()).isSameAs(before);

        authority.issue("renewed").write(files.chain(), files.key());
        assertThat(certificates.reread().renewed()).containsExactly(SETTING);
        assertThat(certificates.get()).isNotSameAs(before);
        assertThat(certificates.status())
                .singleElement()
                .satisfies(one -> assertThat(one.hosts()).containsExactly("renewed"));
    }

    @Test
    void aRenewedAuthorityIsUsedByNewConnections() throws Exception {
        ClientCertificates certificates = read(ca, files);
        SslContext before = certificates.get();

        Files.writeString(ca, new TestAuthority("Other").pem());
        assertThat(certificates.reread().renewed()).containsExactly(SETTING);
        assertThat(certificates.get()).isNotSameAs(before);
    }

    @Test
    void aFileThatCannotBeUsedChangesNothingAndIsReportedOnce() throws Exception {
        ClientCertificates certificates = read(ca, files);
        SslContext before = certificates.get();

        Files.writeString(ca, "nonsense");
        String problem = SETTING + ": " + ca + ": ";
        assertThat(certificates.reread().problems()).singleElement().asString().startsWith(problem);
        assertThat(certificates.reread().problems()).isEmpty();
        assertThat(certificates.get()).isSameAs(before);
        assertThat(certificates.status().get(0).problem()).startsWith(problem);
    }

    @Test
    void aFileThatIsMissingAtTheStartIsRefused() {
        Path missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> read(missing, null)).hasMessageStartingWith(missing + ": no such file");
        KeyFiles keyless = new KeyFiles(files.chain(), missing);
        assertThatThrownBy(() -> read(null, keyless)).hasMessageStartingWith(missing + ": no such file");
    }

    @Test
    void withoutFilesThereIsNothingToLookAt() throws Exception {
        ClientCertificates certificates = read(null, null);
        assertThat(certificates.hasFiles()).isFalse();
        assertThat(certificates.status()).isEmpty();
        assertThat(read(ca, null).hasFiles()).isTrue();
        assertThat(read(ca, null).status()).isEmpty();
    }
}
