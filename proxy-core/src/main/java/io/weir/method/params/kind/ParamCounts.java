package io.weir.method.params.kind;

import org.jspecify.annotations.Nullable;

/** Counts of the contents of one call's parameters, for the limits. Confined to one thread, unless nothing is added. */
@SuppressWarnings("EnumOrdinal") // An array by ordinal is made only if something is counted, and costs less than a map.
public final class ParamCounts {

    private final int maxAddresses;

    /** Indexed by the limit's ordinal; null for most calls, which have nothing to count. */
    private int @Nullable [] counts;

    /** @param maxAddresses in a log filter */
    public ParamCounts(int maxAddresses) {
        this.maxAddresses = maxAddresses;
    }

    /** Returns how many more of these the call may have. */
    int remaining(ParamLimit limit) {
        return max(limit) - (counts == null ? 0 : counts[limit.ordinal()]);
    }

    /** Returns the limit itself. */
    int max(ParamLimit limit) {
        return limit == ParamLimit.ADDRESSES ? maxAddresses : limit.max();
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
        return InvalidParamsException.over(limit, max(limit) - remaining(limit) + more, max(limit));
    }
}
