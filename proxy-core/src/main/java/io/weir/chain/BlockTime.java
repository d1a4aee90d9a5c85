package io.weir.chain;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Time between the blocks of a chain, measured over the newest ones. Slots without a block are recognised and do not count. A chain
 * whose blocks come irregularly has no block time. Not thread-safe.
 */
final class BlockTime {

    /** Number of blocks over which the time is measured. */
    private static final int MAX_SIGHTS = 32;

    /** A longer pause says nothing about the block time: nobody looked, or the chain mines on demand. */
    private static final long MAX_GAP_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** From this block time on, timestamps tell it better than arrivals, and a slot may have no block. In seconds. */
    private static final double SLOTTED = 4;

    /** Share of the usual step by which the steps of a regular chain may differ, between the first and the third quartile. */
    private static final double MAX_SPREAD = 0.5;

    /** Fewer steps show no rhythm. */
    private static final int MIN_STEPS = 3;

    /** In fewer steps, a second more or less counts. */
    private static final int FEW_STEPS = 12;

    /** A longer block time is no rhythm that calls can wait for. */
    private static final double MAX_SECONDS = 60;

    private static final double MAX_FACTOR = 1.6;
    private static final long UNKNOWN = -1;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Deque<Sight> sights = new ArrayDeque<>();
    private final long hintNanos;
    private long pastNanos;
    private long nanos;

    /**
     * First sight of a block. Immutable.
     *
     * @param timestamp in seconds since 1970; {@link #UNKNOWN} if not told
     * @param arrived whether the block was new at that time
     */
    private record Sight(long number, long timestamp, long seenNanos, boolean arrived) {}

    BlockTime(long hintNanos) {
        this.hintNanos = hintNanos;
        this.nanos = hintNanos;
    }

    /** Notes the block time of earlier blocks. It counts until the chain has shown its own pace. */
    void past(long pastNanos) {
        this.pastNanos = pastNanos <= MAX_SECONDS * NANOS ? pastNanos : 0;
        measure();
    }

    /** Forgets what was measured, because the chain has another pace now. */
    void forget() {
        sights.clear();
        pastNanos = 0;
    }

    /** Returns the block time in nanoseconds; 0 if unknown. */
    long nanos() {
        return nanos;
    }

    /**
     * Notes the first sight of a block.
     *
     * @param arrived whether it was new at that time, and higher than the block before
     */
    void seen(long number, long nowNanos, boolean arrived) {
        Sight last = sights.peekLast();
        boolean broken = last != null && nowNanos - last.seenNanos() > MAX_GAP_NANOS;
        // A first head that is known by its number alone would keep the times of later blocks from counting.
        if (!arrived || broken || (last != null && !last.arrived() && last.timestamp() == UNKNOWN)) {
            sights.clear();
        }
        sights.addLast(new Sight(number, UNKNOWN, nowNanos, arrived && !broken));
        if (sights.size() > MAX_SIGHTS) {
            sights.removeFirst();
        }
        measure();
    }

    /** Notes the time of the block that was seen last, in seconds since 1970. */
    void timestamp(long number, long seconds) {
        Sight last = sights.peekLast();
        if (last != null && last.number() == number && last.timestamp() == UNKNOWN) {
            sights.removeLast();
            sights.addLast(new Sight(number, seconds, last.seenNanos(), last.arrived()));
            measure();
        }
    }

    private void measure() {
        if (sights.isEmpty()) {
            nanos = hintNanos;
            return;
        }
        boolean timed = sights.stream().allMatch(sight -> sight.timestamp() != UNKNOWN);
        double told = timed ? measure(Sight::timestamp) : 0;
        double bySeconds = told > 0 && isPlausible(told) ? told : 0;
        double byArrivals = bySeconds >= SLOTTED ? 0 : measureArrivals();
        // Polls at long intervals see arrivals too late to tell a rhythm.
        double measured = byArrivals > 0 ? byArrivals : bySeconds;
        long known = hintNanos == 0 && sights.size() <= MIN_STEPS + 1 ? pastNanos : hintNanos;
        nanos = measured > 0 && measured <= MAX_SECONDS ? (long) (measured * NANOS) : known;
    }

    /** Returns whether a block time by timestamps fits the time that has passed: some chains count otherwise than in seconds. */
    private boolean isPlausible(double seconds) {
        Sight first = sights.getFirst();
        Sight last = sights.getLast();
        double passed = (last.seenNanos() - first.seenNanos()) / NANOS / (last.number() - first.number());
        return seconds < passed * MAX_FACTOR && passed < seconds * MAX_FACTOR;
    }

    private double measureArrivals() {
        Sight first = sights.getFirst();
        if (first.arrived()) {
            return measure(sight -> (sight.seenNanos() - first.seenNanos()) / NANOS);
        }
        sights.removeFirst();
        double measured = sights.isEmpty() ? 0 : measure(sight -> (sight.seenNanos() - first.seenNanos()) / NANOS);
        sights.addFirst(first);
        return measured;
    }

    /** Returns the mean time of a slot, in seconds; 0 if it cannot be told. */
    private double measure(ToDoubleFunction<Sight> seconds) {
        double[] steps = new double[sights.size() - 1];
        double[] gaps = new double[steps.length];
        long[] blocks = new long[steps.length];
        int count = 0;
        @Nullable Sight before = null;
        for (Sight sight : sights) {
            if (before != null) {
                gaps[count] = seconds.applyAsDouble(sight) - seconds.applyAsDouble(before);
                blocks[count] = sight.number() - before.number();
                steps[count] = gaps[count] / blocks[count];
                count++;
            }
            before = sight;
        }
        if (count < MIN_STEPS) {
            return 0;
        }
        double[] sorted = steps.clone();
        Arrays.sort(sorted);
        double usual = sorted[count / 4];
        if (sorted[count * 3 / 4] - usual > usual * MAX_SPREAD) {
            return 0;
        }
        double same = usualAmongFew(sorted);
        if (same > 0) {
            return same;
        }
        double slots = 0;
        for (int i = 0; i < count; i++) {
            slots += blocks[i] * (usual < SLOTTED ? 1 : Math.max(1, Math.rint(steps[i] / usual)));
        }
        return Arrays.stream(gaps).sum() / slots;
    }

    /**
     * Returns the step that most of a few steps have; 0 if there is none. A timestamp in seconds is up to a second off, which counts
     * in the mean of a few steps.
     */
    private static double usualAmongFew(double[] sorted) {
        double middle = sorted[sorted.length / 2];
        long equal = Arrays.stream(sorted).filter(step -> step == middle).count();
        return sorted.length < FEW_STEPS && middle >= SLOTTED && 3 * equal >= 2L * sorted.length ? middle : 0;
    }
}
