package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;

/** Asks one node one call at a time: over a socket, or in this process. Thread-safe. */
public interface NodeClient extends AutoCloseable {

    /**
     * Asks the node. The outcome comes exactly once, on the given event loop, at the deadline at the latest; it may come
     * before this method returns.
     *
     * @param loop the event loop to ask from, of the group that the client was made with; called on it
     * @param call the call; its id is not sent
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     */
    void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink);

    /**
     * Asks again, after {@link NodeOutcome.Fault#STALE_CONNECTION}: as {@link #ask}, but over a connection that carried no
     * call before, so that the outcome is never that fault.
     */
    default void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(loop, call, deadlineNanos, sink);
    }

    /**
     * Asks for the health check: as {@link #ask}, but never behind calls, so that a busy node is not taken for a dead one. The
     * call can be repeated, so that a stale connection is the client's own affair and never the outcome.
     */
    default void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(loop, call, deadlineNanos, sink);
    }

    /**
     * Forgets the connections of every event loop, because one failed: unused ones and those of probes are closed, those
     * under way close after their answer, and what is asked from now on gets a fresh one.
     *
     * @param failWaiting whether calls that still wait for a connection fail now, as not executed, so that they can move
     */
    default void reset(boolean failWaiting) {}

    /** How often it has connected; a changed number means that another node may be behind the address. */
    default long connects() {
        return 0;
    }

    /** Closes every connection; what is in flight fails. */
    @Override
    void close();

    /** Takes the outcome of one attempt. */
    @FunctionalInterface
    interface OutcomeSink {
        /** Called once, on the event loop of the attempt. */
        void accept(NodeOutcome outcome);
    }
}
