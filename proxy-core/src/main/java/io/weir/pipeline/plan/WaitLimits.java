package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig.WaitConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** Limits of the calls of a network that wait for a node, and the lengths of their waits. Thread-safe. */
final class WaitLimits {

    /** The shortest wait, in nanoseconds. */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The longest wait, unless all nodes ask for a longer pause: whoever waits wants to know soon that a node is back. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long maxNanos;
    private final int maxCalls;
    private final DoubleSupplier random;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param random returns numbers from 0 to 1, exclusive; thread-safe */
    WaitLimits(WaitConfig config, DoubleSupplier random) {
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(config.maxMillis());
        this.maxCalls = config.maxCalls();
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
        if (waiting.incrementAndGet() <= maxCalls) {
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
