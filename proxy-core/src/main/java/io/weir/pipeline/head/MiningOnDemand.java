package io.weir.pipeline.head;

import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.verify.ChainFamily;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of whether one network's nodes mine a transaction as soon as they get it, as development nodes do. Thread-safe.
 *
 * <ul>
 *   <li>With the chain id of development nodes, they always do.
 *   <li>On a chain with a configured block time they do not.
 *   <li>On another chain they do until the heads that nodes name show the contrary. An accepted transaction without a block
 *       soon after it counts most. A new block without a transaction before it counts less.
 *   <li>They do again after a long row of accepted transactions, each with a new block soon after it. With each error the row
 *       must be longer. Such a row shows nothing on a chain with a short block time, which has a new block soon after anything, and
 *       it ends if the chain has clearly more or fewer blocks than transactions were accepted.
 * </ul>
 *
 * <p>Nodes are not asked for it. Only a head that calls needed, shortly before a transaction and shortly after it, counts.
 */
public final class MiningOnDemand implements HeadListener {

    /** Nanoseconds around a transaction. A block that comes later shows nothing. */
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Doubts from which on the nodes do not mine on demand. */
    private static final int MAX_DOUBTS = 24;

    /** Blocks by which a chain may become shorter without a node that began anew. */
    private static final int MAX_REPLACED = 16;

    private static final int MISS = 8;
    private static final int FOREIGN_BLOCK = 4;

    /** Transactions in a row, each with a block, after which nodes are known to mine on demand. */
    static final int FIRST_ROW = 32;

    private static final int MAX_ROW = 4096;
    private static final int GROWTH = 4;

    /** Blocks by which a row may differ from its transactions, and the part of them by which it may differ beside. */
    private static final int ROW_SLACK = 2;

    private static final int ROW_SLACK_PART = 4;

    /** Nanoseconds for which a transaction waits for its block, and at least while nodes mine none at once after all. */
    static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final boolean always;
    private final LongSupplier clock;
    private volatile boolean active;
    private volatile boolean certain;
    private volatile long waitNanos = MAX_WAIT_NANOS;
    private volatile Runnable rollback = () -> {};
    private int doubts;
    private int row;
    /** The head when the row began, and the number of transactions accepted since. */
    private long rowHead;

    private int rowAccepted;
    private int neededRow = FIRST_ROW;
    /** The transaction that awaits its block; null if there is none. */
    private @Nullable Sent awaited;

    private long answeredNanos;
    private long promptedNanos;
    private long confirmedNanos;
    private boolean confirmed;
    /** Number of transactions that are not answered yet. */
    private int open;

    /** Whether the head was confirmed after the effects of all transactions. */
    private boolean quiet;

    /**
     * A transaction on its way to nodes. Immutable.
     *
     * @param head the number of the head before it was sent
     * @param beganNanos when it was sent
     * @param often whether blocks come so often that one comes soon after anything
     */
    public record Sent(long head, long beganNanos, boolean often) {}

    /**
     * Creates a memory without experience.
     *
     * @param chainId in decimal if it is a number
     * @param blockTimeKnown whether a time between blocks is configured
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public MiningOnDemand(String chainId, boolean blockTimeKnown, LongSupplier clock) {
        this.always = ChainFamily.isOfDevelopers(chainId);
        this.certain = always;
        this.active = always || !blockTimeKnown;
        this.clock = clock;
        this.promptedNanos = clock.getAsLong() - HeadTracker.SETTLE_NANOS;
    }

    /** Returns whether a node may have mined a transaction that it accepted. */
    boolean isActive() {
        return active;
    }

    /** Returns whether nodes are known to mine on demand, so that even a refused transaction may be in a block. */
    boolean isCertain() {
        return certain;
    }

    /** Returns for how long an accepted transaction waits for its block before the client gets its hash; 0 if it does not. */
    long waitNanos() {
        return certain ? waitNanos : 0;
    }

    /** Notes whether a transaction was in a block in that time. The node of a developer who mines by hand has none at once. */
    synchronized void waited(boolean mined) {
        waitNanos = mined ? Math.min(MAX_WAIT_NANOS, 4 * waitNanos) : Math.max(MIN_WAIT_NANOS, waitNanos / 8);
    }

