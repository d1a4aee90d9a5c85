package io.weir.tls;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.weir.config.UpstreamTlsConfig;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The authorities and the proxy's own certificate for connections to a node. Thread-safe. */
public final class ClientCertificates implements CertificateSource, Supplier<SslContext> {

    private final WatchedFiles<Shown> files;
    private final boolean hasFiles;

    /** The context of connections, and the certificate that they show. Immutable. */
    private record Shown(@Nullable CertifiedKey key, SslContext context) {}

    /**
     * @param setting the path of its block
     * @throws TlsFileException if a file cannot be used
     */
    public ClientCertificates(String setting, UpstreamTlsConfig config, Clock clock) throws TlsFileException {
        this(setting, config, clock, TlsContexts.provider());
    }

    private ClientCertificates(String setting, UpstreamTlsConfig config, Clock clock, SslProvider provider)
            throws TlsFileException {
        List<Path> paths = new ArrayList<>();
        if (config.client() != null) {
            paths.addAll(List.of(config.client().chain(), config.client().key()));
        }
        if (config.ca() != null) {
            paths.add(config.ca());
        }
        hasFiles = !paths.isEmpty();
        files = new WatchedFiles<>(setting, paths, read -> shown(read, config, clock, provider));
    }

    /** Returns the same context for the JDK's clients, which compare the node's name with its certificate themselves. */
    public static SSLContext ofJdk(UpstreamTlsConfig config, Clock clock) throws TlsFileException {
        return ((JdkSslContext) new ClientCertificates("tls", config, clock, SslProvider.JDK).get()).context();
    }

    private static Shown shown(List<PemFile> read, UpstreamTlsConfig config, Clock clock, SslProvider provider)
            throws TlsFileException {
        CertifiedKey key = config.client() == null ? null : CertifiedKey.of(read.get(0), read.get(1), clock.instant());
        List<X509Certificate> authorities =
                config.ca() == null ? null : read.get(read.size() - 1).certificates();
        try {
            return new Shown(key, TlsContexts.client(provider, authorities, key, config.acceptAnyCertificate()));
        } catch (SSLException | IllegalArgumentException e) {
            if (read.isEmpty()) {
                throw new IllegalStateException("TLS: not available (expected: the system's trusted certificates)", e);
            }
            throw new TlsFileException(read.get(0).path(), "not usable for TLS", "certificates with RSA or EC keys");
        }
    }

    public boolean hasFiles() {
        return hasFiles;
    }

    @Override
    public SslContext get() {
        return files.current().context();
    }

    @Override
    public Look reread() {
        List<String> renewed = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        files.look(renewed, problems);
        return new Look(renewed, problems);
    }

    @Override
    public List<CertificateStatus> status() {
        CertifiedKey key = files.current().key();
        return key == null ? List.of() : List.of(key.status(files.setting(), files.problem()));
    }
}
