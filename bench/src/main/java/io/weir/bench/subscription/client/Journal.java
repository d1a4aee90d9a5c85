package io.weir.bench.subscription.client;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The events of a run: faults, notifications, and the first violation. Thread-safe. */
public final class Journal {

    private static final int MAX_LINES = 400;

    private final long startNanos = System.nanoTime();
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final LongAdder notifications = new LongAdder();
    private final Histogram delays = new ConcurrentHistogram(TimeUnit.HOURS.toMicros(1), 3);
    private final CountDownLatch failed = new CountDownLatch(1);
    private @Nullable String violation;

    /** Adds a line. Only the newest ones are kept. */
    public synchronized void note(String line) {
        lines.add(stamped(line));
        if (lines.size() > MAX_LINES) {
            lines.remove();
        }
    }

    /** Returns a line with the time since the start before it. */
    public String stamped(String line) {
        return String.format(Locale.ROOT, "%9.3f s  %s", (System.nanoTime() - startNanos) / 1e9, line);
    }

    /** Returns the newest lines. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** Counts a notification about a block that was made at this time. */
    void notified(long madeNanos) {
        notifications.increment();
        delays.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - madeNanos)));
    }

    /** Keeps the first violation. */
    public synchronized void violated(String text) {
        if (violation == null) {
            violation = stamped(text);
            failed.countDown();
        }
    }

    /** Returns the first violation; null if there is none. */
    public synchronized @Nullable String violation() {
        return violation;
    }

    /** Waits for a violation and returns whether there is one. */
    public boolean awaitViolation(long millis) throws InterruptedException {
        return failed.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns how many notifications came. */
    public long notifications() {
        return notifications.sum();
    }

    /** Returns the time from a block to its notifications, in microseconds. */
    public Histogram delays() {
        return delays.copy();
    }

    /**
     * Prints how a run has ended.
     *
     * @param seed of the run
     * @param verbose whether the last events are printed in any case
     * @param logs where to look further
     * @return whether nothing was violated
     */
    public boolean report(PrintStream out, long seed, boolean verbose, String logs) {
        String text = violation();
        if (text == null) {
            if (verbose) {
                lines().forEach(out::println);
            }
            out.println("no gap, no duplicate, no wrong order, no missing removal, no client closed");
            return true;
        }
        out.println("the last events of the run:");
        lines().forEach(line -> out.println("  " + line));
        out.println(logs);
        out.println("VIOLATION, seed " + seed + ": " + text);
        return false;
    }
}
