package io.weir.upstream.latency;

/**
 * Quantile of recent latencies, from a histogram with four buckets for each doubling. Older samples count half from time to
 * time, so that it follows changes. Times are in nanoseconds. Thread-safe.
 */
public final class LatencyQuantile {

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
    public LatencyQuantile(double share) {
        this.share = share;
    }

    /** Adds a sample. */
    public synchronized void add(long nanos) {
        counts[bucket(nanos)]++;
        total++;
        if (--untilRefresh <= 0) {
            untilRefresh = REFRESH;
            refresh();
        }
    }

    /** Returns the quantile, rounded up by at most a quarter; {@link Long#MAX_VALUE} while there are few samples. */
    public long nanos() {
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
