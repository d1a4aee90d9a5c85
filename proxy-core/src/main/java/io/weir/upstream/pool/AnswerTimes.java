package io.weir.upstream.pool;

import static java.util.Objects.requireNonNull;

import io.weir.upstream.LatencyClass;
import java.util.EnumMap;
import java.util.Map;

/** Times of the answers of all nodes of a pool, for each class of methods. Thread-safe. */
final class AnswerTimes {

    private static final double SHARE = 0.95;

    private final Map<LatencyClass, Quantile> classes = new EnumMap<>(LatencyClass.class);

    AnswerTimes() {
        for (LatencyClass of : LatencyClass.values()) {
            classes.put(of, new Quantile(SHARE));
        }
    }

    /** Adds the time after which a node answered. */
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

        /** Adds a sample. */
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
