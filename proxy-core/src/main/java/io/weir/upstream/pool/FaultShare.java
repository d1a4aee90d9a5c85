package io.weir.upstream.pool;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Share of one node's attempts that failed lately. Finds a node that fails often, but never several times in a row. Thread-safe.
 */
final class FaultShare {

    /** Time over which attempts are counted. */
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Faults that make a large share, if there were no more results than faults. */
    static final int MIN_FAULTS = 10;

    private final LongSupplier results;
    private final LongSupplier clock;
    private long beganNanos;
    private long resultsBefore;
    private int faults;

    /**
     * Creates a share without attempts.
     *
     * @param results returns the number of results that the node has given
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    FaultShare(LongSupplier results, LongSupplier clock) {
        this.results = results;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
    }

    /** Notes a fault. Returns whether at least half of the attempts since the beginning of the window failed. */
    synchronized boolean fault() {
        long now = clock.getAsLong();
        long given = results.getAsLong();
        if (now - beganNanos > WINDOW_NANOS) {
            beganNanos = now;
            resultsBefore = given;
            faults = 0;
        }
        return ++faults >= MIN_FAULTS && given - resultsBefore <= faults;
    }
}
