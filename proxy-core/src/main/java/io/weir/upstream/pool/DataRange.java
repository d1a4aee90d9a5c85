package io.weir.upstream.pool;

import io.weir.upstream.verdict.HalfOpen;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of how old the data may be that one node has, of one kind: configured, or learned from its answers. Ages grow with the
 * age of the data, in whatever unit. Thread-safe.
 *
 * <p>A node that lacks data of some age is taken to lack all data that is older than the oldest that it gave. This is forgotten
 * once the node gives older data. After a while one call tries again before the others. Data as old as that of which it said so is not
 * asked for until then, even if no other node is left. Calls that do not name the age are remembered apart.
 */
final class DataRange {

    private static final long ANY = Long.MAX_VALUE;

    private final boolean learns;
    private final LongSupplier clock;
    private final HalfOpen retry;
    /** The age of the oldest data that it has; {@link #ANY} if nothing is known to be missing. */
    private volatile long oldest;

    private volatile long oldestGiven = Long.MIN_VALUE;
    /** The least age of which it said that it lacks the data; {@link #ANY} if it said so of none. */
    private volatile long youngestLacked = ANY;
    /** Lack of data of an unknown age; null if there is none. */
    private volatile @Nullable HalfOpen unnamed;

    private DataRange(boolean learns, long oldest, LongSupplier clock) {
        this.learns = learns;
        this.oldest = oldest;
        this.clock = clock;
        this.retry = new HalfOpen(clock.getAsLong());
    }

    /**
     * Creates a record that learns.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    static DataRange learned(LongSupplier clock) {
        return new DataRange(true, ANY, clock);
    }

    /** Creates a configured record of a node that has data up to an age. */
    static DataRange upTo(long age, LongSupplier clock) {
        return new DataRange(false, age, clock);
    }

    /** Creates a configured record of a node that has all data. */
    static DataRange all(LongSupplier clock) {
        return upTo(ANY, clock);
    }

    /** Returns whether nothing is known to be missing that has an age. */
    boolean isWhole() {
        return oldest == ANY;
    }

    boolean learns() {
        return learns;
    }

    /** Returns whether the node said of any age that it lacks the data. */
    boolean saidToLackAny() {
        return youngestLacked != ANY;
    }

    /** Returns whether the node said lately that it lacks data of this age, or younger data. */
    boolean saidToLack(long age) {
        return age >= youngestLacked && !retry.isOver(clock.getAsLong());
    }

    /** Returns whether the node is not to be asked for data of an age. A call that tries again is told that it is. */
    boolean lacks(long age) {
        return age > oldest && !(learns && retry.mayTry(clock.getAsLong()));
    }

    /** Returns the same for a call that does not name the age. */
    boolean lacksUnnamed() {
        HalfOpen lack = unnamed;
        return lack != null && !lack.mayTry(clock.getAsLong());
    }

    /** Notes that the node gave data of an age. */
    void has(long age) {
        if ((learns && age > oldestGiven) || age >= youngestLacked) {
            gave(age);
        }
    }

    private synchronized void gave(long age) {
        oldestGiven = Math.max(oldestGiven, age);
        if (learns && age > oldest) {
            oldest = ANY;
        }
        if (age >= youngestLacked) {
            youngestLacked = ANY;
        }
    }

    /** Notes that the node gave data whose age the call did not name. */
    void hasUnnamed() {
        if (unnamed != null) {
            unnamed = null;
        }
    }

    /**
     * Notes that the node lacked data of an age. Returns whether this was not known.
     *
     * @param usual the age of the data that a node has at least which lacks some
     */
    synchronized boolean lacked(long age, long usual) {
        boolean known = age > oldest;
        if (!learns && !known) {
            return false;
        }
        long now = clock.getAsLong();
        youngestLacked = retry.isOver(now) ? age : Math.min(youngestLacked, age);
        retry.lacked(now);
        if (!learns) {
            return false;
        }
        if (age <= oldestGiven) {
            // It had older data before: its window moved, or it was replaced.
            oldestGiven = Long.MIN_VALUE;
        }
        oldest = Math.min(age - 1, Math.max(usual, oldestGiven));
        return !known;
    }

    /** Notes that the node lacked data whose age the call did not name. Returns whether this was not known. */
    synchronized boolean lackedUnnamed() {
        if (!learns) {
            return false;
        }
        boolean known = unnamed != null;
        unnamed = new HalfOpen(clock.getAsLong());
        return !known;
    }
}
