package io.weir.upstream.verdict;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Count of one node's recently refuted answers, and the time for which it is left out because of them. A single one may be a
 * flipped bit and has no effect. {@link #MAX} of them within {@link #WINDOW_NANOS} take the node out for a minute. If that
 * happens again within an hour after the node came back, the time doubles, up to an hour. Thread-safe.
 */
public final class FalseAnswers {

    /** Refuted answers within the window that take a node out. */
    static final int MAX = 3;

    /** Nanoseconds for which a refuted answer counts. */
    static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(10);

    static final long FIRST_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

    private final LongSupplier clock;
    private final long[] latest = new long[MAX];
    private int count;
    private long delayNanos;
    private long leftOutUntilNanos;

    /**
     * Creates an empty count.
     *
     * @param clock nanoseconds
     */
    public FalseAnswers(LongSupplier clock) {
        this.clock = clock;
        this.leftOutUntilNanos = clock.getAsLong();
    }

    /** Adds one. Returns whether to leave the node out now. */
    public synchronized boolean add() {
        long now = clock.getAsLong();
        if (leftOutUntilNanos - now > 0) {
            // These answers were in flight when the node was left out.
            return false;
        }
        System.arraycopy(latest, 1, latest, 0, MAX - 1);
        latest[MAX - 1] = now;
        count = Math.min(MAX, count + 1);
        if (count < MAX || now - latest[0] > WINDOW_NANOS) {
            return false;
        }
        boolean again = delayNanos > 0 && now - leftOutUntilNanos < MAX_NANOS;
        delayNanos = again ? Math.min(2 * delayNanos, MAX_NANOS) : FIRST_NANOS;
        leftOutUntilNanos = now + delayNanos;
        count = 0;
        return true;
    }

    /** Returns the nanoseconds that the node is still left out; 0 or less if it is not. */
    public synchronized long leftOutNanos() {
        return leftOutUntilNanos - clock.getAsLong();
    }
}
