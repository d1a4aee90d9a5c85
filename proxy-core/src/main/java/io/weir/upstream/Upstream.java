package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;

/** One node of a network's pool: asking it, and what is known of it. Thread-safe. */
public interface Upstream {

    /** Its id in the configuration. */
    String id();

    /** Asks it, as {@link NodeClient#ask}; the outcome counts for its load, meters and health. */
    void ask(EventLoop loop, RpcCall call, long deadlineNanos, NodeClient.OutcomeSink sink);

    /** Asks it again, as {@link NodeClient#askAnew}; counts as {@link #ask} does. */
    default void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, NodeClient.OutcomeSink sink) {
        ask(loop, call, deadlineNanos, sink);
    }

    /** Whether it said lately that it does not have a method. */
    default boolean lacks(String method) {
        return false;
    }

    /** What is known of it now. */
    UpstreamStatus status();
}
