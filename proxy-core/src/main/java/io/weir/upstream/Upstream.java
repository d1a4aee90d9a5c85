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

    /**
     * Notes that it answered null for a transaction that another node has. The other node may be wrong.
     *
     * @param loop the event loop to check it on
     * @param call the lookup
     * @param block the number of the transaction's block, as the other node says
     */
    default void missedTransaction(EventLoop loop, RpcCall call, long block) {}

    /** Notes that it refused parameters as invalid with which another node carried the call out. */
    default void refusedParams(RpcCall call) {}

    /** Takes one repeat, at another node, of a call whose parameters this node refused. Returns false if none is left. */
    default boolean takeRefusalRepeat() {
        return true;
    }

    /**
     * Takes in what an answer of it was found to be once it was held against hashes or another node's word, which may be long
     * after it came.
     *
     * @param costs whether it costs the node's health; else it is only counted
     * @param detail for logs: what differs; names no address or credential
     */
    default void refuted(NodeOutcome.Flaw flaw, String detail, boolean costs) {}

    /** What is known of it now. */
    UpstreamStatus status();
}
