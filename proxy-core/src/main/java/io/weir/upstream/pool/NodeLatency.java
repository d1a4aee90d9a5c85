package io.weir.upstream.pool;

import static java.util.Objects.requireNonNull;

import io.weir.config.Ejection;
import io.weir.upstream.LatencyClass;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Latency of one node for each class of methods. Thread-safe.
 *
 * <p>Latencies are compared in steps: below about two milliseconds, and between two powers of two, they count as equal. So
 * nodes with similar latencies share calls by weight and load.
 *
 * <p>The choice among nodes deals with small differences. A node whose average is many times the median of the other nodes of its tier, for
 * some time without a break, is an outlier, which is ejected. The bound of a probe that brings it back is stricter, so that a node at the
 * bound does not come and go. Searches and traces are not compared so, since their time depends on their range.
 */
final class NodeLatency {

    /** Latencies below twice this are not told apart; about a millisecond. */
    static final long LEAST_NANOS = Long.highestOneBit(TimeUnit.MILLISECONDS.toNanos(2));

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
    private final Supplier<List<NodeLatency>> others;
    private final LongSupplier clock;
    private final Map<LatencyClass, Peak> classes = new EnumMap<>(LatencyClass.class);
    private final Average lookups = new Average();
    private final Average executions = new Average();

    /** Average of the latencies of one class, by which a node is compared with others. */
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

    /**
     * Creates an object without samples.
     *
     * @param others returns those of the other nodes of the tier
     */
    NodeLatency(Ejection.Rules rules, Supplier<List<NodeLatency>> others, LongSupplier clock) {
        this.factor = rules.latencyFactor();
        this.minNanos = TimeUnit.MILLISECONDS.toNanos(rules.latencyMinMillis());
        this.forNanos = TimeUnit.MILLISECONDS.toNanos(rules.latencyForMillis());
        this.others = others;
        this.clock = clock;
        for (LatencyClass of : LatencyClass.values()) {
            classes.put(of, new Peak(clock.getAsLong()));
        }
    }

    private Peak of(LatencyClass latencyClass) {
        return requireNonNull(classes.get(latencyClass));
    }

    void answered(LatencyClass of, long nanos) {
        of(of).add(nanos, clock.getAsLong());
    }

    /** Notes that the node has not answered for this time. */
    void unanswered(LatencyClass of, long nanos) {
        of(of).atLeast(nanos, clock.getAsLong());
    }

    /** Returns the average latency in nanoseconds; 0 without samples. */
    long nanos(LatencyClass of) {
        return (long) of(of).nanos(clock.getAsLong());
    }

    /** Returns the average latency as a power of two of nanoseconds; {@link #LEAST_NANOS} at least. */
    long step(LatencyClass of) {
        return Long.highestOneBit(Math.max(LEAST_NANOS, nanos(of)));
    }

    /**
     * Adds the time of an answer to the average by which the node is compared with others.
     *
     * @param epoch of the node's health when the call began
     * @return why the node is an outlier; null if it is none
     */
    @Nullable
    Finding compared(LatencyClass of, long nanos, int epoch) {
        Average average = factor == 0 ? null : average(of);
        if (average == null) {
            return null;
        }
        long before = average.nanos;
        // Two threads may lose a sample here, which changes an average little.
        long now = before == 0 ? nanos : before + (nanos - before) / AVERAGED;
        average.nanos = now;
        return now <= minNanos && !average.slow ? null : compare(of, average, now, epoch, clock.getAsLong());
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
        long[] nanos = others.get().stream()
                .map(one -> one.average(of))
                .mapToLong(one -> one == null ? 0 : one.nanos)
                .filter(average -> average > 0)
                .toArray();
        Arrays.sort(nanos);
        return nanos.length == 0 ? 0 : nanos[(nanos.length - 1) / 2];
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
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

    /** Times of the answers of all nodes of a pool, for each class of methods. Thread-safe. */
    static final class AnswerTimes {

        private static final double SHARE = 0.95;

        private final Map<LatencyClass, Quantile> classes = new EnumMap<>(LatencyClass.class);

        AnswerTimes() {
            for (LatencyClass of : LatencyClass.values()) {
                classes.put(of, new Quantile(SHARE));
            }
        }

        void answered(LatencyClass of, long nanos) {
            requireNonNull(classes.get(of)).add(nanos);
        }

        /** Returns the time in which 95 % of the calls are answered; {@link Long#MAX_VALUE} while there were few. */
        long usualNanos(LatencyClass of) {
            return requireNonNull(classes.get(of)).nanos();
        }

        /**
         * Quantile of recent latencies, from a histogram with four buckets for each doubling. Older samples count half from time to
         * time, so that it follows changes. Times are in nanoseconds. Thread-safe.
         */
        static final class Quantile {

            /** Samples before there is a quantile. */
            static final int MIN_SAMPLES = 100;

            /** Samples after which all of them count half. */
            private static final int MAX_SAMPLES = 4096;

            /** Samples between two looks for the quantile. */
            private static final int REFRESH = 64;

            private static final int FRACTION_BITS = 2;
            private static final int BUCKETS = Long.SIZE << FRACTION_BITS;

            private final double share;
            private final int[] counts = new int[BUCKETS];
            private int total;
            private int untilRefresh = MIN_SAMPLES;
            private volatile long quantile = Long.MAX_VALUE;

            /** @param share the share of samples that are at most as long as the quantile, from 0 to 1 */
            Quantile(double share) {
                this.share = share;
            }

            synchronized void add(long nanos) {
                counts[bucket(nanos)]++;
                total++;
                if (--untilRefresh <= 0) {
                    untilRefresh = REFRESH;
                    refresh();
                }
            }

            /** Returns the quantile, rounded up by at most a quarter; {@link Long#MAX_VALUE} while there are few samples. */
            long nanos() {
                return quantile;
            }

            private void refresh() {
                long least = (long) Math.ceil(share * total);
                long seen = 0;
                int bucket = -1;
                while (seen < least) {
                    seen += counts[++bucket];
                }
                quantile = upperBound(Math.max(0, bucket));
                if (total >= MAX_SAMPLES) {
                    total = 0;
                    for (int i = 0; i < BUCKETS; i++) {
                        counts[i] /= 2;
                        total += counts[i];
                    }
                }
            }

            /** Returns the bucket of a time: its highest bit, and the bits that follow. */
            private static int bucket(long nanos) {
                long time = Math.max(1L << FRACTION_BITS, nanos);
                int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(time);
                int fraction = (int) (time >>> (exponent - FRACTION_BITS)) & ((1 << FRACTION_BITS) - 1);
                return (exponent << FRACTION_BITS) | fraction;
            }

            private static long upperBound(int bucket) {
                int exponent = bucket >>> FRACTION_BITS;
                long fraction = 1L + (bucket & ((1 << FRACTION_BITS) - 1));
                return exponent < FRACTION_BITS
                        ? 1L << FRACTION_BITS
                        : (1L << exponent) + (fraction << (exponent - FRACTION_BITS));
            }
        }
    }
}
