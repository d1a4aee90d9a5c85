package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import org.jspecify.annotations.Nullable;

/**
 * A caller with its rights and rate. Thread-safe.
 *
 * @param rate null if there is no limit
 */
record KeyCaller(String name, KeyRights rights, @Nullable RateGate rate, KeyBounds bounds, KeyAccount account)
        implements Caller {

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
