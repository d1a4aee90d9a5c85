package io.weir.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Immutable.
 *
 * @param port 0 for any free port
 * @param tokenSha256 the SHA-256 of the operations' token, 32 bytes in lower-case hex; null where there are none
 * @param origins pages beside its own whose requests are answered
 * @param hosts that the listener answers to, beside its own names and addresses: names, addresses, blocks of them, or {@code *}
 */
public record AdminConfig(
        String host, int port, @Nullable String tokenSha256, Set<String> origins, Set<String> hosts) {}
