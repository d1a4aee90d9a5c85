package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.tracing.TraceHeaders;
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
    void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink);

    /**
     * Sends a call again after {@link NodeOutcome.Fault#STALE_CONNECTION}, or a transaction. Works as {@link #ask}, but over a
     * connection that has carried no call before, so the outcome is never that fault.
     */
    default void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(loop, call, deadlineNanos, sink);
    }

    /**
     * Sends a call of the health check. Works as {@link #ask}, but never waits behind calls, so a busy node is not taken for
     * a dead one. The call is repeatable: the client handles a stale connection itself, and that fault is never the outcome.
     */
    default void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(loop, call, deadlineNanos, sink);
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

    /** Receiver of the outcome of one attempt. */
    @FunctionalInterface
    interface OutcomeSink {

        /**
         * Takes the handle of the attempt, if the client can give it up. Called before the outcome, on the event loop of the
         * attempt.
         */
        default void begun(AttemptHandle handle) {}

        /** Returns the size in bytes up to which a result must be collected whole. Called before the outcome. */
        default long wholeUpTo() {
            return Long.MAX_VALUE;
        }

        /**
         * Takes a large result that goes on while it arrives. The outcome follows when its end is known, unless the taker gives it up.
         * Called at most once, and before the outcome.
         *
         * @return false if the result must be collected whole; then the stream is not touched
         */
        default boolean stream(ResultStream result) {
            return false;
        }

        /** Returns the reason for the attempt. */
        default CallCause cause() {
            return CallCause.OTHER;
        }

        /** Returns for whom the attempt is made, which has a share of what all want; null for nobody in particular. */
        default @Nullable Object holder() {
            return null;
        }

        /** Returns a sink that passes on the outcome alone, of an attempt for another holder. */
        default OutcomeSink heldBy(@Nullable Object other) {
            return of(CallCause.OTHER, other, this::accept);
        }

        /** Returns a sink of the outcome alone, of an attempt that is made for this reason and this holder. */
        static OutcomeSink of(CallCause cause, @Nullable Object holder, Consumer<NodeOutcome> taker) {
            return new OutcomeSink() {
                @Override
                public CallCause cause() {
                    return cause;
                }

                @Override
                public @Nullable Object holder() {
                    return holder;
                }

                @Override
                public void accept(NodeOutcome outcome) {
                    taker.accept(outcome);
                }
            };
        }

        /** Returns the headers that tell the node of the call's trace; null if there are none. */
        default @Nullable TraceHeaders traceHeaders() {
            return null;
        }

        /** Takes the outcome; called once, on the event loop of the attempt. */
        void accept(NodeOutcome outcome);
    }
}
