package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Client that sends calls one at a time to one node, over a socket or in this process. Thread-safe. */
public interface NodeClient extends AutoCloseable {

    /**
     * Sends a call. The outcome is delivered exactly once, on the given event loop, no later than the deadline. It may be
     * delivered before this method returns.
     *
     * @param loop the caller's event loop, of the group that the client was made with
     * @param call the call; its id is not sent
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     */
    void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt);

    /**
     * Sends a call again after {@link NodeOutcome.Fault#STALE_CONNECTION}, or a transaction. Works as {@link #ask}, but over a
     * connection that has carried no call before, so the outcome is never that fault.
     */
    default void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        ask(loop, call, deadlineNanos, attempt);
    }

    /**
     * Sends a call of the health check. Works as {@link #ask}, but never waits behind calls, so a busy node is not taken for
     * a dead one. The call is repeatable: the client handles a stale connection itself, and that fault is never the outcome.
     */
    default void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        ask(loop, call, deadlineNanos, attempt);
    }

    /**
     * Abandons the connections of every event loop, because one failed. Unused connections and those of probes are closed
     * now; busy ones are closed after their answer. Later calls use fresh connections.
     *
     * @param failWaiting whether calls that still wait for a connection fail now, as not executed, so that they can move
     */
    default void reset(boolean failWaiting) {}

    /**
     * Abandons the connections as {@link #reset} does, because the node serves another chain. The connection of the probe may stay open.
     *
     * @param lost runs at most once, on the loop, when the node ends that connection: another node may come behind the address
     */
    default void leave(EventLoop loop, Runnable lost) {
        reset(true);
    }

    /**
     * Prepares a connection of its own for a subscription.
     *
     * @param loop as in {@link #ask}; called on it
     * @return null if the node has no subscriptions, or is not to be asked for them
     */
    default @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return null;
    }

    /** Returns how often the client has connected. A changed number means that another node may be behind the address. */
    default long connects() {
        return 0;
    }

    /** Returns the client that carries the calls of this one, which may be another: then calls need not pass through both. */
    default NodeClient carrier() {
        return this;
    }

    /** Closes every connection. Calls in flight fail. */
    @Override
    void close();

    /**
     * Connection to one node that carries a subscription and the calls for it. It is made with the first call, and never made
     * again. Confined to the event loop that it was made for.
     */
    interface NodeSubscription extends AutoCloseable {

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
}
