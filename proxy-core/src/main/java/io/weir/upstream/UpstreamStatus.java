package io.weir.upstream;

/**
 * State of a node at one moment. Immutable.
 *
 * @param weight in force now
 * @param drained whether an operator keeps calls from the node
 * @param head the last head that the node named; -1 if none
 * @param inFlight attempts in flight
 * @param heldMillis time for which it stays out at least; 0 if it is not out, or may return
 * @param detail why the node is not healthy, or what other nodes contradict; empty if there is neither; names no address or
 *     credential
 */
public record UpstreamStatus(
        String id,
        int tier,
        int weight,
        boolean drained,
        Health health,
        long head,
        long inFlight,
        long heldMillis,
        String detail) {

    /** Returns whether the node went out, and only a good probe brings it back. */
    public boolean isOut() {
        return health == Health.DOWN || health == Health.EJECTED;
    }

    /** Returns whether the node is healthy and not drained. */
    public boolean isInPool() {
        return health == Health.HEALTHY && !drained;
    }

    /** The findings of probes and calls about a node. */
    public enum Health {
        /** Not probed yet. */
        UNKNOWN,
        /** Answers well and has a current head. */
        HEALTHY,
        /** Too far behind the best head. */
        LAGGING,
        /** Reports that it is syncing. */
        SYNCING,
        /** Names a head that it does not show, and that no other node confirms. */
        OUT_OF_LINE,
        /** Answers probes, but its answers to calls are faulty or slow. */
        EJECTED,
        /** Cannot be reached, or does not answer probes. */
        DOWN,
        /** Serves another chain, so it receives no calls. */
        WRONG_CHAIN
    }

    /**
     * Use of a node's budget at one moment, in units of its provider. Immutable.
     *
     * @param perSecond bound within any second; 0 if there is none
     * @param usedInSecond used within the last second, as the bound counts it
     * @param perDay bound on the present UTC day; 0 if there is none
     * @param usedToday used on the present UTC day
     * @param over whether the call that was refused last would be refused now
     */
    public record BudgetStatus(long perSecond, long usedInSecond, long perDay, long usedToday, boolean over) {

        /** Returns the units left today; 0 without a bound on the day. */
        public long leftToday() {
            return Math.max(0, perDay - usedToday);
        }
    }
}
