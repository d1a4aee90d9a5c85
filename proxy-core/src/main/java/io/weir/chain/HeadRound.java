package io.weir.chain;

/**
 * Round of asking upstreams for their heads, from {@link HeadTracker#begin} to {@link HeadTracker#end}. Guarded by its
 * tracker.
 */
public final class HeadRound {

    private final long stamp;
    private final long beganNanos;
    private final boolean urgent;
    private long highest = -1;

    HeadRound(long stamp, long beganNanos, boolean urgent) {
        this.stamp = stamp;
        this.beganNanos = beganNanos;
        this.urgent = urgent;
    }

    /**
     * Returns whether an event may have changed the head, so that all upstreams must answer before the head counts as fresh.
     */
    public boolean urgent() {
        return urgent;
    }

    long stamp() {
        return stamp;
    }

    /** Returns when the round began, on the tracker's clock. */
    public long beganNanos() {
        return beganNanos;
    }

    void named(long head) {
        highest = Math.max(highest, head);
    }

    long highest() {
        return highest;
    }
}
