package io.weir.limit;

/** The amount that one holder has taken of a budget. Confined to one thread at a time. */
public final class Reservation implements AutoCloseable {

    private final Budget budget;
    private long taken;
    private boolean closed;

    Reservation(Budget budget) {
        this.budget = budget;
    }

    /** Takes an amount more. Returns false and takes nothing if that exceeds the bound. */
    public boolean tryAdd(long amount) {
        if (closed || !budget.tryTake(amount)) {
            return false;
        }
        taken += amount;
        return true;
    }

    /**
     * Takes an amount more even over the bound, for something that exists already. Takes it first from the reservation
     * that is being handed over.
     */
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
     * Moves an amount from another reservation of the same budget.
     *
     * @return the amount that the other reservation had of it
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

    /** Returns the amount taken. */
    public long taken() {
        return closed ? 0 : taken;
    }

    /** Gives back all above an amount. */
    public void lowerTo(long rest) {
        if (!closed && taken > rest) {
            budget.give(taken - rest);
            taken = rest;
        }
    }

    /**
     * Runs a task that hands over the content counted here, then gives back the rest. A receiver that keeps some of it
     * adds that amount to its own reservation meanwhile, on this thread. So every byte is counted at every moment, and
     * never twice.
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

    /** Gives back an amount, at most the amount taken. */
    public void give(long amount) {
        long part = Math.min(amount, taken);
        if (!closed) {
            taken -= part;
            budget.give(part);
        }
    }

    /** Gives back everything. Later calls take nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            budget.give(taken);
        }
    }
}
