package io.weir.pipeline.plan;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** Limits of the calls of a network that wait for a node, and the lengths of their waits. Thread-safe. */
final class WaitLimits {

    /** The shortest wait, in nanoseconds. */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The longest wait, unless all nodes ask for a longer pause: whoever waits wants to know soon that a node is back. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The most calls that wait at once. Each holds little; more mean that the nodes are out, and their clients had better hear so. */
    static final int MAX_CALLS = 1_000;

    private final long maxNanos;
    private final DoubleSupplier random;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param maxMillis the longest time that one call waits in all; 0 for none
     * @param random returns numbers from 0 to 1, exclusive; thread-safe
     */
    WaitLimits(long maxMillis, DoubleSupplier random) {
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(maxMillis);
        this.random = random;
    }

    /** Returns the longest time that one call waits in all. */
    long maxNanos() {
        return maxNanos;
    }

    /**
     * Returns the length of a wait: at random from the shortest to three times the wait before, so that calls that failed together
     * do not come back together (decorrelated jitter).
     *
     * @param beforeNanos the wait before; 0 if it is the first one
     */
    long backoffNanos(long beforeNanos) {
        long most = Math.min(LONGEST_NANOS, 3 * Math.max(beforeNanos, SHORTEST_NANOS));
        return SHORTEST_NANOS + (long) (random.getAsDouble() * (most - SHORTEST_NANOS));
    }

    /** Lets one more call wait; returns false if too many do. */
    boolean take() {
        if (waiting.incrementAndGet() <= MAX_CALLS) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    /** Notes that a call waits no more. */
    void release() {
        waiting.decrementAndGet();
    }
}
