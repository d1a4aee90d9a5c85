package io.weir.upstream.budget;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Units that one node or one API key used on the present UTC day. Thread-safe. */
public final class DayUnits {

    static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final LongSupplier wallMillis;
    private long day;
    private long used;

    /**
     * Creates a count.
     *
     * @param wallMillis milliseconds since 1970
     * @param used units used today already
     */
    DayUnits(LongSupplier wallMillis, long used) {
        this.wallMillis = wallMillis;
        this.day = wallMillis.getAsLong() / DAY_MILLIS;
        this.used = used;
    }

    /** Adds units, unless their sum would exceed a bound. Returns whether they were added. */
    public synchronized boolean tryAdd(long units, long max) {
        if (units > max - used()) {
            return false;
        }
        used += units;
        return true;
    }

    /** Adds units without a bound. */
    public synchronized void add(long units) {
        used = used() + units;
    }

    /** Returns the units used today. A clock that was set back begins no day again. */
    public synchronized long used() {
        long today = wallMillis.getAsLong() / DAY_MILLIS;
        if (today > day) {
            day = today;
            used = 0;
        }
        return used;
    }

    /** Returns the nanoseconds until the next day begins. */
    public synchronized long nanosLeft() {
        return TimeUnit.MILLISECONDS.toNanos((day + 1) * DAY_MILLIS - wallMillis.getAsLong());
    }
}