    /**
     * Notes that a transaction is sent.
     *
     * @param head the number of the known head
     * @param blockNanos the time between blocks; 0 if they follow no known schedule
     */
    synchronized Sent begin(long head, long blockNanos) {
        promptedNanos = clock.getAsLong();
        quiet = false;
        open++;
        return new Sent(head, promptedNanos, blockNanos > 0 && blockNanos < 2 * WINDOW_NANOS);
    }

    /**
     * Notes that a node accepted a transaction.
     *
     * @param head the number of the known head now
     */
    synchronized void accepted(Sent sent, long head) {
        long now = clock.getAsLong();
        ended();
        rowAccepted++;
        boolean headKnown = confirmed && sent.beganNanos() - confirmedNanos <= WINDOW_NANOS;
        if (always || awaited != null || !headKnown || now - sent.beganNanos() > WINDOW_NANOS) {
            return;
        }
        if (head > sent.head()) {
            mined(sent, head);
        } else {
            awaited = sent;
            answeredNanos = now;
        }
    }

    /** Notes that a transaction was answered, whatever the answer. Until then it may be mined at any time. */
    synchronized void ended() {
        open = Math.max(0, open - 1);
        promptedNanos = clock.getAsLong();
        quiet = false;
    }

    /** Sets the action for a chain that lost blocks, or may have, and with them the transactions in them. */
    public void whenRolledBack(Runnable action) {
        rollback = action;
    }

    /** Notes that a node changed its chain by hand, as only development nodes do. */
    synchronized void changedByHand() {
        active = true;
        certain = true;
        doubts = 0;
        rollback.run();
    }

    @Override
    public synchronized void rose(long number) {
        if (always) {
            return;
        }
        if (awaited != null && clock.getAsLong() - answeredNanos <= WINDOW_NANOS) {
            Sent sent = awaited;
            awaited = null;
            mined(sent, number);
        } else if (quiet) {
            foreignBlock();
        }
    }

    @Override
    public synchronized void confirmed(long number, long beganNanos) {
        if (always) {
            return;
        }
        confirmed = true;
        confirmedNanos = beganNanos;
        if (awaited != null && beganNanos - answeredNanos >= HeadTracker.SETTLE_NANOS) {
            boolean missing = number <= awaited.head();
            awaited = null;
            if (missing) {
                missed();
            }
        }
        quiet = open == 0 && beganNanos - promptedNanos >= HeadTracker.SETTLE_NANOS;
    }

    @Override
    public synchronized void wentBack(long from, long to) {
        awaited = null;
        quiet = false;
        // On other chains the transactions of replaced blocks wait for a block again.
        if (active || from - to > MAX_REPLACED) {
            rollback.run();
        }
    }

    private void mined(Sent sent, long head) {
        if (active) {
            doubts = Math.max(0, doubts - 1);
        } else if (row == 0 || sent.often() || !isBlockForEach(head)) {
            row = sent.often() ? 0 : 1;
            rowHead = head;
            rowAccepted = 0;
        } else if (++row >= neededRow) {
            active = true;
            certain = true;
            doubts = 0;
        }
    }

    /** Returns whether there were about as many blocks as accepted transactions since the row began. */
    private boolean isBlockForEach(long head) {
        long difference = Math.abs(head - rowHead - rowAccepted);
        return difference <= ROW_SLACK + open + rowAccepted / ROW_SLACK_PART;
    }

    private void missed() {
        if (active) {
            doubt(MISS);
        }
        row = 0;
    }

    private void foreignBlock() {
        if (active) {
            doubt(FOREIGN_BLOCK);
        } else {
            row = Math.max(0, row - FOREIGN_BLOCK);
        }
    }

    private void doubt(int weight) {
        doubts += weight;
        if (doubts >= MAX_DOUBTS) {
            if (certain) {
                neededRow = Math.min(MAX_ROW, neededRow * GROWTH);
            }
            active = false;
            certain = false;
            row = 0;
        }
    }
}
