package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import org.jspecify.annotations.Nullable;

/** Node of a network's pool: sends calls to it and reports its state. Thread-safe. */
public interface Upstream {

    /** Returns the node's id in the configuration. */
    String id();

    /**
     * Sends a call, as {@link NodeClient#ask}. The outcome counts for the node's load, meters and health. An attempt that is given up
     * counts for none of them any more.
     */
    void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt);

    /** Sends a call again, as {@link NodeClient#askAnew}. The outcome counts as that of {@link #ask} does. */
    default void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        ask(loop, call, deadlineNanos, attempt);
    }

    /**
     * Notes that the node answered null for a transaction that another node has. The other node may be wrong.
     *
     * @param loop the event loop on which to check it
     * @param block the number of the transaction's block, according to the other node
     */
    default void missedTransaction(EventLoop loop, RpcCall call, long block) {}

    /**
     * Notes that the node lacked the data of a block.
     *
     * @param block the number of the block of the call; 0 if unknown, and then another node must have answered
     */
    default void lackedData(RpcCall call, long block) {}

    /**
     * Notes that the node gave a result about a block.
     *
     * @param block the number of the block of the call; 0 if unknown
     */
    default void hadData(MethodFacts facts, RpcCall call, long block) {}

    /** Notes that the node has not answered a call for this time, in nanoseconds, while another one has. */
    default void slow(RpcCall call, long nanos) {}

    /** Notes that the node refused parameters as invalid although another node executed the call with them. */
    default void refusedParams(RpcCall call) {}

    /** Takes one repeat, at another node, of a call whose parameters this node refused. Returns false if none is left. */
    default boolean takeRefusalRepeat() {
        return true;
    }

    /**
     * Notes that a check refuted an answer of the node, by hashes or by another node's answer. The check may end long after
     * the answer.
     *
     * @param costs whether the node's health suffers; otherwise the answer is only counted
     * @param detail for logs: what differs; names no address or credential
     */
    default void refuted(NodeOutcome.Flaw flaw, String detail, boolean costs) {}

    /**
     * Keeps new calls from the node, or allows them again, until it is told otherwise. Attempts in flight go on, and so do probes. The
     * node gets no call even if no other one is left.
     */
    default void drain(boolean drained) {}

    /** Sets the node's share of the calls, at least 1, until it is told otherwise. */
    default void weigh(int weight) {}

    /** Returns the use of the node's budget of units; null if it has none. */
    default @Nullable BudgetStatus budget() {
        return null;
    }

    UpstreamStatus status();
}
