package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig.WaitConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** Limits of the calls of a network that wait for a node, and the lengths of their waits. Thread-safe. */
final class WaitLimits {

    private final long maxNanos;
    private final int maxCalls;
    private final long backoffMinNanos;
    private final long backoffMaxNanos;
    private final DoubleSupplier random;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param random returns numbers from 0 to 1, exclusive; thread-safe */
    WaitLimits(WaitConfig config, DoubleSupplier random) {
        this.maxNanos = TimeUnit.MILLISECONDS.toNanos(config.maxMillis());
        this.maxCalls = config.maxCalls();
        this.backoffMinNanos = TimeUnit.MILLISECONDS.toNanos(config.backoffMinMillis());
        this.backoffMaxNanos = Math.max(backoffMinNanos, TimeUnit.MILLISECONDS.toNanos(config.backoffMaxMillis()));
        this.random = random;
    }

    /** Returns the longest time that one call waits in all. */
    long maxNanos() {
        return maxNanos;
    }

    /** Returns the shortest wait. */
    long backoffMinNanos() {
        return backoffMinNanos;
    }

    /**
     * Returns the length of a wait: at random from the shortest to three times the wait before, so that calls that failed together
     * do not come back together (decorrelated jitter).
     *
     * @param beforeNanos the wait before; 0 if it is the first one
     */
    long backoffNanos(long beforeNanos) {
        long most = Math.min(backoffMaxNanos, 3 * Math.max(beforeNanos, backoffMinNanos));
        return backoffMinNanos + (long) (random.getAsDouble() * (most - backoffMinNanos));
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
