package io.weir.l2;

/**
 * A bound on the work for one input from outside, in steps of about a microsecond. Steps, unlike a clock, end equal inputs at the
 * same place. Confined to one thread.
 */
public final class StepBudget {
    private final long max;
    private long left;

    public StepBudget(long max) {
        this.max = max;
        this.left = max;
    }

    /** Takes the steps of work that comes next. Returns whether they were left; from the first refusal on, none are. */
    public boolean spend(long steps) {
        boolean fits = left > 0 && steps <= left;
        left = fits ? left - steps : 0;
        return fits;
    }

    /** Returns whether no step is left. */
    public boolean isSpent() {
        return left == 0;
    }

    /** Returns the bound. */
    public long max() {
        return max;
    }
}
