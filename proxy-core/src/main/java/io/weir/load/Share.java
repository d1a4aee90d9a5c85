package io.weir.load;

/** What one holder has taken of a budget. Confined to one thread at a time. */
public final class Share implements AutoCloseable {

    private final Budget budget;
    private long taken;
    private boolean closed;

    Share(Budget budget) {
        this.budget = budget;
    }

    /** Takes more, or leaves all as it is and says false where that would be too much. */
    public boolean tryAdd(long amount) {
        if (closed || !budget.tryTake(amount)) {
            return false;
        }
        taken += amount;
        return true;
    }

    /** Takes more of what is there already, over the bound too. */
    public void add(long amount) {
        if (!closed) {
            budget.take(amount);
            taken += amount;
        }
    }

    /** Gives a part back, at most what was taken. */
    public void give(long amount) {
        long part = Math.min(amount, taken);
        if (!closed) {
            taken -= part;
            budget.give(part);
        }
    }

    /** Gives everything back; no more is taken. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            budget.give(taken);
        }
    }
}
