package io.weir.network;

import java.util.concurrent.atomic.LongAdder;

/** The request bodies that a network still has to answer. Thread-safe. */
public final class NetworkUse {

    // Two counters that only grow: their sums can be compared while others count.
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /** Counts a body. */
    public void begin() {
        begun.increment();
    }

    /** Notes that a body was answered to its end, or is answered no more. */
    public void end() {
        ended.increment();
    }

    /** Returns whether no body is left. */
    public boolean isOver() {
        long before = ended.sum();
        return begun.sum() == before;
    }
}
