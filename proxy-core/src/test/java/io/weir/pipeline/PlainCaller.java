package io.weir.pipeline;

import io.weir.access.Caller;
import io.weir.access.RateGate;
import io.weir.jsonrpc.NetworkId;

/** A client that may call everything and bypasses nothing. Immutable. */
public final class PlainCaller implements Caller {

    @Override
    public String name() {
        return "client";
    }

    @Override
    public boolean mayUse(NetworkId network) {
        return true;
    }

    @Override
    public boolean mayCall(String method) {
        return true;
    }

    @Override
    public boolean mayBypassCache() {
        return false;
    }

    @Override
    public RateGate rate() {
        return Caller.PROXY.rate();
    }
}
