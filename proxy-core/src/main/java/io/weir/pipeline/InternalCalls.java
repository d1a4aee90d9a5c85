package io.weir.pipeline;

import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import org.jspecify.annotations.Nullable;

/**
 * Calls by the proxy itself, and by plugins above all. They enter behind the admission and never reach a plugin's handler.
 * Thread-safe.
 */
public interface InternalCalls {

    /**
     * Makes a call.
     *
     * @param deadlineNanos deadline, on the clock of {@link System#nanoTime}
     * @param sink gets the reply once, on an event loop; an unknown network is a failure like any other
     */
    void call(NetworkId network, RpcCall call, long deadlineNanos, ReplySink sink);

    /** Returns the network of this kind and chain id, as its kind writes chain ids; null if there is none. */
    @Nullable
    NetworkId networkOfChain(String kind, String chainId);

    /** Returns the chain id of a network in the normal form of its kind; null if there is no such network. */
    @Nullable
    String chainOfNetwork(NetworkId network);
}
