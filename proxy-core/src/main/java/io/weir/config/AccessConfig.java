package io.weir.config;

import java.util.Map;
import java.util.Set;

/**
 * The access rules for callers. Immutable.
 *
 * @param anonymous whether calls without a key are served
 * @param anonymousRate the rate of all calls without a key together
 * @param keys by name
 */
public record AccessConfig(boolean anonymous, RateConfig anonymousRate, Map<String, KeyConfig> keys) {

    /**
     * An API key. Immutable.
     *
     * @param sha256 the SHA-256 of the key's text, 32 bytes in lower-case hex
     * @param networks names, or {@code *}
     * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
     */
    public record KeyConfig(
            String sha256, Set<String> networks, Set<String> methods, boolean cacheBypass, RateConfig rate) {}

    /**
     * A rate. Immutable.
     *
     * @param callsPerSecond 0 for no limit
     * @param burst calls at once after a pause
     * @param weighted whether a call counts its method's cost instead of one
     */
    public record RateConfig(long callsPerSecond, long burst, boolean weighted) {}
}
