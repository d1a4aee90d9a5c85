package io.weir.upstream.pool;

/** Growth of the share of calls that a node gets after it came back. Thread-safe. */
final class SlowStart {

    /** Percent of its share that it gets at once. */
    static final int FIRST_PERCENT = 10;

    private static final int WHOLE = 100;

    private final long nanos;
    /** When it came back; only while {@link #starting}. */
    private volatile long backNanos;

    private volatile boolean starting;

    /** @param nanos time in which the share grows to the whole; 0 for the whole at once */
    SlowStart(long nanos) {
        this.nanos = nanos;
    }

    /** Notes that the node came back. */
    void begin(long nowNanos) {
        backNanos = nowNanos;
        starting = nanos > 0;
    }

    /** Returns the percentage of its share that the node gets. */
    int percent(long nowNanos) {
        if (!starting) {
            return WHOLE;
        }
        long passed = nowNanos - backNanos;
        if (passed >= nanos) {
            starting = false;
            return WHOLE;
        }
        return (int) Math.max(FIRST_PERCENT, WHOLE * passed / nanos);
    }
}
