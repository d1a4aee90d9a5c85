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
    private final Map<LatencyClass, PeakLatency> classes = new EnumMap<>(LatencyClass.class);

    /**
     * Creates an object without samples.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public NodeLatency(LongSupplier clock) {
        this.clock = clock;
        for (LatencyClass of : LatencyClass.values()) {
            classes.put(of, new PeakLatency(clock.getAsLong()));
        }
    }

    private PeakLatency of(LatencyClass latencyClass) {
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
}
