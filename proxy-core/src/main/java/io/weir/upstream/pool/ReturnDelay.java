package io.weir.upstream.pool;

import io.weir.config.NetworkConfig.HealthConfig;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * Time for which a node that calls took out cannot come back. An ejected node stays out for the least time of ejections, also the first
 * time. A node that went down may come back at once the first time, and then stays out for the down interval. If it goes out again before
 * it has proved itself, each further time doubles that, up to the longest time. It proves itself by answering calls and staying in for the
 * idle interval. Times of ejections are shortened by a random part, so that nodes do not return together. The delay limits the cost of a
 * node that answers probes but not calls. It does not apply while no node is healthy. Confined to the monitor's event loop.
 */
final class ReturnDelay {

    /** Least time of an ejection: a node that only had a pause is soon back. */
    static final long EJECTION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Longest time: a node that came to itself may be missed for so long. */
    static final long MAX_EJECTION_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Random part of the time of an ejection, in percent. */
    private static final int JITTER_PERCENT = 20;

    private static final int WHOLE = 100;
    private static final int MAX_DOUBLINGS = 30;

    private final long proofNanos;
    private final long downNanos;
    private final IntUnaryOperator random;
    private boolean returned;
    private long returnedNanos;
    private int times;

    /** @param random returns a number from 0 to its argument, exclusive */
    ReturnDelay(HealthConfig health, IntUnaryOperator random) {
        this.proofNanos = TimeUnit.MILLISECONDS.toNanos(health.idleIntervalMillis());
        this.downNanos = TimeUnit.MILLISECONDS.toNanos(health.downIntervalMillis());
        this.random = random;
    }

    /** Notes that the node came back. */
    void returned(long nowNanos) {
        returned = true;
        returnedNanos = nowNanos;
    }

    /**
     * Notes that calls took the node out. Returns the nanoseconds that it stays out at least.
     *
     * @param served whether the node answered a call since it came back
     * @param ejected whether the node still answers probes
     */
    long wentOut(long nowNanos, boolean served, boolean ejected) {
        boolean proved = !returned || (served && nowNanos - returnedNanos >= proofNanos);
        times = proved ? 0 : Math.min(times + 1, MAX_DOUBLINGS);
        if (ejected) {
            return shortened(doubled(EJECTION_NANOS, times, MAX_EJECTION_NANOS), random);
        }
        return times == 0 ? 0 : doubled(downNanos, times - 1, proofNanos);
    }

    /** Returns a delay less a random part. */
    static long shortened(long delay, IntUnaryOperator random) {
        return delay - delay / WHOLE * random.applyAsInt(JITTER_PERCENT);
    }

    /** Returns a delay that was doubled some times, up to the longest one. */
    static long doubled(long first, int times, long max) {
        return first > max >> times ? max : first << times;
    }
}
