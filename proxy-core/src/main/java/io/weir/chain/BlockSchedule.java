package io.weir.chain;

import java.util.concurrent.TimeUnit;

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

    /** Notes whether a node announces new blocks. */
    void announces(boolean on) {
        announces = on;
    }

    /** Returns whether a node announces new blocks. */
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

    /** Returns when to poll next. */
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
}
