package io.weir.access;

import io.weir.jsonrpc.NetworkId;

/** A caller with its rights and rate. Thread-safe. */
record KeyCaller(String name, KeyRights rights, RateGate rate) implements Caller {

    @Override
    public boolean mayUse(NetworkId network) {
        return rights.allowNetwork(network.name());
    }

    @Override
    public boolean mayCall(String method) {
        return rights.allowMethod(method);
    }

    @Override
    public boolean mayBypassCache() {
        return rights.cacheBypass();
    }

    @Override
    public String toString() {
        return name;
    }
}
