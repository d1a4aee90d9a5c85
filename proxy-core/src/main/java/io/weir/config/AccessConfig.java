package io.weir.config;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access rules for callers. Immutable.
 *
 * @param anonymous whether calls without a key are served
 * @param anonymousRate the rate of all calls without a key together
 * @param addressRate the rate of calls without a key from each client address
 * @param keys by name
 */
public record AccessConfig(
        boolean anonymous, RateConfig anonymousRate, RateConfig addressRate, Map<String, KeyConfig> keys) {

    /** Makes rules without a rate of each address. */
    public AccessConfig(boolean anonymous, RateConfig anonymousRate, Map<String, KeyConfig> keys) {
        this(anonymous, anonymousRate, RateConfig.NONE, keys);
    }

    /**
     * An API key. Immutable.
     *
     * @param sha256 the SHA-256 of the key's text, 32 bytes in lower-case hex
     * @param networks names, or {@code *}
     * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
     * @param usage whether calls, units and bytes are counted by method
     */
    public record KeyConfig(
            String sha256,
            Set<String> networks,
            Set<String> methods,
            boolean cacheBypass,
            RateConfig rate,
            BoundConfig bounds,
            boolean usage) {}

    /**
     * Bounds on the requests and calls with a key. Immutable.
     *
     * @param origins of the pages that may use the key; empty for all clients
     * @param clients addresses that may use the key; empty for all
     * @param contracts addresses of the contracts that calls may reach; empty for all
     * @param unitsPerDay units of cost within a UTC day; 0 for no bound
     * @param expires the time from which on the key is refused; null for never
     */
    public record BoundConfig(
            Set<String> origins,
            List<AddressBlock> clients,
            Set<String> contracts,
            long unitsPerDay,
            @Nullable Instant expires) {

        /** No bounds. */
        public static final BoundConfig NONE = new BoundConfig(Set.of(), List.of(), Set.of(), 0, null);
    }

    /**
     * A rate. Immutable.
     *
     * @param callsPerSecond 0 for no limit
     * @param burst calls at once after a pause
     * @param weighted whether a call counts its method's cost instead of one
     * @param costs of calls, also in the units of a day and on the bill
     */
    public record RateConfig(long callsPerSecond, long burst, boolean weighted, MethodCosts costs) {

        /** No limit. */
        public static final RateConfig NONE = new RateConfig(0, 0, false);

        public RateConfig(long callsPerSecond, long burst, boolean weighted) {
            this(callsPerSecond, burst, weighted, MethodCosts.CATALOGUE);
        }
    }
}
