package io.weir.upstream.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.upstream.Attempt;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of the attempts of one event loop at one node. One timer serves all of them: nearly every attempt ends long before
 * its deadline, so a timer of its own would only be made and removed again. Confined to its event loop.
 */
public final class AttemptDeadlines {

    private final EventLoop loop;
    private final Supplier<List<Attempt>> attempts;
    private final Consumer<Attempt> late;
    private @Nullable ScheduledFuture<?> timer;
    /** When the timer runs: no attempt has an earlier deadline. */
    private long armedNanos;

    /**
     * Begins without attempts.
     *
     * @param attempts returns those that wait or are in flight, in a list of its own
     * @param late ends one whose deadline has passed
     */
    public AttemptDeadlines(EventLoop loop, Supplier<List<Attempt>> attempts, Consumer<Attempt> late) {
        this.loop = loop;
        this.attempts = attempts;
        this.late = late;
    }

    /**
     * Watches an attempt until it ends.
     *
     * @param leftNanos from now to the deadline
     */
    public void add(Attempt attempt, long deadlineNanos, long leftNanos) {
        attempt.endsBy(deadlineNanos);
        if (timer == null || deadlineNanos - armedNanos < 0) {
            close();
            arm(deadlineNanos, leftNanos);
        }
    }

    private void arm(long deadlineNanos, long leftNanos) {
        armedNanos = deadlineNanos;
        timer = loop.schedule(this::endLate, leftNanos, TimeUnit.NANOSECONDS);
    }

    private void endLate() {
        timer = null;
        long now = System.nanoTime();
        for (Attempt attempt : attempts.get()) {
            if (attempt.isBounded() && attempt.deadlineNanos() - now <= 0) {
                late.accept(attempt);
            }
        }
        Attempt next = null;
        for (Attempt attempt : attempts.get()) {
            if (attempt.isBounded() && (next == null || attempt.deadlineNanos() - next.deadlineNanos() < 0)) {
                next = attempt;
            }
        }
        if (next != null && (timer == null || next.deadlineNanos() - armedNanos < 0)) {
            close();
            arm(next.deadlineNanos(), next.deadlineNanos() - System.nanoTime());
        }
    }

    /** Stops the timer. */
    public void close() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
