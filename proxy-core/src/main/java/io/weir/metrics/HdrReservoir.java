package io.weir.metrics;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Keeps every duration since the start in an HDR histogram (two significant digits, up to an hour), where Dropwizard's own
 * reservoir samples and is contended. Recording is wait-free; reading is exact. Thread-safe. Unit: nanoseconds.
 */
final class HdrReservoir implements Reservoir {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 2;

    private final Recorder recorder = new Recorder(HIGHEST, DIGITS);
    private final Histogram sum = new Histogram(HIGHEST, DIGITS);

    @Override
    public int size() {
        return getSnapshot().size();
    }

    @Override
    public void update(long nanos) {
        recorder.recordValue(Math.min(Math.max(nanos, 0), HIGHEST));
    }

    @Override
    public synchronized Snapshot getSnapshot() {
        sum.add(recorder.getIntervalHistogram());
        return new HdrSnapshot(sum.copy());
    }

    /** A histogram read as Dropwizard reads snapshots. */
    private static final class HdrSnapshot extends Snapshot {

        private final Histogram histogram;

        HdrSnapshot(Histogram histogram) {
            this.histogram = histogram;
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
}
