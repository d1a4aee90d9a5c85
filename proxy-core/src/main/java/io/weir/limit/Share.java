package io.weir.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one holder has taken of a budget that others want too. A holder may have at most eight times what stays free: alone it gets
 * eight ninths of the budget, two get eight seventeenths each, and something is free for whoever comes next. Who has nothing may take
 * whatever is free (dynamic thresholds, Choudhury and Hahne, 1998). A budget of less than nine units can be used up by one holder: the
 * part that stays free would be less than a unit. Thread-safe.
 */
public final class Share {

    private static final int FACTOR = 8;

    private final Budget budget;
    private final AtomicLong held = new AtomicLong();

    Share(Budget budget) {
        this.budget = budget;
    }

    /**
     * Returns whether a holder may take an amount more.
     *
     * @param free what stays free of the budget afterwards
     */
    public static boolean permits(long held, long amount, long free) {
        return free >= 0 && (held == 0 || (held + amount - 1) / FACTOR <= free);
    }

    /** Returns whether the holder may take an amount more now. */
    public boolean permits(long amount) {
        return permits(amount, amount);
    }

    /** Returns whether the holder may have an amount more, of which others give all but a part. */
    boolean permits(long amount, long more) {
        return permits(held.get(), amount, budget.max() - budget.taken() - more);
    }

    /** Takes an amount. Returns false and takes nothing if that exceeds the bound of the budget or the holder's share of it. */
    public boolean tryTake(long amount) {
        if (!permits(amount) || !budget.tryTake(amount)) {
            return false;
        }
        held.addAndGet(amount);
        return true;
    }

    /** Gives back an amount that was taken. */
    public void give(long amount) {
        held.addAndGet(-amount);
        budget.give(amount);
    }

    /** Returns a reservation of the holder, which has taken nothing yet. */
    public Reservation reserve() {
        return new Reservation(budget, this);
    }

    /** Notes what a reservation of the holder has taken of the budget, or has given back if it is negative. */
    void note(long amount) {
        held.addAndGet(amount);
    }
}
