package io.weir.access;

/** Admits calls at a rate. Thread-safe. */
public interface RateGate {

    /** Whether a call counts its method's cost instead of one. */
    boolean weighted();

    /** Calls, or units of cost, admitted each second; 0 where there is no limit. */
    long perSecond();

    /**
     * Admits calls together or not at all.
     *
     * @return 0 when they are admitted; the nanoseconds after which they would be; {@link #NEVER} when the burst is
     *     smaller than their number
     */
    long admit(long units);

    /** More at once than the rate can ever admit. */
    long NEVER = Long.MAX_VALUE;
}
