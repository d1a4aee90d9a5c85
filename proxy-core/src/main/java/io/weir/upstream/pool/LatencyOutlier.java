package io.weir.upstream.pool;

import io.weir.config.Ejection;
import io.weir.upstream.latency.LatencyClass;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of one node's latency with those of the other nodes of its tier. The node is an outlier if its average is many times
 * their median for some time without a break. The bound of a probe that brings it back is stricter, so that a node at the bound does
 * not come and go. The choice among nodes deals with smaller differences. Searches and traces are not compared, since their time
 * depends on their range. Thread-safe.
 */
final class LatencyOutlier {

    /** Answers of which the average is about. */
    private static final int AVERAGED = 16;

    /** Slow answers before the node is an outlier. */
    private static final int MIN_ANSWERS = 10;

    /** Bound for the return, in percent of the bound for the ejection. */
    private static final int RETURN_PERCENT = 75;

    private static final int WHOLE = 100;

    private final int factor;
    private final long minNanos;
    private final long forNanos;
    private final Node node;
    private final ProbedPool pool;
    private final Average lookups = new Average();
    private final Average executions = new Average();

    /** Average of the latencies of one class. */
    private static final class Average {
        volatile long nanos;
        volatile boolean slow;
        /** These three count while it is slow. */
        int epoch;

        long sinceNanos;
        int answers;
    }

    /**
     * Reason for which the node is an outlier. Immutable.
     *
     * @param returnNanos time in which a probe must be answered before the node returns
     */
    record Finding(String detail, long returnNanos) {}

    /** @param pool has the nodes with which this one is compared */
    LatencyOutlier(Ejection.Rules rules, Node node, ProbedPool pool) {
        this.factor = rules.latencyFactor();
        this.minNanos = TimeUnit.MILLISECONDS.toNanos(rules.latencyMinMillis());
        this.forNanos = TimeUnit.MILLISECONDS.toNanos(rules.latencyForMillis());
        this.node = node;
        this.pool = pool;
    }

    /**
     * Notes the time of an answer.
     *
     * @param epoch of the node's health when the call began
     * @return why the node is an outlier; null if it is none
     */
    @Nullable
    Finding answered(LatencyClass of, long nanos, int epoch, long nowNanos) {
        Average average = factor == 0 ? null : average(of);
        if (average == null) {
            return null;
        }
        long before = average.nanos;
        // Two threads may lose a sample here, which changes an average little.
        long now = before == 0 ? nanos : before + (nanos - before) / AVERAGED;
        average.nanos = now;
        return now <= minNanos && !average.slow ? null : compare(of, average, now, epoch, nowNanos);
    }

    private @Nullable Average average(LatencyClass of) {
        return switch (of) {
            case LOOKUP -> lookups;
            case EXECUTION -> executions;
            case HEAVY, OTHER -> null;
        };
    }

    private synchronized @Nullable Finding compare(
            LatencyClass of, Average average, long nanos, int epoch, long nowNanos) {
        long median = medianOfOthers(of);
        long bound = median == 0 ? Long.MAX_VALUE : Math.max(minNanos, factor * median);
        if (nanos <= bound) {
            average.slow = false;
            return null;
        }
        if (!average.slow || average.epoch != epoch) {
            average.slow = true;
            average.epoch = epoch;
            average.sinceNanos = nowNanos;
            average.answers = 0;
        }
        if (++average.answers < MIN_ANSWERS || nowNanos - average.sinceNanos < forNanos) {
            return null;
        }
        average.slow = false;
        average.nanos = 0;
        String detail = "answers in " + millis(nanos) + " ms on average, the median of the other nodes is "
                + millis(median) + " ms";
        return new Finding(detail, bound / WHOLE * RETURN_PERCENT);
    }

    /** Returns 0 if no other node has answered. */
    private long medianOfOthers(LatencyClass of) {
        long[] others = pool.nodes().stream()
                .filter(one -> one != node && one.tier() == node.tier())
                .map(one -> one.outlier().average(of))
                .mapToLong(one -> one == null ? 0 : one.nanos)
                .filter(nanos -> nanos > 0)
                .toArray();
        Arrays.sort(others);
        return others.length == 0 ? 0 : others[(others.length - 1) / 2];
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
