package io.weir.chain;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of the polls that find a network's new heads. Predicts the arrival of the next block from the measured block time.
 * Not thread-safe.
 *
 * <ul>
 *   <li>Blocks that are a second or less apart are polled once in a block time.
 *   <li>Otherwise the first poll comes just after the next block is due. If it finds none, polls follow at short, growing
 *       intervals until the block after that one is due.
 *   <li>The due time follows the earliest of the recent arrivals. It moves earlier after a first poll that found the block, and
 *       later after others.
 *   <li>If the arrival of the last block is known only roughly, as after a pause, the polls divide the time in which the next
 *       one can come. Each block narrows it.
 *   <li>While the block time is unknown, polls follow at growing intervals too.
 *   <li>While a node announces its blocks, a poll comes only if an announcement is late by a grace period.
 * </ul>
 *
 * <p>All times are in nanoseconds on the clock of {@link System#nanoTime}.
 */
public final class BlockSchedule {

    /** Interval of the polls that follow a due time without a block. */
    static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Blocks at most this far apart are polled once in a block time. */
    static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Longest interval while the block time is unknown. */
    static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Least time by which an announcement must be late before a poll. */
    static final long MIN_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Most time by which an announcement must be late before a poll; also that between polls while the block time is unknown. */
    static final long MAX_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Polls after a due time before their interval grows. */
    private static final int EVEN_POLLS = 5;

    /** Polls in the time in which the next block can come, if that is long. */
    private static final int SEARCH_POLLS = 6;

    /** Longest time for which it is unknown when a block arrived. */
    private static final long MAX_SPREAD_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final double GROWTH = 1.5;
    private static final int MAX_GROWTHS = 12;

    private final long pollMinNanos;
    private final BlockTime blockTime;
    private long head = -1;
    private long lastAskedNanos;
    private long roseNanos;
    /** Whether the arrivals are known well enough to tell when the next block is due. */
    private boolean inPhase;
    /** When the next block is due; only if in phase. */
    private long dueNanos;
    /** For how long before it was seen the last block may have been there; only if not in phase. */
    private long spreadNanos;
    /** Slots without a block since the last block; only if not in phase. */
    private int slots;
    /** Polls that found no block after the time at which it had to come. */
    private int misses;

    private boolean announces;

    /**
     * Creates a schedule.
     *
     * @param pollMinNanos shortest interval of polls
     * @param hintNanos block time until one is measured; 0 if unknown
     * @param nowNanos the present
     */
    public BlockSchedule(long pollMinNanos, long hintNanos, long nowNanos) {
        this.pollMinNanos = pollMinNanos;
        this.blockTime = new BlockTime(hintNanos);
        this.lastAskedNanos = nowNanos;
        this.roseNanos = nowNanos;
    }

    /** Returns the block time; 0 if unknown. */
    public long blockNanos() {
        return blockTime.nanos();
    }

    void announces(boolean on) {
        announces = on;
    }

    boolean isAnnounced() {
        return announces;
    }

    /** Notes that a node announced a block, which arrived at that moment. */
    void announced(long number, long nanos) {
        rose(number, nanos);
        dueNanos = nanos + blockNanos();
        misses = 0;
        inPhase = true;
    }

    /**
     * Notes that a block was first seen, by a poll or in an answer.
     *
     * @param askedNanos when the node was asked that showed it
     */
    public void rose(long number, long askedNanos) {
        boolean arrived = head >= 0 && number > head;
        if (arrived && isFaster(number - head, askedNanos)) {
            blockTime.forget();
        }
        blockTime.seen(number, askedNanos, arrived);
        if (arrived && isDue(askedNanos)) {
            dueNanos = arrival(askedNanos) + blockNanos();
        } else {
            spreadNanos = arrived ? askedNanos - earliestArrival(number, askedNanos) : MAX_SPREAD_NANOS;
            inPhase = blockNanos() > 0 && spreadNanos <= 2 * RETRY_NANOS;
            dueNanos = askedNanos - spreadNanos * 3 / 4 + blockNanos();
            slots = 0;
        }
        misses = 0;
        head = number;
        roseNanos = askedNanos;
        lastAskedNanos = askedNanos;
    }

    /** Returns when a new block arrived at the earliest. */
    private long earliestArrival(long number, long askedNanos) {
        boolean searched = !inPhase && number == head + 1 && askedNanos - latestNanos() <= blockNanos() / 2;
        return searched ? later(earliestNanos(), lastAskedNanos) : lastAskedNanos;
    }

    /** Returns whether far more blocks came than the block time allows. */
    private boolean isFaster(long blocks, long askedNanos) {
        return blockNanos() > SHORT_NANOS && blocks > 2 + 2 * (askedNanos - roseNanos) / blockNanos();
    }

    private boolean isDue(long askedNanos) {
        return inPhase && blockNanos() > 0 && askedNanos - dueNanos <= blockNanos() / 2;
    }

    /** Returns when the next block comes at the earliest. */
    private long earliestNanos() {
        return inPhase ? dueNanos : latestNanos() - Math.min(spreadNanos, blockNanos());
    }

    /** Returns when the next block comes at the latest, if its slot has one. */
    private long latestNanos() {
        return inPhase ? dueNanos : roseNanos + (1 + slots) * blockNanos();
    }

    /** Returns the time at which a new block is taken to have arrived: near the earliest of the recent ones. */
    private long arrival(long askedNanos) {
        if (announces) {
            // The poll came late on purpose.
            return dueNanos;
        }
        long late = askedNanos - dueNanos;
        long step = Math.min(RETRY_NANOS, blockNanos() / 8);
        if (misses == 0) {
            // It may have been there for some time.
            return askedNanos - step / 2;
        }
        return dueNanos + (late > 8 * step ? late / 2 : Math.min(late, step) / 3);
    }

    /** Notes the time of the block that was seen last, in seconds since 1970. */
    public void timestamp(long number, long seconds) {
        long before = blockNanos();
        blockTime.timestamp(number, seconds);
        dueNanos += blockNanos() - before;
    }

    /** Notes the block time of earlier blocks, which counts until the chain has shown its own pace. */
    public void past(long blockNanos) {
        blockTime.past(blockNanos);
    }

    /** Notes a poll, asked at this time, that found the known head again. */
    public void unchanged(long askedNanos) {
        if (askedNanos - lastAskedNanos <= 0) {
            return;
        }
        // Nodes are asked for other reasons too, such as a transaction.
        if (askedNanos - nextPollNanos() >= 0 && askedNanos - latestNanos() >= 0) {
            misses++;
        }
        lastAskedNanos = askedNanos;
        while (blockNanos() > 0 && askedNanos - (earliestNanos() + blockNanos()) >= 0) {
            // A slot without a block: the next one is due.
            dueNanos += blockNanos();
            slots++;
            misses = inPhase ? 1 : 0;
        }
    }

    /** Returns whether polls found no new head for more than a number of block times; false if the block time is unknown. */
    public boolean isOverdue(long blocks) {
        return blockNanos() > 0 && lastAskedNanos - roseNanos > blocks * blockNanos();
    }

    public long nextPollNanos() {
        return later(wanted(), lastAskedNanos + pollMinNanos);
    }

    private long wanted() {
        if (announces) {
            return later(latestNanos(), lastAskedNanos) + graceNanos();
        }
        if (blockNanos() == 0) {
            return lastAskedNanos + Math.min(UNKNOWN_NANOS, grown(misses));
        }
        if (blockNanos() <= SHORT_NANOS) {
            return lastAskedNanos + blockNanos();
        }
        if (!inPhase && lastAskedNanos - latestNanos() < 0) {
            return Math.min(searched(), latestNanos());
        }
        if (misses == 0) {
            return latestNanos();
        }
        long next = lastAskedNanos + grown(Math.max(0, misses - EVEN_POLLS));
        return Math.min(next, earliestNanos() + blockNanos());
    }

    private long searched() {
        long step = Math.max(RETRY_NANOS, Math.min(spreadNanos, blockNanos()) / SEARCH_POLLS);
        return later(earliestNanos(), lastAskedNanos) + step;
    }

    private long graceNanos() {
        return blockNanos() == 0
                ? MAX_GRACE_NANOS
                : Math.max(MIN_GRACE_NANOS, Math.min(MAX_GRACE_NANOS, blockNanos() / 4));
    }

    private static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }

    private static long grown(int times) {
        return (long) (RETRY_NANOS * Math.pow(GROWTH, Math.min(times, MAX_GROWTHS)));
    }

    /**
     * Time between the blocks of a chain, measured over the newest ones. Slots without a block are recognised and do not count. A chain
     * whose blocks come irregularly has no block time. Not thread-safe.
     */
    private static final class BlockTime {

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
}
