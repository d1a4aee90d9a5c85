package io.weir.upstream.head;

import java.util.function.LongConsumer;

/** Node, reduced to its head. Confined to the monitor's event loop, except for methods marked as thread-safe. */
public interface HeadNode {

    /** Returns the node's id in the configuration. Thread-safe. */
    String id();

    /** Returns the node's tier; lower tiers are asked first. */
    int tier();

    /** Returns whether a call may be sent to the node now. */
    boolean ready();

    /**
     * Asks the node for its head and records the answer.
     *
     * @param sink receives the head once, on the monitor's event loop, perhaps before this method returns; -1 if the node
     *     names none
     */
    void askHead(LongConsumer sink);

    /** Notes that an answer showed that the node has this block. Thread-safe. */
    void seen(long block);
}
