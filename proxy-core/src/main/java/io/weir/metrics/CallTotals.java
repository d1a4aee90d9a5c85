package io.weir.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Timer;
import io.weir.metrics.BucketReservoir.BucketSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The calls of networks and the attempts at nodes since the start, over all methods, as the meters count them at one moment. Immutable. */
public final class CallTotals {

    /** The outcomes of a call, and of an attempt at a node, that was answered: with a result, or with an error of the node. */
    private static final List<String> ANSWERED = List.of("result", "error");

    private static final BucketSnapshot NO_DURATIONS = (BucketSnapshot) new BucketReservoir().getSnapshot();

    private final Map<List<String>, Map<String, Long>> outcomes = new HashMap<>();
    private final Map<List<String>, BucketSnapshot> durations = new HashMap<>();
    private final Map<String, Long> reorgs = new HashMap<>();

    /**
     * How long calls took. Immutable.
     *
     * @param count number of calls
     * @param sumMicros the sum of their durations
     * @param p50Millis the upper bound of the bucket that has the median; 0 without calls
     * @param p95Millis likewise for the 95th percentile
     * @param p99Millis likewise for the 99th percentile
     */
    public record Latency(long count, long sumMicros, double p50Millis, double p95Millis, double p99Millis) {}

    private CallTotals() {}

    /** Returns the totals of now. Passes over all meters once. */
    public static CallTotals of(Meters meters) {
        CallTotals totals = new CallTotals();
        meters.registry().getMetrics().forEach(totals::add);
        return totals;
    }

    /** Returns the same without durations, which take the most memory. */
    public CallTotals withoutDurations() {
        CallTotals counts = new CallTotals();
        counts.outcomes.putAll(outcomes);
        counts.reorgs.putAll(reorgs);
        return counts;
    }

    private void add(String name, Metric metric) {
        String id = MeterName.id(name);
        if (metric instanceof Counter counter) {
            List<String> labels = MeterName.labelValues(name);
            if (id.equals(Meter.CALLS.id())) {
                count(labels.subList(0, 1), labels.get(2), counter.getCount());
            } else if (id.equals(Meter.UPSTREAM_CALLS.id())) {
                count(labels.subList(0, 2), labels.get(2), counter.getCount());
            } else if (id.equals(Meter.REORGS.id())) {
                reorgs.put(labels.get(0), counter.getCount());
            }
        } else if (metric instanceof Timer timer) {
            if (id.equals(Meter.CALL_SECONDS.id())) {
                time(MeterName.labelValues(name).subList(0, 1), timer);
            } else if (id.equals(Meter.UPSTREAM_SECONDS.id())) {
                time(MeterName.labelValues(name), timer);
            }
        }
    }

    private void time(List<String> place, Timer timer) {
        if (timer.getSnapshot() instanceof BucketSnapshot buckets) {
            durations.merge(place, buckets, BucketSnapshot::plus);
        }
    }

    private void count(List<String> place, String outcome, long count) {
        outcomes.computeIfAbsent(place, unused -> new TreeMap<>()).merge(outcome, count, Long::sum);
    }

    /**
     * Returns the number of calls by outcome.
     *
     * @param place a network, or a network and a node
     */
    public Map<String, Long> outcomes(String... place) {
        return outcomes.getOrDefault(List.of(place), Map.of());
    }

    /** Returns the number of calls of a network, or of attempts at a node. */
    public long calls(String... place) {
        return outcomes(place).values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of those that ended without an answer. */
    public long failed(String... place) {
        Map<String, Long> all = outcomes(place);
        return calls(place)
                - ANSWERED.stream()
                        .mapToLong(outcome -> all.getOrDefault(outcome, 0L))
                        .sum();
    }

    public long reorgs(String network) {
        return reorgs.getOrDefault(network, 0L);
    }

    /**
     * Returns how long the calls took.
     *
     * @param place a network, or a network and a node
     */
    public Latency latency(String... place) {
        BucketSnapshot buckets = durations.getOrDefault(List.of(place), NO_DURATIONS);
        return new Latency(
                buckets.total(),
                TimeUnit.NANOSECONDS.toMicros(buckets.sumNanos()),
                millis(buckets.getValue(0.5)),
                millis(buckets.getValue(0.95)),
                millis(buckets.getValue(0.99)));
    }

    private static double millis(double nanos) {
        return nanos / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
