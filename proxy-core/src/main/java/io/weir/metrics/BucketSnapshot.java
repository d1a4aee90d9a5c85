package io.weir.metrics;

import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;

/**
 * Durations counted between bounds. What Dropwizard wants to know beyond the counts is told as exactly as buckets can: a
 * quantile is the upper bound of the bucket that holds it. Immutable. Unit: nanoseconds.
 */
final class BucketSnapshot extends Snapshot {

    private final long[] bounds;
    private final long[] counts;
    private final long sum;

    /**
     * Takes both arrays over.
     *
     * @param bounds upper bounds, ascending
     * @param counts one more than bounds; the last is of what is above them all
     */
    BucketSnapshot(long[] bounds, long[] counts, long sum) {
        this.bounds = bounds;
        this.counts = counts;
        this.sum = sum;
    }

    /** All durations together. */
    long sumNanos() {
        return sum;
    }

    /** The upper bounds. */
    long[] boundsNanos() {
        return bounds.clone();
    }

    /** How many durations lie in each bucket; the last is of what is above all bounds. */
    long[] counts() {
        return counts.clone();
    }

    private long total() {
        return LongStream.of(counts).sum();
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
