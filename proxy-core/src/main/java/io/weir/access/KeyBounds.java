package io.weir.access;

import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AddressBlock;
import io.weir.config.MethodCosts;
import io.weir.jsonrpc.RawJson;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The bounds on requests with an API key: when, from which addresses and from which pages it may be used, and which contracts its calls may
 * reach. Immutable; the quota is thread-safe.
 */
public final class KeyBounds {

    /** The bounds of a key that may be used by everybody for ever. */
    public static final KeyBounds NONE =
            new KeyBounds(BoundConfig.NONE, MethodCosts.CATALOGUE, null, System::currentTimeMillis);

    private final AllowedOrigins origins;
    private final List<AddressBlock> clients;
    private final @Nullable Set<RawJson> contracts;
    private final @Nullable UnitQuota quota;
    private final MethodCosts costs;
    private final long expiresMillis;
    private final LongSupplier wallMillis;

    /**
     * @param quota the units of a day; null without a bound
     * @param wallMillis milliseconds since 1970
     */
    public KeyBounds(BoundConfig config, MethodCosts costs, @Nullable UnitQuota quota, LongSupplier wallMillis) {
        this.costs = costs;
        this.quota = quota;
        this.origins = new AllowedOrigins(config.origins());
        this.clients = List.copyOf(config.clients());
        this.contracts = config.contracts().isEmpty()
                ? null
                : config.contracts().stream()
                        .map(contract -> RawJson.of('"' + contract.toLowerCase(Locale.ROOT) + '"'))
                        .collect(Collectors.toUnmodifiableSet());
        Instant expires = config.expires();
        this.expiresMillis = expires == null ? Long.MAX_VALUE : expires.toEpochMilli();
        this.wallMillis = wallMillis;
    }

    /** Returns the contracts that calls may reach, as JSON strings in the normal form of parameters; null if they may reach every contract. */
    public @Nullable Set<RawJson> contracts() {
        return contracts;
    }

    public MethodCosts costs() {
        return costs;
    }

    /** Returns the units of a day; null without a bound. */
    public @Nullable UnitQuota quota() {
        return quota;
    }

    public boolean expires() {
        return expiresMillis != Long.MAX_VALUE;
    }

    /** Returns whether the key has expired. Reads no clock if it cannot. */
    public boolean isExpired() {
        return expires() && wallMillis.getAsLong() >= expiresMillis;
    }

    /** Returns the milliseconds until the key expires, or 0. */
    public long millisLeft() {
        return expires() ? Math.max(0, expiresMillis - wallMillis.getAsLong()) : Long.MAX_VALUE;
    }

    /**
     * Returns why a request may not use the key, or null if it may.
     *
     * @param pages the values of the Origin headers
     * @param client the client's address, or null if unknown
     */
    public @Nullable KeyRefusal refusal(List<String> pages, @Nullable InetAddress client) {
        if (isExpired()) {
            return KeyRefusal.EXPIRED;
        }
        if (!clients.isEmpty() && (client == null || !AddressBlock.contain(clients, client))) {
            return KeyRefusal.CLIENT;
        }
        return origins.isEmpty() || origins.names(pages) ? null : KeyRefusal.ORIGIN;
    }
}
