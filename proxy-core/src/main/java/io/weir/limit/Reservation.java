package io.weir.limit;

import org.jspecify.annotations.Nullable;

/** The amount that one holder has taken of a budget. Confined to one thread at a time. */
public final class Reservation implements AutoCloseable {

    private final Budget budget;
    /** The part of its holder; null if it counts for nobody. */
    private final @Nullable Share share;

    private long taken;
    private boolean closed;

    Reservation(Budget budget, @Nullable Share share) {
        this.budget = budget;
        this.share = share;
    }

    /** Takes an amount more. Returns false and takes nothing if that exceeds the bound, or the holder's share. */
    public boolean tryAdd(long amount) {
        if (closed || (share != null && !share.permits(amount)) || !budget.tryTake(amount)) {
            return false;
        }
        note(amount);
        return true;
    }

    /**
     * Returns whether its holder may take an amount more, of which the reservation that is being handed over has a part already. That
     * part counts for the holder only if it is of the same one.
     */
    public boolean permits(long amount) {
        if (share == null) {
            return true;
        }
        Reservation giver = budget.handedOver();
        long more = giver == null || giver == this ? amount : Math.max(0, amount - giver.taken());
        long ofHolder = giver != null && giver.share == share ? more : amount;
        return ofHolder == 0 || share.permits(ofHolder, more);
    }

    /** Returns another reservation of the same holder, which has taken nothing yet. */
    public Reservation another() {
        return new Reservation(budget, share);
    }

    private void note(long more) {
        taken += more;
        if (share != null) {
            share.note(more);
        }
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
        note(amount - moved);
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
        giver.note(-moved);
        note(moved);
        return moved;
    }

    public long taken() {
        return closed ? 0 : taken;
    }

    /** Gives back all above an amount. */
    public void lowerTo(long rest) {
        if (!closed && taken > rest) {
            budget.give(taken - rest);
            note(rest - taken);
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
            note(-part);
            budget.give(part);
        }
    }

    /** Gives back everything. Later calls take nothing. */
    @Override
    public void close() {
        if (!closed) {
            budget.give(taken);
            note(-taken);
            closed = true;
        }
    }
}
