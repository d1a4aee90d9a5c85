package io.weir.pipeline.cache;

import io.weir.config.NetworkConfig.GatherConfig;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The budget of the proxy's own calls that no client waits for, over the current time window and the one before: a percentage of the
 * clients' calls and ten more. They must pay: a third of the percentage is allowed before that, or four if that is more. Each call that
 * was answered without a node allows one more. Thread-safe.
 */
public final class PrefetchBudget {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The calls in percent of the clients' calls: little for the nodes, and enough for each block of programs that read a chain. */
    private static final int PERCENT = 10;

    /** The calls beside the percentage. */
    static final int BESIDE_PERCENT = 10;

    /** The calls that are allowed even if none of them ever pays. */
    static final int UNPAID = 4;

    private final boolean enabled;

    private final PrefetchMeters meters;
    private final LongSupplier clock;
    private final LongSupplier calls;
    private final LongSupplier hits;
    private long beganNanos;
    /** Totals when the window began, and when the one before began. */
    private Totals atBegin;

    private Totals atBeginBefore;
    private long taken;
    private long takenBefore;

    /** @param paid calls answered without a node, less the fetches in place of such calls */
    private record Totals(long calls, long paid) {}

    /**
     * @param calls returns the number of clients' calls so far
     * @param hits returns the number of those that were answered without a node
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public PrefetchBudget(
            GatherConfig config, PrefetchMeters meters, LongSupplier calls, LongSupplier hits, LongSupplier clock) {
        this.enabled = config.enabled();

        this.meters = meters;
        this.calls = calls;
        this.hits = hits;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
        this.atBegin = totals();
        this.atBeginBefore = atBegin;
    }

    private Totals totals() {
        return new Totals(calls.getAsLong(), hits.getAsLong() - meters.instead());
    }

    /** Takes one call out of the budget, and counts it; returns false if none is left. */
    public boolean tryTake() {
        return tryTake(1);
    }

    /** Takes calls out of the budget, and counts them; returns false if not all of them are left. */
    public boolean tryTake(int count) {
        boolean allowed = enabled && isAllowed(count);
        if (allowed) {
            meters.countExtra(count);
        } else {
            meters.countRefused();
        }
        return allowed;
    }

    /** Returns whether fetches in place of clients' calls lately answered at least these calls. */
    synchronized boolean pays() {
        turn();
        return totals().paid() - atBeginBefore.paid() >= -UNPAID / 2;
    }

    private synchronized boolean isAllowed(int count) {
        turn();
        if (takenBefore + taken + count > most(totals())) {
            return false;
        }
        taken += count;
        return true;
    }

    private long most(Totals now) {
        long share = (now.calls() - atBeginBefore.calls()) * PERCENT;
        long paid = now.paid() - atBeginBefore.paid();
        return Math.min(share / 100 + BESIDE_PERCENT, Math.max(UNPAID, share / 300) + paid);
    }

    private void turn() {
        long passed = clock.getAsLong() - beganNanos;
        if (passed >= WINDOW_NANOS) {
            boolean next = passed < 2 * WINDOW_NANOS;
            Totals now = totals();
            atBeginBefore = next ? atBegin : now;
            atBegin = now;
            takenBefore = next ? taken : 0;
            taken = 0;
            beganNanos += passed / WINDOW_NANOS * WINDOW_NANOS;
        }
    }
}
