package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;

/**
 * Budget of calls to a node, in the units in which its provider bills. Immutable.
 *
 * @param perSecond units within any second; 0 for no bound
 * @param perDay units on each UTC day; 0 for no bound
 * @param table units of calls
 */
public record BudgetConfig(
        @About("Units within any second; 0 is no bound. Calls over it, or that alone cost more, go to other nodes.")
        @Setting(value = "0", range = "0 to 1000000000")
        long perSecond,

        @About("Units per UTC day, then no calls or probes; 0 is no bound. `server.data` keeps the count.")
        @Setting(value = "0", range = "0 to 1000000000000000")
        long perDay,

        @About("Units of each method, from a file of `conf/costs` or a block; with null every call costs one unit.")
        @Setting(path = "costs", form = CostTable.class)
        Costs table) {

    /**
     * Units of calls. Immutable.
     *
     * @param day units of calls that count for the day
     * @param second units of calls that count for the second; providers charge some methods otherwise here
     * @param notification units of a message of a subscription
     */
    public record Costs(MethodCosts day, MethodCosts second, long notification) {}

    public BudgetConfig(long perSecond, long perDay, MethodCosts costs, MethodCosts secondCosts, long notification) {
        this(perSecond, perDay, new Costs(costs, secondCosts, notification));
    }

    /** No bound, and nothing is counted. */
    public static final BudgetConfig NONE = new BudgetConfig(0, 0, MethodCosts.CALLS, MethodCosts.CALLS, 1);

    public boolean isBounded() {
        return perSecond > 0 || perDay > 0;
    }

    public MethodCosts costs() {
        return table.day;
    }

    public MethodCosts secondCosts() {
        return table.second;
    }

    public long notification() {
        return table.notification;
    }
}
