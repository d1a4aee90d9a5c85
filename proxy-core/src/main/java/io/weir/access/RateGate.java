package io.weir.access;

/** A rate limit for calls. Thread-safe. */
public interface RateGate {

    /** Returns whether a call counts its method's cost instead of one. */
    boolean weighted();

    /** Returns the calls, or units of cost, per second. */
    long perSecond();

    /**
     * Admits all of some calls or none.
     *
     * @return 0 if admitted; else the nanoseconds to wait before they can be, or {@link #NEVER} if they exceed the
     *     burst
     */
    long admit(long units);

    /** Returns units that were admitted in vain. */
    void giveBack(long units);

    /** Takes units that cannot be refused. Later calls wait until they are paid. */
    void charge(long units);

    /** The result for more calls at once than the burst allows. */
    long NEVER = Long.MAX_VALUE;
}
