package io.weir.config;

/**
 * Budget of calls to a node, in the units in which its provider bills. Immutable.
 *
 * @param perSecond units within any second; 0 for no bound
 * @param perDay units on each UTC day; 0 for no bound
 * @param costs units of calls that count for the day
 * @param secondCosts units of calls that count for the second; providers charge some methods otherwise here
 * @param notification units of a message of a subscription
 */
public record BudgetConfig(long perSecond, long perDay, MethodCosts costs, MethodCosts secondCosts, long notification) {

    /** No bound, and nothing is counted. */
    public static final BudgetConfig NONE = new BudgetConfig(0, 0, MethodCosts.CALLS, MethodCosts.CALLS, 1);

    /** Returns whether there is a bound. */
    public boolean isBounded() {
        return perSecond > 0 || perDay > 0;
    }
}
