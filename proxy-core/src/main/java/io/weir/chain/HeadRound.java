package io.weir.chain;

/**
 * Round of asking upstreams for their heads, from {@link HeadTracker#begin} to {@link HeadTracker#end}. Guarded by its
 * tracker.
 */
public final class HeadRound {

    private final HeadMoment moment;
    private final long beganNanos;
    private final boolean urgent;
    private final boolean announced;
    private long highest = -1;

    HeadRound(HeadMoment moment, long beganNanos, boolean urgent, boolean announced) {
        this.moment = moment;
        this.beganNanos = beganNanos;
        this.urgent = urgent;
        this.announced = announced;
    }

    /**
     * Returns whether an event may have changed the head, so that all upstreams must answer before the head counts as fresh.
     */
    public boolean urgent() {
        return urgent;
    }

    /** Returns whether a node told its head unasked, at the moment at which the round began. */
    boolean announced() {
        return announced;
    }

    /** Returns the moment at which the round began. */
    public HeadMoment moment() {
        return moment;
    }

    long stamp() {
        return moment.stamp();
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
