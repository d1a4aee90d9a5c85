package io.weir.upstream.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time for which a node is not asked for something that it lacked. After it one call tries again, and the others wait for what that one
 * finds, as behind a circuit breaker that is half open. Thread-safe.
 */
final class HalfOpen {

    /** Nanoseconds for which the node is not asked. */
    static final long NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Nanoseconds that the call has which tries again. */
    static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicLong untilNanos;

    /** @param nowNanos when the node said that it lacks something */
    HalfOpen(long nowNanos) {
        untilNanos = new AtomicLong(nowNanos + NANOS);
    }

    void lacked(long nowNanos) {
        untilNanos.set(nowNanos + NANOS);
    }

    /** Returns whether a call may try again. If so, the others may not for a while. */
    boolean mayTry(long nowNanos) {
        long until = untilNanos.get();
        return nowNanos - until >= 0 && untilNanos.compareAndSet(until, nowNanos + TRIAL_NANOS);
    }

    /** Returns whether the time is over, without a trial. */
    boolean isOver(long nowNanos) {
        return nowNanos - untilNanos.get() >= 0;
    }
}
