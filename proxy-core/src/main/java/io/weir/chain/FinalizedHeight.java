package io.weir.chain;

import java.util.concurrent.atomic.AtomicLong;

/** The highest block of a network that is known to be final. It only rises, until it is found to be wrong. Thread-safe. */
public final class FinalizedHeight {

    private static final long UNKNOWN = -1;

    private final AtomicLong number = new AtomicLong(UNKNOWN);

    /** Whether a block cannot be replaced any more. */
    public boolean covers(long block) {
        return block <= number.get();
    }

    /** The block's number; -1 where none is known. */
    public long number() {
        return number.get();
    }

    /** Takes a block that is final. */
    public void raise(long block) {
        number.accumulateAndGet(block, Math::max);
    }

    /** Forgets what is known: the chain was replaced below it. */
    public void forget() {
        number.set(UNKNOWN);
    }
}
