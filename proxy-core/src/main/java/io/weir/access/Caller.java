package io.weir.access;

import io.weir.jsonrpc.NetworkId;

/** Who calls: a configured API key by its name, or nobody in particular. Thread-safe. */
public interface Caller {

    /** The key's name, or {@code anonymous}. */
    String name();

    /** Whether the caller may use the network. */
    boolean mayUse(NetworkId network);

    /** Whether the caller may call the method. */
    boolean mayCall(String method);

    /** Whether {@code Cache-Control: no-cache} counts. */
    boolean mayBypassCache();

    /** The caller's rate. */
    RateGate rate();

    /** The proxy itself, which may do everything at any rate. */
    Caller PROXY = new KeyCaller("proxy", KeyRights.EVERYTHING, BucketRateGate.UNLIMITED);
}
