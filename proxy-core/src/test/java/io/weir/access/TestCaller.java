package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A caller that may call every method, as a test needs it. Immutable.
 *
 * @param networks that it may use
 * @param mayBypassCache whether it may go past the cache
 * @param rate null if there is no limit
 */
public record TestCaller(
        String name,
        Predicate<NetworkId> networks,
        boolean mayBypassCache,
        @Nullable RateGate rate) implements Caller {

    /** A client of every network, without a rate, which may not go past the cache. */
    public static final Caller CLIENT = new TestCaller("client", network -> true, false, null);

    /** The same, which may go past the cache. */
    public static final Caller BYPASSER = new TestCaller("client", network -> true, true, null);

    @Override
    public boolean mayUse(NetworkId network) {
        return networks.test(network);
    }

    @Override
    public boolean mayCall(String method) {
        return true;
    }

    @Override
    public KeyBounds bounds() {
        return KeyBounds.NONE;
    }

    @Override
    public KeyAccount account() {
        return KeyAccount.NONE;
    }

    @Override
    public boolean bypassesCache() {
        return false;
    }

    @Override
    public boolean requiresLogs() {
        return false;
    }
}
