package io.weir.upstream;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.util.function.Consumer;

/**
 * Connection to one node that carries a subscription and the calls for it. It is made with the first call, and never made
 * again. Confined to the event loop that it was made for.
 */
public interface NodeSubscription extends AutoCloseable {

    /** Sends a call, as {@link NodeClient#probe} on the connection's event loop. */
    void ask(RpcCall call, long deadlineNanos, Consumer<NodeOutcome> taker);

    /** Closes the connection. Calls in flight fail; the listener hears nothing more. */
    @Override
    void close();

    /** Listener of one connection. Runs on the connection's event loop. */
    interface Listener {

        /** Takes a JSON-RPC notification as the node sent it. */
        void notified(RawJson message);

        /** Handles the end of a connection that was open; runs at most once. */
        void ended();
    }
}
