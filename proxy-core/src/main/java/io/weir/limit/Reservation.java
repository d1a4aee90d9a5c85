package io.weir.limit;

/** What one holder has taken of a budget. Confined to one thread at a time. */
public final class Reservation implements AutoCloseable {

    private final Budget budget;
    private long taken;
    private boolean closed;

    Reservation(Budget budget) {
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

    /** Takes more of what is there already, over the bound too; first of a share that is being handed over. */
    public void add(long amount) {
        if (closed) {
            return;
        }
        Reservation giver = budget.handedOver();
        long moved = giver == null || giver == this ? 0 : takeOver(giver, amount);
        budget.take(amount - moved);
        taken += amount - moved;
    }

    /**
     * Takes from another share of the same budget instead of the budget itself.
     *
     * @return how much there was of it
     */
    public long takeOver(Reservation giver, long amount) {
        if (closed || giver.closed) {
            return 0;
        }
        long moved = Math.min(amount, giver.taken);
        giver.taken -= moved;
        taken += moved;
        return moved;
    }

    /** How much is taken. */
    public long taken() {
        return closed ? 0 : taken;
    }

    /** Gives back what is over this. */
    public void lowerTo(long rest) {
        if (!closed && taken > rest) {
            budget.give(taken - rest);
            taken = rest;
        }
    }

    /**
     * Runs what hands over what this share counts, and gives back the rest. Whoever keeps some of it adds it to a share of his
     * own meanwhile, on this thread: so it is counted at every moment, and never twice.
     */
    public void handOver(Runnable taker) {
        Reservation before = budget.handOver(this);
        try {
            taker.run();
        } finally {
            budget.handOver(before);
            close();
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
