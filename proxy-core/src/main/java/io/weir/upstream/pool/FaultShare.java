package io.weir.upstream.pool;

import io.weir.config.Ejection;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Share of one node's attempts that failed lately. Finds a node that fails often, but never several times in a row. Confined to
 * the lock of its owner.
 */
final class FaultShare {

    private static final int WHOLE = 100;

    /** Time over which the share is counted: what lies further back says little about the next call. */
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int percent;
    private final int minCalls;
    private final LongSupplier answers;
    private final LongSupplier clock;
    private long beganNanos;
    private long answersBefore;
    private int faults;

    /**
     * @param answers returns the number of good answers that the node has given
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    FaultShare(Ejection.Rules rules, LongSupplier answers, LongSupplier clock) {
        this.percent = rules.faultPercent();
        this.minCalls = rules.minCalls();
        this.answers = answers;
        this.clock = clock;
        begin();
    }

    /** Forgets all attempts. */
    void begin() {
        beganNanos = clock.getAsLong();
        answersBefore = answers.getAsLong();
        faults = 0;
    }

    /** Notes a fault. Returns whether too large a share of the attempts since the beginning of the window failed. */
    boolean fault() {
        if (clock.getAsLong() - beganNanos > WINDOW_NANOS) {
            begin();
        }
        faults++;
        long attempts = attempts();
        return percent > 0 && attempts >= minCalls && (long) WHOLE * faults >= percent * attempts;
    }

    /** Returns the number of attempts since the beginning of the window. */
    long attempts() {
        return faults + answers.getAsLong() - answersBefore;
    }

    /** Returns the number of those that failed. */
    int faults() {
        return faults;
    }
}
