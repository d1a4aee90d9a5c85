package io.weir.limit;

import java.util.concurrent.TimeUnit;

/**
 * Bound on an amount within any second, wherever the second begins. Amounts are kept by slices of time. A second touches at most one
 * slice more than it is long, so the bound is on that many. Thread-safe.
 */
public final class SecondBudget {

    private static final int SLICES = 50;
    private static final int KEPT = SLICES + 1;
    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1) / SLICES;

    private final long startNanos;
    private final long[] amounts = new long[KEPT];
    /** Number of the newest slice, counted from the start. */
    private long newest;

    private long taken;
    private long max;

    /**
     * @param max amount within any second
     * @param startNanos the time at present, on the clock of all later calls
     */
    public SecondBudget(long max, long startNanos) {
        this.max = max;
        this.startNanos = startNanos;
    }

    /** Changes the bound. Amounts that were taken stay taken. */
    public synchronized void bound(long other) {
        max = other;
    }

    public synchronized boolean fits(long amount, long nowNanos) {
        advance(nowNanos);
        return amount <= max - taken;
    }

    /**
     * Takes an amount. Returns false and takes nothing if that exceeds the bound.
     *
     * @param over amount by which the bound may be exceeded
     */
    public synchronized boolean tryTake(long amount, long over, long nowNanos) {
        advance(nowNanos);
        if (amount > max + over - taken) {
            return false;
        }
        add(amount);
        return true;
    }

    /** Takes an amount even over the bound, for something that happened already. */
    public synchronized void take(long amount, long nowNanos) {
        advance(nowNanos);
        add(amount);
    }

    private void add(long amount) {
        amounts[(int) (newest % KEPT)] += amount;
        taken += amount;
    }

    /** Returns the amount taken within the last second, as far as the bound counts it. */
    public synchronized long taken(long nowNanos) {
        advance(nowNanos);
        return taken;
    }

    /** Returns the nanoseconds until an amount can be taken, 0 if it can be now, {@link Long#MAX_VALUE} if it exceeds the bound. */
    public synchronized long waitNanos(long amount, long nowNanos) {
        advance(nowNanos);
        if (amount > max) {
            return Long.MAX_VALUE;
        }
        long left = taken;
        long slice = newest - SLICES;
        while (amount > max - left) {
            if (slice >= 0) {
                left -= amounts[(int) (slice % KEPT)];
            }
            slice++;
        }
        return left == taken ? 0 : startNanos + (slice - 1 + KEPT) * SLICE_NANOS - nowNanos;
    }

    /** Forgets the slices that are older than a second. A time before that of another caller counts as the other's. */
    private void advance(long nowNanos) {
        long now = (nowNanos - startNanos) / SLICE_NANOS;
        if (now <= newest) {
            return;
        }
        long first = Math.max(newest + 1, now - SLICES);
        for (long slice = first; slice <= now; slice++) {
            int index = (int) (slice % KEPT);
            taken -= amounts[index];
            amounts[index] = 0;
        }
        newest = now;
    }
}
