package io.weir.metrics;

import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Counts of durations between bounds. The other values that Dropwizard requires are as exact as buckets allow: a
 * quantile is the upper bound of its bucket. Unit: nanoseconds. Immutable.
 */
final class BucketSnapshot extends Snapshot {

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

    /** Returns the sum of all durations. */
    long sumNanos() {
        return sum;
    }

    /** Returns the upper bounds. */
    long[] boundsNanos() {
        return bounds.clone();
    }

    /** Returns the count of each bucket. The last one counts durations above all bounds. */
    long[] counts() {
        return counts.clone();
    }

    /** Returns the number of durations. */
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
