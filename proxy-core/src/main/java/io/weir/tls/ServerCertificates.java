package io.weir.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.Mapping;
import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener, chosen by the host name that a client sends (SNI). Thread-safe; the choice takes no lock.
 */
public final class ServerCertificates implements CertificateSource, Mapping<String, SslContext> {

    private final List<WatchedFiles<Served>> certificates = new ArrayList<>();
    private volatile Map<String, SslContext> byHost = Map.of();

    /** A certificate and the context of its connections. Immutable. */
    private record Served(CertifiedKey key, SslContext context) {}

    /**
     * @param setting the path of its block
     * @param clients fingerprints of client certificates that are accepted, but not required
     * @param http2 whether the listener speaks HTTP/2 too
     * @throws TlsFileException if a file cannot be used
     */
    public ServerCertificates(String setting, TlsConfig config, Set<String> clients, boolean http2, Clock clock)
            throws TlsFileException {
        for (Map.Entry<String, KeyFiles> entry : config.certificates().entrySet()) {
            KeyFiles files = entry.getValue();
            List<Path> paths = new ArrayList<>(List.of(files.chain(), files.key()));
            if (config.clientCa() != null) {
                paths.add(config.clientCa());
            }
            certificates.add(new WatchedFiles<>(
                    setting + ".certificates." + entry.getKey(),
                    paths,
                    read -> served(read, config.protocols(), clients, http2, clock)));
        }
        choose();
    }

    /** Makes the context of a certificate. The file after that of the key is the one of the clients' authorities. */
    private static Served served(
            List<PemFile> files, List<String> protocols, Set<String> clients, boolean http2, Clock clock)
            throws TlsFileException {
        CertifiedKey key = CertifiedKey.of(files.get(0), files.get(1), clock.instant());
        List<X509Certificate> authorities = files.size() > 2 ? files.get(2).certificates() : null;
        try {
            return new Served(key, TlsContexts.server(key, protocols, authorities, clients, http2));
        } catch (SSLException | IllegalArgumentException e) {
            throw new TlsFileException(
                    files.get(0).path(),
                    "not a certificate for TLS",
                    "a certificate of a server, with an RSA or EC key");
        }
    }

    /** Returns the context for a host name, which is null if the client names none. */
    @Override
    public SslContext map(@Nullable String host) {
        SslContext context = host == null ? null : find(host, byHost);
        return context != null ? context : certificates.get(0).current().context();
    }

    public boolean covers(String host) {
        return find(host, byHost) != null;
    }

    private static @Nullable SslContext find(String host, Map<String, SslContext> contexts) {
        SslContext context = contexts.get(host);
        int dot = host.indexOf('.');
        return context != null || dot < 0 ? context : contexts.get("*" + host.substring(dot));
    }

    @Override
    public synchronized Look reread() {
        List<String> renewed = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        certificates.forEach(files -> files.look(renewed, problems));
        if (!renewed.isEmpty()) {
            choose();
        }
        return new Look(renewed, problems);
    }

    private void choose() {
        Map<String, SslContext> chosen = new HashMap<>();
        for (WatchedFiles<Served> files : certificates) {
            Served served = files.current();
            served.key().hosts().forEach(host -> chosen.putIfAbsent(host, served.context()));
        }
        byHost = Map.copyOf(chosen);
    }

    @Override
    public List<CertificateStatus> status() {
        return certificates.stream()
                .map(files -> files.current().key().status(files.setting(), files.problem()))
                .toList();
    }
}
