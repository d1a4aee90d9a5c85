package io.weir.upstream.latency;

import java.util.concurrent.TimeUnit;

/**
 * Peak-sensitive moving average of latencies (peak EWMA, as in Finagle): it rises to a longer time at once, and falls
 * exponentially. Without samples it falls too, so that a slow node is tried again. Times are in nanoseconds. Thread-safe.
 */
final class PeakLatency {

    /** Time in which the average falls to a share of 1/e. */
    static final long DECAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private double average;
    private long sampledNanos;

    /** @param nowNanos the present on the clock of samples */
    PeakLatency(long nowNanos) {
        sampledNanos = nowNanos;
    }

    /** Adds a sample. */
    synchronized void add(long nanos, long nowNanos) {
        double kept = kept(nowNanos);
        average = Math.max((double) nanos, average * kept + nanos * (1 - kept));
        sampledNanos = nowNanos;
    }

    /** Notes that an answer takes longer than this. */
    synchronized void atLeast(long nanos, long nowNanos) {
        if (nanos > average * kept(nowNanos)) {
            average = nanos;
            sampledNanos = nowNanos;
        }
    }

    /** Returns the average; 0 without samples. */
    synchronized double nanos(long nowNanos) {
        return average * kept(nowNanos);
    }

    private double kept(long nowNanos) {
        return Math.exp(-(double) Math.max(0, nowNanos - sampledNanos) / DECAY_NANOS);
    }
}
