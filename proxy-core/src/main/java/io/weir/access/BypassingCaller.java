package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import org.jspecify.annotations.Nullable;

/** A caller whose call bypasses the cache. Thread-safe. */
public record BypassingCaller(Caller caller) implements Caller {

    /** Returns the caller with a cache bypass if it has that right; else the caller itself. */
    public static Caller of(Caller caller) {
        return caller.mayBypassCache() ? new BypassingCaller(caller) : caller;
    }

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
    public @Nullable RateGate rate() {
        return caller.rate();
    }

    @Override
    public KeyBounds bounds() {
        return caller.bounds();
    }

    @Override
    public KeyAccount account() {
        return caller.account();
    }

    @Override
    public String toString() {
        return caller.toString();
    }
}
