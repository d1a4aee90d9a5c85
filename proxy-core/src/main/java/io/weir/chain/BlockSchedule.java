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

    private static final double GROWTH = 1.5;
    private static final int MAX_GROWTHS = 12;

    private final long pollMinNanos;
    private final BlockTime blockTime;
    private long head = -1;
    private long dueNanos;
    private long lastAskedNanos;
    private long roseNanos;
    /** Whether the due time rests on an arrival. */
    private boolean inPhase;
    /** Polls since the due time that found no block. */
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
        this.dueNanos = nowNanos;
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
        boolean sighted = arrived && isBracketed(askedNanos);
        // Without a poll shortly before, the block may have arrived at any time. Polls then follow until the next one
        // comes.
        dueNanos = sighted ? arrival(askedNanos) + blockNanos() : askedNanos;
        misses = sighted ? 0 : 1;
        inPhase = sighted;
        head = number;
        roseNanos = askedNanos;
        lastAskedNanos = askedNanos;
    }

    /** Returns whether far more blocks came than the block time allows. */
    private boolean isFaster(long blocks, long askedNanos) {
        return blockNanos() > SHORT_NANOS && blocks > 2 + 2 * (askedNanos - roseNanos) / blockNanos();
    }

    /** Returns whether it is known about when a new block arrived: it was due, or a poll shortly before did not find it. */
    private boolean isBracketed(long askedNanos) {
        boolean polled = blockNanos() == 0 || askedNanos - lastAskedNanos < blockNanos() / 2;
        return polled || isDue(askedNanos);
    }

    private boolean isDue(long askedNanos) {
        return inPhase && askedNanos - dueNanos <= blockNanos() / 2;
    }

    /** Returns the time at which a new block is taken to have arrived: near the earliest of the recent ones. */
    private long arrival(long askedNanos) {
        if (!isDue(askedNanos)) {
            // At any time since the poll before.
            return askedNanos - (askedNanos - lastAskedNanos) * 3 / 4;
        }
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
        lastAskedNanos = askedNanos;
        if (blockNanos() == 0 || askedNanos - dueNanos >= 0) {
            misses++;
        }
        while (blockNanos() > 0 && askedNanos - (dueNanos + blockNanos()) >= 0) {
            // A slot without a block: the next one is due.
            dueNanos += blockNanos();
            misses = 1;
        }
    }

    /** Returns whether polls found no new head for more than a number of block times; false if the block time is unknown. */
    public boolean isOverdue(long blocks) {
        return blockNanos() > 0 && lastAskedNanos - roseNanos > blocks * blockNanos();
    }

    /** Returns when to poll next. */
    public long nextPollNanos() {
        long earliest = lastAskedNanos + pollMinNanos;
        return later(wanted(earliest), earliest);
    }

    private long wanted(long earliest) {
        if (announces) {
            return later(dueNanos, lastAskedNanos) + graceNanos();
        }
        if (blockNanos() == 0) {
            return lastAskedNanos + Math.min(UNKNOWN_NANOS, grown(misses));
        }
        if (blockNanos() <= SHORT_NANOS) {
            return lastAskedNanos + blockNanos();
        }
        if (misses == 0) {
            return dueNanos;
        }
        long next = lastAskedNanos + grown(Math.max(0, misses - EVEN_POLLS));
        return Math.min(next, later(dueNanos + blockNanos(), earliest));
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
