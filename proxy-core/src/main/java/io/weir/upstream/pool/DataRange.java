package io.weir.upstream.pool;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Record of how old the data may be that one node has, of one kind: configured, or learned from its answers. Ages grow with the
 * age of the data, in whatever unit. Thread-safe.
 *
 * <p>A node that lacks data of some age is taken to lack all data that is older than the oldest that it gave. This is forgotten after
 * a while, or once the node gives older data. Then one call tries again before the others.
 */
final class DataRange {

    /** Time for which a node that lacked data is not asked for such data. */
    static final long NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Time that the call has which tries again. */
    static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long ANY = Long.MAX_VALUE;

    private final boolean learns;
    private final long usual;
    private final LongSupplier clock;
    /** The age of the oldest data that it has; {@link #ANY} if nothing is known to be missing. */
    private volatile long oldest;

    private volatile long oldestGiven = Long.MIN_VALUE;
    private long untilNanos;

    private DataRange(boolean learns, long oldest, long usual, LongSupplier clock) {
        this.learns = learns;
        this.oldest = oldest;
        this.usual = usual;
        this.clock = clock;
    }

    /**
     * Creates a record that learns.
     *
     * @param usual the age of the data that a node has at least which lacks some
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    static DataRange learned(long usual, LongSupplier clock) {
        return new DataRange(true, ANY, usual, clock);
    }

    /** Creates a configured record of a node that has data up to an age. */
    static DataRange upTo(long age, LongSupplier clock) {
        return new DataRange(false, age, age, clock);
    }

    /** Creates a configured record of a node that has all data. */
    static DataRange all(LongSupplier clock) {
        return upTo(ANY, clock);
    }

    /** Returns whether the node is not to be asked for data of an age. A call that tries again is told that it is. */
    boolean lacks(long age) {
        if (age <= oldest) {
            return false;
        }
        return !learns || !mayTry();
    }

    private synchronized boolean mayTry() {
        long now = clock.getAsLong();
        if (now - untilNanos < 0) {
            return false;
        }
        untilNanos = now + TRIAL_NANOS;
        return true;
    }

    /** Notes that the node gave data of an age. */
    void has(long age) {
        if (learns && age > oldestGiven) {
            gave(age);
        }
    }

    private synchronized void gave(long age) {
        oldestGiven = Math.max(oldestGiven, age);
        if (age > oldest) {
            oldest = ANY;
        }
    }

    /** Notes that the node lacked data of an age. Returns whether this was not known. */
    synchronized boolean lacked(long age) {
        if (!learns) {
            return false;
        }
        boolean known = age > oldest;
        if (age <= oldestGiven) {
            // It had older data before: its window moved, or it was replaced.
            oldestGiven = Long.MIN_VALUE;
        }
        oldest = Math.min(age - 1, Math.max(usual, oldestGiven));
        untilNanos = clock.getAsLong() + NANOS;
        return !known;
    }
}
