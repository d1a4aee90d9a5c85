package io.weir.upstream.latency;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Latency of one node for each class of methods. Thread-safe.
 *
 * <p>Latencies are compared in steps: below about two milliseconds, and between two powers of two, they count as equal. So
 * nodes with similar latencies share calls by weight and load.
 */
public final class NodeLatency {

    /** Latencies below twice this are not told apart; about a millisecond. */
    static final long LEAST_NANOS = Long.highestOneBit(TimeUnit.MILLISECONDS.toNanos(2));

    private final LongSupplier clock;
    private final Map<LatencyClass, Peak> classes = new EnumMap<>(LatencyClass.class);

    /**
     * Creates an object without samples.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public NodeLatency(LongSupplier clock) {
        this.clock = clock;
        for (LatencyClass of : LatencyClass.values()) {
            classes.put(of, new Peak(clock.getAsLong()));
        }
    }

    private Peak of(LatencyClass latencyClass) {
        return requireNonNull(classes.get(latencyClass));
    }

    /** Adds the time after which the node answered. */
    public void answered(LatencyClass of, long nanos) {
        of(of).add(nanos, clock.getAsLong());
    }

    /** Notes that the node has not answered for this time. */
    public void unanswered(LatencyClass of, long nanos) {
        of(of).atLeast(nanos, clock.getAsLong());
    }

    /** Returns the average latency in nanoseconds; 0 without samples. */
    public long nanos(LatencyClass of) {
        return (long) of(of).nanos(clock.getAsLong());
    }

    /** Returns the average latency as a power of two of nanoseconds; {@link #LEAST_NANOS} at least. */
    public long step(LatencyClass of) {
        return Long.highestOneBit(Math.max(LEAST_NANOS, nanos(of)));
    }

    /**
     * Peak-sensitive moving average of latencies (peak EWMA, as in Finagle): it rises to a longer time at once, and falls
     * exponentially. Without samples it falls too, so that a slow node is tried again. Times are in nanoseconds. Thread-safe.
     */
    static final class Peak {

        /** Time in which the average falls to a share of 1/e. */
        static final long DECAY_NANOS = TimeUnit.SECONDS.toNanos(10);

        private double average;
        private long sampledNanos;

        /** @param nowNanos the present on the clock of samples */
        Peak(long nowNanos) {
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
}
