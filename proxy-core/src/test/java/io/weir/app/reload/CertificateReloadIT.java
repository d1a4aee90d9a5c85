package io.weir.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import io.weir.tls.Fingerprint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that a reload looks at before a minute has passed, asked for by an operator with a certificate. */
final class CertificateReloadIT {

    @TempDir
    private Path folder;

    private final TestAuthority authority = authority();
    private final Issued operator = issued("operator");

    private static TestAuthority authority() {
        try {
            return new TestAuthority("Authority");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Issued issued(String... hosts) {
        try {
            return authority.issue(hosts);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Issued renew() throws Exception {
        Issued next = issued("localhost", "127.0.0.1");
        next.write(folder.resolve("a.pem"), folder.resolve("a.key"));
        return next;
    }

    private HttpResponse<String> reload(LocalProxy weir) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(authority.trustWith(operator))
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + weir.adminPort() + "/reload"))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private X509Certificate shown(int port) throws Exception {
        try (SSLSocket socket = (SSLSocket) authority.trust().getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void aReloadUsesRenewedFilesAndRefusesANodeWhoseFileIsMissing() throws Exception {
        Issued first = renew();
        Path nodes = Files.writeString(
                folder.resolve("nodes.conf"), "networks.net.upstreams.a.url = \"https://127.0.0.1:1\"\n");
        String tls = "tls { certificates.a { chain = \"" + folder + "/a.pem\", key = \"" + folder + "/a.key\" } }";
        String configuration = ConfigurationText.of("net", "1337")
                .setting("server { " + tls + " }")
                .setting("admin { " + tls + ", client-certificates = [\"" + Fingerprint.of(operator.certificate())
                        + "\"] }")
                .setting("include \"" + nodes + "\"")
                .text();
        try (LocalProxy weir = LocalProxy.start(configuration)) {
            assertThat(shown(weir.port())).isEqualTo(first.certificate());
            Issued next = renew();
            assertThat(reload(weir).statusCode()).isEqualTo(200);
            assertThat(shown(weir.port())).isEqualTo(next.certificate());
            assertThat(shown(weir.adminPort())).isEqualTo(next.certificate());
            Files.writeString(
                    nodes, Files.readString(nodes) + "networks.net.upstreams.a.tls.ca = \"" + folder + "/no.pem\"\n");
            HttpResponse<String> refused = reload(weir);
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("networks.net.upstreams.a.tls: ", "/no.pem: no such file");
            Files.writeString(folder.resolve("no.pem"), authority.pem());
            assertThat(reload(weir).statusCode()).isEqualTo(200);
        }
    }
}
