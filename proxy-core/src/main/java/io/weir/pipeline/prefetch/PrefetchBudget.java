package io.weir.pipeline.prefetch;

import io.weir.config.NetworkConfig.GatherConfig;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The budget of extra fetches: a percentage of the clients' calls, over the current time window and the one before. Ten per window
 * are always allowed; 0 percent allows none. Thread-safe.
 */
public final class PrefetchBudget {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The fetches in a window that are allowed without any calls. */
    static final int ALWAYS = 10;

    private final boolean enabled;
    private final int percent;
    private final PrefetchMeters meters;
    private final LongSupplier clock;
    private final LongSupplier calls;
    private long beganNanos;
    /** Calls until the window began, and until the one before began. */
    private long callsAtBegin;

    private long callsAtBeginBefore;
    private long taken;
    private long takenBefore;

    /**
     * Begins a first window.
     *
     * @param calls returns the number of clients' calls so far
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public PrefetchBudget(GatherConfig config, PrefetchMeters meters, LongSupplier calls, LongSupplier clock) {
        this.enabled = config.enabled();
        this.percent = config.budgetPercent();
        this.meters = meters;
        this.calls = calls;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
        this.callsAtBegin = calls.getAsLong();
        this.callsAtBeginBefore = callsAtBegin;
    }

    /** Takes one fetch out of the budget, and counts it; returns false if none is left. */
    public boolean tryTake() {
        boolean allowed = enabled && isAllowed();
        if (allowed) {
            meters.countExtra();
        } else {
            meters.countRefused();
        }
        return allowed;
    }

    private synchronized boolean isAllowed() {
        turn();
        long most = (calls.getAsLong() - callsAtBeginBefore) * percent / 100 + ALWAYS;
        if (percent == 0 || takenBefore + taken >= most) {
            return false;
        }
        taken++;
        return true;
    }

    private void turn() {
        long passed = clock.getAsLong() - beganNanos;
        if (passed >= WINDOW_NANOS) {
            boolean next = passed < 2 * WINDOW_NANOS;
            long now = calls.getAsLong();
            callsAtBeginBefore = next ? callsAtBegin : now;
            callsAtBegin = now;
            takenBefore = next ? taken : 0;
            taken = 0;
            beganNanos += passed / WINDOW_NANOS * WINDOW_NANOS;
        }
    }
}
