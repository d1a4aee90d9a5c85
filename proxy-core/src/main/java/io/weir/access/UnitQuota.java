package io.weir.access;

import io.weir.upstream.budget.DayUnits;

/**
 * The units that an API key may use on one UTC day. Thread-safe.
 *
 * @param perDay the most
 * @param day the units used today, over changes of the configuration
 */
public record UnitQuota(long perDay, DayUnits day) {

    /**
     * Takes all of some units or none.
     *
     * @return 0 if taken; else the nanoseconds to wait before they can be, or {@link RateGate#NEVER} if they exceed those of a day
     */
    public long admit(long units) {
        if (units > perDay) {
            return RateGate.NEVER;
        }
        return day.tryAdd(units, perDay) ? 0 : day.nanosLeft();
    }

    /** Takes units that cannot be refused. */
    public void charge(long units) {
        day.add(units);
    }
}
