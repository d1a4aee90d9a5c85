package io.weir.pipeline.prefetch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many fetches beyond what clients asked for there may be: a share of the calls, over this window of time and the one before,
 * and some whatever the calls. Thread-safe.
 */
final class PrefetchBudget {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** In a window, however little is asked. */
    static final int ALWAYS = 10;

    private final int percent;
    private final LongSupplier clock;
    private final LongAdder calls = new LongAdder();
    private long beganNanos;
    private long callsBefore;
    private long taken;
    private long takenBefore;

    /** @param percent of the calls; 0 is none at all */
    PrefetchBudget(int percent, LongSupplier clock) {
        this.percent = percent;
        this.clock = clock;
        this.beganNanos = clock.getAsLong();
    }

    /** Notes a call of a client. */
    void countCall() {
        calls.increment();
    }

    /** Takes one fetch out of the budget; whether there was one. */
    synchronized boolean tryTake() {
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
