package io.weir.upstream;

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
