package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls on one event loop that may get a second attempt if the first one is slow. All of them wait for about the same time, so a
 * queue and one timer are enough. Confined to its event loop.
 */
final class HedgeQueue {

    private final EventLoop loop;
    private final LongSupplier clock;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private boolean scheduled;

    /** A waiting call. Confined to its event loop. */
    static final class Entry {

        private final long dueNanos;
        private @Nullable Runnable hedge;

        private Entry(long dueNanos, Runnable hedge) {
            this.dueNanos = dueNanos;
            this.hedge = hedge;
        }

        /** Removes the call, which needs no second attempt. */
        void cancel() {
            hedge = null;
        }
    }

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    HedgeQueue(EventLoop loop, LongSupplier clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Returns whether it is the queue of a loop. */
    boolean isOf(EventLoop other) {
        return loop.equals(other);
    }

    /**
     * Adds a call.
     *
     * @param nanos the time until its second attempt
     * @param hedge begins the second attempt
     */
    Entry add(long nanos, Runnable hedge) {
        Entry entry = new Entry(clock.getAsLong() + nanos, hedge);
        entries.add(entry);
        schedule();
        return entry;
    }

    private void schedule() {
        if (!scheduled && !entries.isEmpty()) {
            scheduled = true;
            long left = entries.element().dueNanos - clock.getAsLong();
            loop.schedule(this::run, Math.max(0, left), TimeUnit.NANOSECONDS);
        }
    }

    private void run() {
        scheduled = false;
        long now = clock.getAsLong();
        for (Entry next = entries.peek(); next != null; next = entries.peek()) {
            Runnable hedge = next.hedge;
            if (hedge != null && next.dueNanos - now > 0) {
                break;
            }
            entries.remove();
            if (hedge != null) {
                hedge.run();
            }
        }
        schedule();
    }
}
