package io.weir.method.params.kind;

import org.jspecify.annotations.Nullable;

/** Counts of the contents of one call's parameters, for the limits. Confined to one thread, unless nothing is added. */
@SuppressWarnings("EnumOrdinal") // An array by ordinal is made only if something is counted, and costs less than a map.
public final class ParamCounts {

    /** Indexed by the limit's ordinal; null for most calls, which have nothing to count. */
    private int @Nullable [] counts;

    /** Returns how many more of these the call may have. */
    int remaining(ParamLimit limit) {
        return limit.max() - (counts == null ? 0 : counts[limit.ordinal()]);
    }

    /** Adds a number that the limit allowed. */
    void add(ParamLimit limit, int count) {
        if (counts == null) {
            counts = new int[ParamLimit.values().length];
        }
        counts[limit.ordinal()] += count;
    }

    /**
     * Returns the exception for too many.
     *
     * @param more the number in a list or an object, without those counted before
     */
    InvalidParamsException over(ParamLimit limit, int more) {
        return InvalidParamsException.over(limit, limit.max() - remaining(limit) + more);
    }
}
