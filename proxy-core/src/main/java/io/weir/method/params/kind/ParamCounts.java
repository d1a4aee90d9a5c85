package io.weir.method.params.kind;

import io.weir.config.LimitsConfig;
import io.weir.config.ParamLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what the parameters of one call hold, against the limits. Confined to one thread. */
public final class ParamCounts {

    private final Map<ParamLimit, Integer> limits;

    /** By the limit's ordinal; most calls hold nothing that is counted. */
    private int @Nullable [] counts;

    /** Begins a call. */
    public ParamCounts(LimitsConfig limits) {
        this.limits = limits.params();
    }

    /** Returns how many more of these the call may hold. */
    int room(ParamLimit limit) {
        return max(limit) - (counts == null ? 0 : counts[limit.ordinal()]);
    }

    /** Returns the limit itself. */
    int max(ParamLimit limit) {
        Integer max = limits.get(limit);
        return max == null ? limit.preset() : max;
    }

    /** Counts some more, which the limit allowed. */
    void add(ParamLimit limit, int count) {
        if (counts == null) {
            counts = new int[ParamLimit.values().length];
        }
        counts[limit.ordinal()] += count;
    }

    /**
     * Says that there are too many.
     *
     * @param more how many a list or an object holds, beside those that were counted before it
     */
    InvalidParamsException over(ParamLimit limit, int more) {
        return InvalidParamsException.over(limit, max(limit) - room(limit) + more, max(limit));
    }
}
