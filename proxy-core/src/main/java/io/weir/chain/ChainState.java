package io.weir.chain;

/**
 * Head of a network as it is known at one moment, with the events that make it fresh or doubtful. Immutable.
 *
 * @param number the head to which calls are held; -1 if none is known
 * @param known the highest head that counted, of whatever tier; below the number for the moment between a rise and its acceptance
 * @param raisedStamp of the last rise
 * @param doubtStamp of the end of the first round in which all named a lower head; 0 if there was none
 */
record ChainState(
        long number, KnownHead known, Confirmation confirmation, Doubt doubt, long raisedStamp, long doubtStamp) {

    /**
     * Last confirmation of the head by a node. Immutable.
     *
     * @param nanos when the round that confirmed it began, with its stamp; the stamp is 0 if there was none
     * @param untilNanos until when it is enough
     */
    record Confirmation(long nanos, long stamp, long untilNanos) {}

    /**
     * Last event that made the head doubtful. Immutable.
     *
     * @param settledNanos the earliest beginning of a round that makes the head fresh
     */
    record Doubt(long stamp, long settledNanos) {}

    static ChainState unknown(long now) {
        return new ChainState(-1, KnownHead.none(), new Confirmation(now, 0, now), new Doubt(0, now), 0, 0);
    }

    ChainState risen(long higher, long stamp) {
        return new ChainState(higher, known, confirmation, doubt, stamp, 0);
    }

    ChainState with(KnownHead other) {
        return new ChainState(number, other, confirmation, doubt, raisedStamp, doubtStamp);
    }

    /** Returns this state with a confirmation that is enough no longer, though nothing contradicts it. */
    ChainState aged(long nowNanos) {
        Confirmation old = new Confirmation(confirmation.nanos(), confirmation.stamp(), nowNanos);
        return new ChainState(number, known, old, doubt, raisedStamp, doubtStamp);
    }

    ChainState outdated(long stamp, long settled) {
        return new ChainState(number, known, confirmation, new Doubt(stamp, settled), raisedStamp, doubtStamp);
    }

    ChainState confirmed(HeadMoment round, long until, long doubted) {
        Confirmation last = round.stamp() > confirmation.stamp()
                ? new Confirmation(round.nanos(), round.stamp(), until)
                : confirmation;
        return new ChainState(number, known, last, doubt, raisedStamp, doubted);
    }

    ChainState doubted(long doubted) {
        return new ChainState(number, known, confirmation, doubt, raisedStamp, doubted);
    }

    ChainState sunk(long lower, long now) {
        return new ChainState(lower, known.sunk(lower, now), confirmation, doubt, raisedStamp, 0);
    }

    boolean isConfirmed() {
        return number >= 0 && confirmation.stamp() > doubt.stamp() && confirmation.nanos() - doubt.settledNanos() >= 0;
    }
}
