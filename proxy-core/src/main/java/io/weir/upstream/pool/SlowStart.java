package io.weir.upstream.pool;

import java.util.concurrent.TimeUnit;

/** Growth of the share of calls that a node gets after it came back. Thread-safe. */
final class SlowStart {

    /** Percent of its share that it gets at once. */
    static final int FIRST_PERCENT = 10;

    private static final int WHOLE = 100;

    /** Time in which the share grows to the whole: caches of a node that was restarted are warm then. */
    private static final long NANOS = TimeUnit.SECONDS.toNanos(10);

    /** When it came back; only while {@link #starting}. */
    private volatile long backNanos;

    private volatile boolean starting;

    /** Notes that the node came back. */
    void begin(long nowNanos) {
        backNanos = nowNanos;
        starting = true;
    }

    /** Returns the percentage of its share that the node gets. */
    int percent(long nowNanos) {
        if (!starting) {
            return WHOLE;
        }
        long passed = nowNanos - backNanos;
        if (passed >= NANOS) {
            starting = false;
            return WHOLE;
        }
        return (int) Math.max(FIRST_PERCENT, WHOLE * passed / NANOS);
    }
}
