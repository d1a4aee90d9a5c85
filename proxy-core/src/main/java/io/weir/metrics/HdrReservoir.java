package io.weir.metrics;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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
    private final LongAdder nanos = new LongAdder();
    private final Histogram all = new Histogram(HIGHEST, DIGITS);

    @Override
    public int size() {
        return getSnapshot().size();
    }

    @Override
    public void update(long value) {
        long kept = Math.min(Math.max(value, 0), HIGHEST);
        recorder.recordValue(kept);
        nanos.add(kept);
    }

    @Override
    public synchronized Snapshot getSnapshot() {
        all.add(recorder.getIntervalHistogram());
        return new HdrSnapshot(all.copy(), nanos.sum());
    }
}
