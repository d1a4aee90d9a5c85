package io.weir.upstream.pool;

import java.util.function.LongSupplier;

/**
 * Chain in virtual time. Immutable.
 *
 * @param blockNanos the time from block to block
 * @param clock nanoseconds since the simulation began
 */
record SimulatedChain(long blockNanos, LongSupplier clock) {

    private static final long FIRST_HEAD = 10_000;

    /** Returns the time. */
    long nanos() {
        return clock.getAsLong();
    }

    /** Returns the newest block at a time. */
    long head(long nanos) {
        return FIRST_HEAD + nanos / blockNanos;
    }
}
