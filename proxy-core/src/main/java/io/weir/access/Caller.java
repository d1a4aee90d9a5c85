package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.method.MethodPattern;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a call with its rights and rate, and with what its request demands. It is a configured API key by its name, or an anonymous
 * client. Thread-safe.
 *
 * @param name the key's, or {@link #ANONYMOUS}
 * @param rate null if there is no limit
 * @param demands of its request
 */
public record Caller(
        String name, Rights rights, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account, Demands demands) {

    /** The name of callers without a key. */
    public static final String ANONYMOUS = "anonymous";

    /** The proxy itself, which may call everything at any rate. */
    public static final Caller PROXY = new Caller("proxy", Rights.EVERYTHING, null, KeyBounds.NONE, KeyAccount.NONE);

    private static final String EVERY = "*";

    /**
     * The rights of an API key. Immutable.
     *
     * @param networks names, or {@code *}
     * @param methods names or prefixes such as {@code eth_*}; {@code *} is every method but {@code wallet_*}
     * @param completeLogs whether it gets no other lists of logs than those that are proven to be complete
     */
    public record Rights(Set<String> networks, Set<String> methods, boolean cacheBypass, boolean completeLogs) {

        static final Rights EVERYTHING = new Rights(Set.of(EVERY), Set.of(EVERY), false, false);
    }

    /**
     * What a request demands of its answers. Immutable.
     *
     * @param fresh whether it bypasses the cache
     * @param completeLogs whether it takes no list of logs that is not proven to be complete
     * @param provenState whether it takes no state that is not proven
     */
    public record Demands(boolean fresh, boolean completeLogs, boolean provenState) {

        static final Demands NONE = new Demands(false, false, false);
    }

    /** Creates a caller whose request demands nothing. */
    public Caller(String name, Rights rights, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account) {
        this(name, rights, rate, bounds, account, Demands.NONE);
    }

    /**
     * Returns who shares what all callers want with others: the key, or without one the client's network.
     *
     * @param client the client's address; null if it is unknown
     */
    public Object holder(@Nullable InetAddress client) {
        return client == null || !name.equals(ANONYMOUS) ? name : KeyBudgets.network(client);
    }

    public boolean mayUse(NetworkId network) {
        return rights.networks.contains(EVERY) || rights.networks.contains(network.name());
    }

    public boolean mayCall(String method) {
        if (rights.methods.contains(EVERY) && !MethodPattern.isOfWallet(method)) {
            return true;
        }
        for (String pattern : rights.methods) {
            if (!pattern.equals(EVERY) && MethodPattern.matches(pattern, method)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a list of logs that is not proven to be complete is no answer to its calls. */
    public boolean requiresLogs() {
        return demands.completeLogs || rights.completeLogs;
    }

    /** Returns whether state that is not proven is no answer to its calls. */
    public boolean requiresState() {
        return demands.provenState;
    }

    /** Returns whether its calls bypass the cache. */
    public boolean bypassesCache() {
        return demands.fresh;
    }

    /** Returns the caller with further demands, as far as it has a right to them. */
    public Caller demanding(Demands more) {
        return with(new Demands(
                demands.fresh || (more.fresh && rights.cacheBypass),
                demands.completeLogs || more.completeLogs,
                demands.provenState || more.provenState));
    }

    /** Returns the caller with a cache bypass, to which the proxy needs no right. */
    public Caller fresh() {
        return with(new Demands(true, demands.completeLogs, demands.provenState));
    }

    private Caller with(Demands other) {
        return other.equals(demands) ? this : new Caller(name, rights, rate, bounds, account, other);
    }

    /**
     * Takes units for work of which nobody knew when the request was admitted, or none.
     *
     * @param calls what it counts for a rate in calls
     * @return 0 if taken; else the nanoseconds to wait before they can be, or {@link RateGate#NEVER}
     */
    public long admitMore(long calls, long units) {
        long counted = rate == null ? 0 : rate.weighted() ? units : calls;
        long wait = rate == null || counted == 0 ? 0 : rate.admit(counted);
        UnitQuota quota = bounds.quota();
        if (wait > 0 || quota == null || units == 0) {
            return wait;
        }
        long days = quota.admit(units);
        if (days > 0 && rate != null) {
            rate.giveBack(counted);
        }
        return days;
    }

    @Override
    public String toString() {
        return name;
    }
}
