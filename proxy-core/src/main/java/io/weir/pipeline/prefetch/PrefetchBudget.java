package io.weir.pipeline.prefetch;

import io.weir.config.NetworkConfig.GatherConfig;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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
    private final LongAdder calls = new LongAdder();
    private long beganNanos;
    private long callsBefore;
    private long taken;
    private long takenBefore;

    /**
     * Begins a first window.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public PrefetchBudget(GatherConfig config, PrefetchMeters meters, LongSupplier clock) {
        this.enabled = config.enabled();
        this.percent = config.budgetPercent();
        this.meters = meters;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
    }

    /** Counts a call of a client. */
    void countCall() {
        calls.increment();
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
        long most = (callsBefore + calls.sum()) * percent / 100 + ALWAYS;
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
            callsBefore = next ? calls.sumThenReset() : 0;
            takenBefore = next ? taken : 0;
            if (!next) {
                calls.reset();
            }
            taken = 0;
            beganNanos += passed / WINDOW_NANOS * WINDOW_NANOS;
        }
    }
}
