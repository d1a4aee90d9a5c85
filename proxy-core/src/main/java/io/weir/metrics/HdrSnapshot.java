package io.weir.metrics;

import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/** A histogram of durations read as Dropwizard reads snapshots. Immutable. Unit: nanoseconds. */
final class HdrSnapshot extends Snapshot {

    private final Histogram histogram;
    private final long sumNanos;

    HdrSnapshot(Histogram histogram, long sumNanos) {
        this.histogram = histogram;
        this.sumNanos = sumNanos;
    }

    /** All durations together. */
    long sumNanos() {
        return sumNanos;
    }

    /** How many durations there are in each of the ranges that these upper bounds divide; one count more than bounds. */
    long[] countsBetween(long[] upperBoundsNanos) {
        long[] counts = new long[upperBoundsNanos.length + 1];
        long below = 0;
        for (int i = 0; i < upperBoundsNanos.length; i++) {
            long upTo = histogram.getCountBetweenValues(0, upperBoundsNanos[i]);
            counts[i] = upTo - below;
            below = upTo;
        }
        counts[upperBoundsNanos.length] = histogram.getTotalCount() - below;
        return counts;
    }

    @Override
    public double getValue(double quantile) {
        return histogram.getValueAtPercentile(quantile * 100);
    }

    @Override
    public long[] getValues() {
        return new long[0];
    }

    @Override
    public int size() {
        return (int) Math.min(histogram.getTotalCount(), Integer.MAX_VALUE);
    }

    @Override
    public long getMax() {
        return histogram.getMaxValue();
    }

    @Override
    public double getMean() {
        return histogram.getMean();
    }

    @Override
    public long getMin() {
        return histogram.getMinValue();
    }

    @Override
    public double getStdDev() {
        return histogram.getStdDeviation();
    }

    @Override
    public void dump(OutputStream output) {
        histogram.outputPercentileDistribution(new PrintStream(output, true, StandardCharsets.UTF_8), 1.0);
    }
}
