package io.weir.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Immutable.
 *
 * @param port 0 for any free port
 * @param tokenSha256 the SHA-256 of the token for operations, 32 bytes in lower-case hex; null if there are no
 *     operations
 * @param origins pages whose requests are answered, in addition to its own
 * @param hosts served hosts in addition to its own names and addresses: names, addresses, address blocks, or {@code *}
 * @param tls its certificates
 * @param clientCertificates the SHA-256 fingerprints, in lower-case hex, of the certificates whose holders may do what
 *     the token permits
 */
public record AdminConfig(
        String host,
        int port,
        @Nullable String tokenSha256,
        Set<String> origins,
        Set<String> hosts,
        TlsConfig tls,
        Set<String> clientCertificates) {}
