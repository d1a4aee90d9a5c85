package io.weir.pipeline.cache;

import com.codahale.metrics.Counter;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The budget of the proxy's own calls that no client waits for, over the current time window and the one before: a percentage of the
 * clients' calls and ten more. They must pay: a third of the percentage is allowed before that, or four if that is more. Each call that
 * was answered without a node allows one more. Counts these calls, and the waits for them. Thread-safe.
 */
final class PrefetchBudget {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The calls in percent of the clients' calls: little for the nodes, and enough for each block of programs that read a chain. */
    private static final int PERCENT = 10;

    /** The calls beside the percentage. */
    static final int BESIDE_PERCENT = 10;

    /** The calls that are allowed even if none of them ever pays. */
    static final int UNPAID = 4;

    private final boolean enabled;

    private final Counter instead;
    private final Counter extra;
    private final Counter refused;
    private final Counter waits;
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
    PrefetchBudget(
            GatherConfig config,
            Meters meters,
            String network,
            LongSupplier calls,
            LongSupplier hits,
            LongSupplier clock) {
        this.enabled = config.enabled();
        this.instead = meters.counter(Meter.PREFETCHES, network, "instead");
        this.extra = meters.counter(Meter.PREFETCHES, network, "extra");
        this.refused = meters.counter(Meter.PREFETCHES, network, "over_budget");
        this.waits = meters.counter(Meter.PREFETCH_WAITS, network);
        this.calls = calls;
        this.hits = hits;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
        this.atBegin = totals();
        this.atBeginBefore = atBegin;
    }

    private Totals totals() {
        return new Totals(calls.getAsLong(), hits.getAsLong() - instead.getCount());
    }

    /** Takes one call out of the budget, and counts it; returns false if none is left. */
    boolean tryTake() {
        return tryTake(1);
    }

    /** Takes calls out of the budget, and counts them; returns false if not all of them are left. */
    boolean tryTake(int count) {
        boolean allowed = enabled && isAllowed(count);
        if (allowed) {
            extra.inc(count);
        } else {
            refused.inc();
        }
        return allowed;
    }

    /** Returns whether fetches in place of clients' calls lately answered at least these calls. */
    synchronized boolean pays() {
        turn();
        return totals().paid() - atBeginBefore.paid() >= -UNPAID / 2;
    }

    /** Counts a fetch in place of a client's call. */
    void countInstead() {
        instead.inc();
    }

    /** Counts a call that waits for a fetch. */
    void countWait() {
        waits.inc();
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
