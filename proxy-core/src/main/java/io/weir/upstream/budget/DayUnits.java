package io.weir.upstream.budget;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Units that one node or one API key used on the present UTC day: at this proxy, and at others that share the bound as far as this one
 * knows. Thread-safe.
 */
public final class DayUnits {

    static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final LongSupplier wallMillis;
    private long day;
    /** Used at this proxy. */
    private long own;
    /** Used at the others. */
    private long others;
    /** Of {@link #own}, those that the others know of. */
    private long told;
    /** Whether the others cannot be reached. */
    private boolean away;

    /** @param used units used at this proxy today already */
    DayUnits(LongSupplier wallMillis, long used) {
        this.wallMillis = wallMillis;
        this.day = wallMillis.getAsLong() / DAY_MILLIS;
        this.own = used;
    }

    /** Adds units, unless their sum would exceed a bound. Returns whether they were added. */
    public synchronized boolean tryAdd(long units, long max) {
        if (units > left(max)) {
            return false;
        }
        own += units;
        return true;
    }

    /** Adds units without a bound. */
    public synchronized void add(long units) {
        roll();
        own += units;
    }

    public synchronized long used() {
        roll();
        return own + others;
    }

    synchronized long left(long max) {
        return max - used();
    }

    /** Begins a new day if it is one. A clock that was set back begins no day again. */
    private void roll() {
        long today = wallMillis.getAsLong() / DAY_MILLIS;
        if (today > day) {
            day = today;
            own = 0;
            others = 0;
            told = 0;
        }
    }

    /**
     * The units that this proxy used on a day. Immutable.
     *
     * @param day since 1970
     */
    public record OwnUse(long day, long units) {}

    /** Returns what this proxy used. */
    public synchronized OwnUse own() {
        roll();
        return new OwnUse(day, own);
    }

    /** Returns whether there is anything that the others do not know of. */
    public synchronized boolean isUntold() {
        roll();
        return own != told;
    }

    /**
     * Notes that the others know of a use.
     *
     * @param known what they know that this proxy used; more than it remembers if it was killed
     * @param rest what the others used
     */
    public synchronized void told(OwnUse use, long known, long rest) {
        roll();
        if (use.day() == day) {
            own = Math.max(own, known);
            told = known;
            others = Math.max(others, rest);
        }
    }

    /** Notes that the others cannot be reached. */
    public synchronized void leave() {
        away = true;
    }

    /** Notes that the others can be reached again. They may have forgotten everything. */
    public synchronized void join() {
        if (away) {
            away = false;
            told = 0;
        }
    }

    /** Returns the nanoseconds until the next day begins. */
    public synchronized long nanosLeft() {
        return TimeUnit.MILLISECONDS.toNanos((day + 1) * DAY_MILLIS - wallMillis.getAsLong());
    }
}
