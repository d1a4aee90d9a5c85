package io.weir.metrics;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

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

    /**
     * Counts of durations between bounds. The other values that Dropwizard requires are as exact as buckets allow: a
     * quantile is the upper bound of its bucket. Unit: nanoseconds. Immutable.
     */
    static final class BucketSnapshot extends Snapshot {

        private final long[] bounds;
        private final long[] counts;
        private final long sum;

        /**
         * Takes ownership of both arrays.
         *
         * @param bounds upper bounds, ascending
         * @param counts one more than bounds; the last one counts durations above all bounds
         */
        BucketSnapshot(long[] bounds, long[] counts, long sum) {
            this.bounds = bounds;
            this.counts = counts;
            this.sum = sum;
        }

        long sumNanos() {
            return sum;
        }

        long[] boundsNanos() {
            return bounds.clone();
        }

        /** Returns the count of each bucket. The last one counts durations above all bounds. */
        long[] counts() {
            return counts.clone();
        }

        long total() {
            return LongStream.of(counts).sum();
        }

        /** Returns the durations of both. Their bounds must be the same. */
        BucketSnapshot plus(BucketSnapshot other) {
            long[] both = counts();
            Arrays.setAll(both, i -> both[i] + other.counts[i]);
            return new BucketSnapshot(bounds, both, sum + other.sum);
        }

        @Override
        public double getValue(double quantile) {
            double rank = quantile * total();
            long below = 0;
            for (int i = 0; i < bounds.length; i++) {
                below += counts[i];
                if (below >= rank && below > 0) {
                    return bounds[i];
                }
            }
            return total() == 0 ? 0 : bounds[bounds.length - 1];
        }

        @Override
        public long[] getValues() {
            return new long[0];
        }

        @Override
        public int size() {
            return (int) Math.min(total(), Integer.MAX_VALUE);
        }

        @Override
        public long getMax() {
            return (long) getValue(1);
        }

        @Override
        public double getMean() {
            return total() == 0 ? 0 : (double) sum / total();
        }

        @Override
        public long getMin() {
            return (long) getValue(0);
        }

        @Override
        public double getStdDev() {
            return 0;
        }

        @Override
        public void dump(OutputStream output) {
            PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
            LongStream.of(counts).forEach(out::println);
        }
    }
}
