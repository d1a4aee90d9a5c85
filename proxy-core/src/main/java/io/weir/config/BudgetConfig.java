package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Setting;

/**
 * Budget of calls to a node, in the units in which its provider bills. Immutable.
 *
 * @param perSecond units within any second; 0 for no bound
 * @param perDay units on each UTC day; 0 for no bound
 * @param table units of calls
 */
public record BudgetConfig(
        @About("Units within any second; 0 is no bound. Further calls go to other nodes, and a call that costs more "
                + "never goes to this one. Set the rate of the provider's plan.")
        @Setting(value = "0", range = "0 to 1000000000")
        long perSecond,

        @About("Units on each UTC day; then the node gets no calls and no probes until midnight. 0 is no bound. "
                + "`server.data` keeps the count over a restart.")
        @Setting(value = "0", range = "0 to 1000000000000000")
        long perDay,

        @About("Units of each method: a provider of `conf/costs`, or a block such as `{ default = 20, eth_call = 26, "
                + "\"trace_*\" = 40 }`, which may include a file. With null every call costs one unit.")
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

    /** Makes a budget whose calls cost these units. */
    public BudgetConfig(long perSecond, long perDay, MethodCosts costs, MethodCosts secondCosts, long notification) {
        this(perSecond, perDay, new Costs(costs, secondCosts, notification));
    }

    /** No bound, and nothing is counted. */
    public static final BudgetConfig NONE = new BudgetConfig(0, 0, MethodCosts.CALLS, MethodCosts.CALLS, 1);

    /** Returns whether there is a bound. */
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
