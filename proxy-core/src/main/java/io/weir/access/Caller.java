package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import io.weir.limit.AddressCounts;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The sender of a call: a configured API key by its name, or an anonymous client. Thread-safe. */
public interface Caller {

    /** The name of callers without a key. */
    String ANONYMOUS = "anonymous";

    /** Returns the key's name, or {@link #ANONYMOUS}. */
    String name();

    /**
     * Returns who shares what all callers want with others: the key, or without one the client's network.
     *
     * @param client the client's address; null if it is unknown
     */
    static Object holder(Caller caller, @Nullable InetAddress client) {
        String name = caller.name();
        return client == null || !name.equals(ANONYMOUS) ? name : AddressCounts.network(client);
    }

    boolean mayUse(NetworkId network);

    boolean mayCall(String method);

    /** Returns whether {@code Cache-Control: no-cache} has an effect for this caller. */
    boolean mayBypassCache();

    boolean bypassesCache();

    /** Returns whether a list of logs that is not proven to be complete is no answer to its calls. */
    boolean requiresLogs();

    /** Returns whether state that is not proven is no answer to its calls. */
    default boolean requiresState() {
        return false;
    }

    /** Returns the caller's rate limit; null if there is none. */
    @Nullable
    RateGate rate();

    KeyBounds bounds();

    /**
     * Takes units for work of which nobody knew when the request was admitted, or none.
     *
     * @param calls what it counts for a rate in calls
     * @return 0 if taken; else the nanoseconds to wait before they can be, or {@link RateGate#NEVER}
     */
    static long admitMore(Caller caller, long calls, long units) {
        RateGate rate = caller.rate();
        long counted = rate == null ? 0 : rate.weighted() ? units : calls;
        long wait = rate == null || counted == 0 ? 0 : rate.admit(counted);
        UnitQuota quota = caller.bounds().quota();
        if (wait > 0 || quota == null || units == 0) {
            return wait;
        }
        long days = quota.admit(units);
        if (days > 0 && rate != null) {
            rate.giveBack(counted);
        }
        return days;
    }

    KeyAccount account();

    /** The proxy itself, which may call everything at any rate. */
    Caller PROXY = new KeyCaller("proxy", KeyCaller.Rights.EVERYTHING, null, KeyBounds.NONE, KeyAccount.NONE);
}
