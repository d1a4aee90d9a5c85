package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.OutcomeSink;

/** A node that can be probed. Thread-safe. */
@FunctionalInterface
interface ProbeTarget {

    /**
     * Sends a call as a probe. A probe does not count as load and does not change the node's health by itself.
     *
     * @param loop the event loop on which the outcome is delivered
     * @param deadlineNanos the latest time of the outcome, by the pool's clock
     * @param sink receives the outcome once
     */
    void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink);
}
