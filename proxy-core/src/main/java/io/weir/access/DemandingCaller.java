package io.weir.access;

import io.weir.jsonrpc.NetworkId;
import org.jspecify.annotations.Nullable;

/**
 * A caller with what one of its requests demands. Thread-safe.
 *
 * @param fresh whether its calls bypass the cache
 * @param completeLogs whether a list of logs that is not proven to be complete is no answer
 * @param provenState whether state that is not proven is no answer
 */
public record DemandingCaller(Caller caller, boolean fresh, boolean completeLogs, boolean provenState)
        implements Caller {

    /** Returns the caller with the demands to which it has a right; the caller itself if there are none. */
    public static Caller of(Caller caller, boolean fresh, boolean completeLogs, boolean provenState) {
        boolean bypasses = fresh && caller.mayBypassCache();
        return bypasses || completeLogs || provenState
                ? new DemandingCaller(caller, bypasses, completeLogs, provenState)
                : caller;
    }

    /** Returns a caller with the demands of another caller's request. */
    public static Caller like(Caller request, Caller caller) {
        return request instanceof DemandingCaller demands
                ? of(caller, demands.fresh, demands.completeLogs, demands.provenState)
                : caller;
    }

    /** Returns the caller with a cache bypass, to which the proxy needs no right. */
    public static Caller fresh(Caller caller) {
        return new DemandingCaller(caller, true, false, false);
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
    public boolean bypassesCache() {
        return fresh || caller.bypassesCache();
    }

    @Override
    public boolean requiresLogs() {
        return completeLogs || caller.requiresLogs();
    }

    @Override
    public boolean requiresState() {
        return provenState || caller.requiresState();
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
