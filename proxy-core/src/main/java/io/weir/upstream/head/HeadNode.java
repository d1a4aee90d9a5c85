package io.weir.upstream.head;

import java.util.function.LongConsumer;

/** A node as far as its head goes. Confined to the monitor's event loop, but for what is said to be thread-safe. */
public interface HeadNode {

    /** Its id in the configuration. Thread-safe. */
    String id();

    /** Lower is asked first. */
    int tier();

    /** Whether a call may be sent to it now. */
    boolean ready();

    /**
     * Asks it for its head, and notes what it says as its head.
     *
     * @param sink gets the head once, on the monitor's event loop, perhaps before this method returns; -1 where it names none
     */
    void askHead(LongConsumer sink);

    /** Notes that an answer showed that it has this block. Thread-safe. */
    void seen(long block);
}
