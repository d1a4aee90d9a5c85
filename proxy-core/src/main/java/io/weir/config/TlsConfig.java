package io.weir.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener. Immutable.
 *
 * @param certificates by name, in the order of the file; the first one is for clients that name no known host. Without
 *     any the listener speaks no TLS
 * @param strictSni whether a client that names an unknown host is refused
 * @param protocols such as {@code TLSv1.3}
 * @param clientCa authorities of which clients need a certificate; null if they need none
 */
public record TlsConfig(
        Map<String, KeyFiles> certificates,
        boolean strictSni,
        List<String> protocols,
        @Nullable Path clientCa) {

    private static final String NEWEST = "TLSv1.3";

    /** A listener without TLS. */
    public static final TlsConfig OFF = new TlsConfig(Map.of(), false, protocols(false), null);

    /**
     * The PEM files of a certificate. Immutable.
     *
     * @param chain the certificate, followed by those of its authorities
     * @param key its private key
     */
    public record KeyFiles(Path chain, Path key) {}

    /** Returns the protocols from a version on. */
    public static List<String> protocols(boolean newestOnly) {
        return newestOnly ? List.of(NEWEST) : List.of(NEWEST, "TLSv1.2");
    }

    /** Returns whether the listener speaks TLS. */
    public boolean enabled() {
        return !certificates.isEmpty();
    }
}
