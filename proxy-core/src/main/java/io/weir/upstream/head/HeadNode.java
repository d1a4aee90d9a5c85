package io.weir.upstream.head;

import io.weir.method.params.BlockSelector;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Node, reduced to its head. Confined to the monitor's event loop, except for methods marked as thread-safe. */
public interface HeadNode {

    /** Returns the node's id in the configuration. Thread-safe. */
    String id();

    /** Returns the node's tier; lower tiers are asked first. */
    int tier();

    /** Returns whether a call may be sent to the node now. Thread-safe. */
    boolean ready();

    /** Returns whether the node's first probe has ended, well or not. */
    boolean isHeard();

    /** Returns the last head that the node named, or the block up to which it is believed if that is lower; -1 if none. Thread-safe. */
    long head();

    /** Returns the block up to which the node's heads count; {@link Long#MAX_VALUE} unless it is distrusted. Thread-safe. */
    long believed();

    /** Notes the block up to which the node's heads count. */
    void believe(long upTo);

    /** Returns when the node last named its head or showed a higher one, on the clock. Thread-safe. */
    long headNanos();

    /** Returns whether the node is out of line; see {@link #outOfLine(String)}. */
    boolean isOutOfLine();

    /**
     * Notes whether the head that the node named counts. While it does not, the node gets no calls.
     *
     * @param reason for operators: why the head does not count; null if it counts
     */
    void outOfLine(@Nullable String reason);

    /**
     * Notes whether other nodes contradict what the node calls final. It gets calls all the same, because they depend on the agreed
     * block and never on its word alone.
     *
     * @param reason for operators: what differs; null if nothing does
     */
    void disputed(@Nullable String reason);

    /**
     * Asks the node for its head and records the answer.
     *
     * @param sink receives the head once, on the monitor's event loop, perhaps before this method returns; -1 if the node
     *     names none
     */
    void askHead(LongConsumer sink);

    /** As the other method of this name, with the usual time for the answer. */
    default void askBlock(BlockSelector block, Consumer<BlockAnswer> sink) {
        askBlock(block, Long.MAX_VALUE, sink);
    }

    /**
     * Asks the node for a block.
     *
     * @param block the block, which is named in the form of the network
     * @param maxNanos the longest time until the answer, if it is shorter than the usual one
     * @param sink receives the answer once, on the monitor's event loop, perhaps before this method returns
     */
    void askBlock(BlockSelector block, long maxNanos, Consumer<BlockAnswer> sink);

    /** Notes that an answer showed that the node has this block. Thread-safe. */
    void seen(long block);

    /**
     * Asks the node to announce its new blocks.
     *
     * @return null if the node cannot be asked for that
     */
    default @Nullable HeadSubscription subscribe(HeadSubscription.Listener listener) {
        return null;
    }

    /** Subscription to the new blocks of one node. Confined to the monitor's event loop. */
    interface HeadSubscription {

        /** Ends the subscription; its listener hears nothing more. */
        void close();

        /** Listener of one subscription. Runs on the monitor's event loop, after the subscription was returned. */
        interface Listener {

            /**
             * Notes that the node accepted the subscription.
             *
             * @param head the node's, a moment before
             */
            void began(long head);

            /** Handles an announced block. If the announcement was unusable, it shows none. */
            void announced(BlockAnswer block);

            /**
             * Handles the end of the subscription; runs at most once.
             *
             * @param refused whether the node has no such subscriptions, or serves another chain
             */
            void ended(boolean refused);
        }
    }
}
