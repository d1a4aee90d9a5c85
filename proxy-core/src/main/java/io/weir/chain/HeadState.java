package io.weir.chain;

/**
 * Head as its tracker knows it. Immutable.
 *
 * @param confirmedNanos when the round that last confirmed the head began, with its stamp
 * @param freshUntilNanos until when that confirmation is enough
 * @param outdatedStamp of the last event that made the head doubtful
 * @param settledNanos earliest beginning of a round that makes the head fresh
 * @param raisedStamp of the last rise
 * @param doubtStamp of the end of the first round in which all named a lower head; 0 if there was none
 */
record HeadState(
        long number,
        long confirmedNanos,
        long confirmedStamp,
        long freshUntilNanos,
        long outdatedStamp,
        long settledNanos,
        long raisedStamp,
        long doubtStamp) {

    HeadState risen(long higher, long stamp) {
        return new HeadState(
                higher, confirmedNanos, confirmedStamp, freshUntilNanos, outdatedStamp, settledNanos, stamp, 0);
    }

    /** Returns this state with a confirmation that is enough no longer, though nothing contradicts it. */
    HeadState aged(long nowNanos) {
        return new HeadState(
                number, confirmedNanos, confirmedStamp, nowNanos, outdatedStamp, settledNanos, raisedStamp, doubtStamp);
    }

    HeadState outdated(long stamp, long settled) {
        return new HeadState(
                number, confirmedNanos, confirmedStamp, freshUntilNanos, stamp, settled, raisedStamp, doubtStamp);
    }

    HeadState confirmed(HeadRound round, long until, long doubt) {
        boolean newer = round.stamp() > confirmedStamp;
        return new HeadState(
                number,
                newer ? round.beganNanos() : confirmedNanos,
                newer ? round.stamp() : confirmedStamp,
                newer ? until : freshUntilNanos,
                outdatedStamp,
                settledNanos,
                raisedStamp,
                doubt);
    }

    HeadState doubted(long doubt) {
        return new HeadState(
                number,
                confirmedNanos,
                confirmedStamp,
                freshUntilNanos,
                outdatedStamp,
                settledNanos,
                raisedStamp,
                doubt);
    }

    HeadState sunk(long lower) {
        return new HeadState(
                lower, confirmedNanos, confirmedStamp, freshUntilNanos, outdatedStamp, settledNanos, raisedStamp, 0);
    }

    boolean isConfirmed() {
        return number >= 0 && confirmedStamp > outdatedStamp && confirmedNanos - settledNanos >= 0;
    }
}
