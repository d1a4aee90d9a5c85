package io.weir.upstream.verdict;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many of one node's answers were refuted lately, and for how long the node is to be left out for that. One alone may be a
 * bit that fell over, and costs nothing; {@link #MAX} of them within {@link #WINDOW_NANOS} do, at first a minute, and each time
 * that this happens again within an hour after the node came back twice as long, up to an hour. Thread-safe.
 */
public final class FalseAnswers {

    /** Refuted answers within the window that take a node out. */
    static final int MAX = 3;

    /** For how long a refuted answer is held against a node. */
    static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(10);

    static final long FIRST_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

    private final LongSupplier clock;
    private final long[] latest = new long[MAX];
    private int count;
    private long delayNanos;
    private long leftOutUntilNanos;

    /**
     * Begins without any.
     *
     * @param clock nanoseconds
     */
    public FalseAnswers(LongSupplier clock) {
        this.clock = clock;
        this.leftOutUntilNanos = clock.getAsLong();
    }

    /** Adds one. Returns whether the node is to be left out now. */
    public synchronized boolean add() {
        long now = clock.getAsLong();
        if (leftOutUntilNanos - now > 0) {
            // Of answers that were under way when it was left out.
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

    /** For how long it is still to be left out; 0 or less where it is not. */
    public synchronized long leftOutNanos() {
        return leftOutUntilNanos - clock.getAsLong();
    }
}
