package io.weir.access;

import io.weir.jsonrpc.NetworkId;

/** A caller whose call is to be answered past the cache. Thread-safe. */
record BypassingCaller(Caller caller) implements Caller {

    @Override
    public String name() {
        return caller.name();
    }

    @Override
    public boolean mayUse(NetworkId network) {
        return caller.mayUse(network);
    }

    @Override
    public boolean mayCall(String method) {
        return caller.mayCall(method);
    }

    @Override
    public boolean mayBypassCache() {
        return caller.mayBypassCache();
    }

    @Override
    public boolean bypassesCache() {
        return true;
    }

    @Override
    public RateGate rate() {
        return caller.rate();
    }

    @Override
    public String toString() {
        return caller.toString();
    }
}
