package io.weir.upstream.pool;

import io.weir.config.Ejection;
import io.weir.upstream.latency.LatencyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Consecutive faults of one node in each class of calls. A node that fails all calls of one class, such as traces, while it answers
 * others, comes after all other nodes for that class. After a time one call tries again. The time doubles with each trial that
 * fails, and a good answer of the class ends it. The node stays in the pool: if all nodes fail the class, all serve it. Thread-safe.
 */
final class ClassFaults {

    private static final int MAX_DOUBLINGS = 30;

    private final int max;
    private final IntUnaryOperator random;
    private final LongSupplier clock;
    private final List<Series> classes = new ArrayList<>();
    private volatile boolean anyLeft;

    /** Series of faults in one class. Guarded by the whole record, apart from the volatile members. */
    private static final class Series {
        volatile int faults;
        volatile boolean left;
        boolean trial;
        long untilNanos;
        int times;
        String last = "";
    }

    /**
     * @param random returns a number from 0 to its argument, exclusive; thread-safe
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    ClassFaults(Ejection.Rules rules, IntUnaryOperator random, LongSupplier clock) {
        this.max = rules.faults();
        this.random = random;
        this.clock = clock;
        for (int i = 0; i < LatencyClass.values().length; i++) {
            classes.add(new Series());
        }
    }

    @SuppressWarnings("EnumOrdinal") // The list has one element for each class, in their order.
    private Series series(LatencyClass of) {
        return classes.get(of.ordinal());
    }

    /** Notes a good answer. */
    void answered(LatencyClass of) {
        Series series = series(of);
        if (series.faults != 0) {
            end(series);
        }
    }

    private synchronized void end(Series series) {
        series.faults = 0;
        series.times = 0;
        series.left = false;
        anyLeft = classes.stream().anyMatch(one -> one.left);
    }

    /** Notes a fault. Returns whether the node is left for the class because of it. */
    synchronized boolean fault(LatencyClass of, String detail) {
        Series series = series(of);
        series.faults++;
        series.last = detail;
        if (max == 0 || series.faults < max || (series.left && !series.trial)) {
            return false;
        }
        long delay = ReturnDelay.doubled(ReturnDelay.EJECTION_NANOS, series.times, ReturnDelay.MAX_EJECTION_NANOS);
        series.untilNanos = clock.getAsLong() + ReturnDelay.shortened(delay, random);
        series.times = Math.min(series.times + 1, MAX_DOUBLINGS);
        series.trial = false;
        series.left = true;
        anyLeft = true;
        return true;
    }

    /** Forgets all faults. */
    void begin() {
        classes.forEach(this::end);
    }

    /** Returns whether calls of a class go to other nodes first. A call that tries again is told that they do not. */
    boolean isLeft(LatencyClass of) {
        return anyLeft && series(of).left && !mayTry(series(of));
    }

    private synchronized boolean mayTry(Series series) {
        long now = clock.getAsLong();
        if (now - series.untilNanos < 0) {
            return false;
        }
        // The others wait for what that one finds, or for this time if it went elsewhere.
        series.untilNanos = now + ReturnDelay.EJECTION_NANOS;
        series.trial = true;
        return true;
    }

    /** Returns the classes that the node is left for and why, for the status; empty if there are none. */
    synchronized String detail() {
        StringBuilder text = new StringBuilder();
        for (LatencyClass of : LatencyClass.values()) {
            Series series = series(of);
            if (series.left) {
                text.append(text.isEmpty() ? "" : "; ")
                        .append("comes last for calls of the class ")
                        .append(of.name().toLowerCase(Locale.ROOT))
                        .append(" after ")
                        .append(series.faults)
                        .append(" faults in a row, the last: ")
                        .append(series.last);
            }
        }
        return text.toString();
    }
}
