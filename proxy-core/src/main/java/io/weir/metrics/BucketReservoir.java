package io.weir.metrics;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * A reservoir that counts durations between fixed bounds, as in Prometheus histograms. It is exact, has a few hundred
 * bytes and no lock; Dropwizard's own reservoir samples and is contended. Unit: nanoseconds. Thread-safe.
 */
final class BucketReservoir implements Reservoir {

    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** The upper bounds, inclusive. */
    private static final long[] BOUNDS = {
        100 * MICROSECOND,
        250 * MICROSECOND,
        500 * MICROSECOND,
        MILLISECOND,
        2_500 * MICROSECOND,
        5 * MILLISECOND,
        10 * MILLISECOND,
        25 * MILLISECOND,
        50 * MILLISECOND,
        100 * MILLISECOND,
        250 * MILLISECOND,
        500 * MILLISECOND,
        SECOND,
        2_500 * MILLISECOND,
        5 * SECOND,
        10 * SECOND,
        30 * SECOND
    };

    private final LongAdder[] counts = new LongAdder[BOUNDS.length + 1];
    private final LongAdder sum = new LongAdder();

    BucketReservoir() {
        Arrays.setAll(counts, i -> new LongAdder());
    }

    @Override
    public int size() {
        return getSnapshot().size();
    }

    @Override
    public void update(long nanos) {
        int found = Arrays.binarySearch(BOUNDS, nanos);
        counts[found < 0 ? -found - 1 : found].increment();
        sum.add(nanos);
    }

    @Override
    public Snapshot getSnapshot() {
        long[] now = new long[counts.length];
        Arrays.setAll(now, i -> counts[i].sum());
        return new BucketSnapshot(BOUNDS, now, sum.sum());
    }
}
