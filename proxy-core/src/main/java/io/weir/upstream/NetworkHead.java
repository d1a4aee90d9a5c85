package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.params.BlockTag;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * Head to which a network's calls are held. Asks the nodes for their heads when the known one is not fresh. Nodes have their ids in the
 * configuration. Thread-safe.
 */
public interface NetworkHead {

    HeadTracker tracker();

    /**
     * Delivers the head: at once if it is fresh, otherwise after nodes have named theirs. Calls that arrive while nodes are
     * being asked share one round. A call never uses a round that began before a write which was answered before the call.
     *
     * @param loop the caller's event loop; all sinks of this type run on the loop that is given with them
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param sink receives the head once; -1 if no node named one
     */
    void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink);

    /**
     * Delivers the head as {@link #whenFresh}, but not before the listeners have heard of the block by which it became fresh. The
     * number of a new head is known a moment earlier than its block.
     */
    default void whenShown(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        whenFresh(loop, deadlineNanos, sink);
    }

    /** Listener of the blocks that nodes show as their newest. It must return at once. Thread-safe. */
    @FunctionalInterface
    interface HeadBlockListener {

        /**
         * Handles the newest block of a node.
         *
         * @param round in which the node was asked
         */
        void shown(ShownBlock block, HeadMoment round, String upstreamId);
    }

    /** Registers a listener of the newest blocks. If nodes only name their heads, it hears nothing. */
    default void listen(HeadBlockListener listener) {}

    /** Sets the budget out of which the calls are taken for the block of a head that is known by its number alone; by default none is. */
    default void payBy(IntPredicate budget) {}

    /** Returns what is known of the network's final blocks. */
    Finality finality();

    /**
     * Delivers the block on which nodes agree, for a call with a tag: at once if they were asked lately, otherwise after two of them
     * have named theirs. Calls that arrive while nodes are being asked share the request. The parameters are those of {@link #whenFresh}.
     */
    default void whenAgreed(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Finality.Agreed> sink) {
        sink.accept(finality().agreed(tag));
    }

    /**
     * Waits until it is known which blocks are final for results: at once if nodes were asked lately enough, otherwise once the head
     * is fresh and nodes have named their final block, or have none. By default nodes say nothing.
     *
     * @param sink receives whether nodes were asked because of this result
     */
    default void whenFinalKnown(EventLoop loop, long maxAgeNanos, long deadlineNanos, Consumer<Boolean> sink) {
        sink.accept(false);
    }

    /**
     * Notes that a node's answer named a block by this number, so the node has that block. A block far above the heads of
     * the other nodes counts only once nodes were asked for their heads.
     */
    void seen(String upstreamId, long number);

    /**
     * Notes that no node had this block, to which a call was held. Nodes are asked for their heads before the next call is held to
     * it, and the node that named it must show it.
     */
    void missing(long number);

    /**
     * Compares a block that a node has at the height of the head with those that nodes named before.
     *
     * @param sink receives false if the block must not count on the word of that node
     */
    default void compare(BlockLink block, String upstreamId, EventLoop loop, Consumer<Boolean> sink) {
        sink.accept(true);
    }

    /** Notes the blocks of a branch that replaces others or was replaced, the newest first. */
    default void linked(List<BlockLink> blocks) {}

    /**
     * Newest block as a node shows it. Nothing proves it yet. Immutable.
     *
     * @param text of the node
     * @param kind {@code BLOCK} for an answer, with the hashes of its transactions; {@code HEADER} for an announcement
     */
    record ShownBlock(BlockLink link, RawJson text, AnswerKind kind) {}
}
