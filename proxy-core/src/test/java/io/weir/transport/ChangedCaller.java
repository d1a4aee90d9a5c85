package io.weir.transport;

import io.weir.access.Caller;
import io.weir.access.KeyAccount;
import io.weir.access.KeyBounds;
import io.weir.access.RateGate;
import io.weir.jsonrpc.NetworkId;
import org.jspecify.annotations.Nullable;

/** The caller of a key whose rights or rate have changed. Immutable. */
record ChangedCaller(
        Caller before, boolean maySubscribe, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account)
        implements Caller {

    @Override
    public String name() {
        return before.name();
    }

    @Override
    public boolean mayUse(NetworkId network) {
        return before.mayUse(network);
    }

    @Override
    public boolean mayCall(String method) {
        return maySubscribe || !method.equals("eth_subscribe");
    }

    @Override
    public boolean mayBypassCache() {
        return before.mayBypassCache();
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
