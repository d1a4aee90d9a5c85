package io.weir.chain;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Rules by which the head that a node names counts. No single node's word moves the head far, unless all others have the first block
 * only. Thread-safe.
 *
 * <ul>
 *   <li>A head up to the known one counts.
 *   <li>A head that exceeds the highest head of the other nodes by at most the tolerated lag counts.
 *   <li>A head that is several blocks ahead sooner than the chain can grow waits; see {@code HeadClaims}.
 *   <li>Any other head must be shown: the node must have that block, and its parents must lead to a block of another node.
 *       If that block is too far away, and there is only one other node, or the others have the first block only, the nodes must have
 *       an old block in common, and the times of both blocks decide.
 *   <li>If no other node is in line, a step counts that is plausible for the time passed. Any other step must be shown.
 *   <li>The first head counts at once only on a network of one node, or if it is near the head of another node.
 * </ul>
 *
 * <p>The known head here is the highest one that counted, of whatever tier. The expected time between blocks is measured.
 */
public final class HeadAgreement {

    /** Maximum number of blocks between a shown head and the known chain that are linked one by one. */
    public static final int MAX_LINKS = 64;

    /** Evidence that a node must show for a head that does not count at once. */
    public enum Proof {
        /** The block. */
        BLOCK,
        /** The block, and parents that lead to the head of another node. */
        LINKS,
        /** The block, and a time that is plausible after that of the other node's head. */
        TIMES,
        /** Nothing suffices, because several nodes are too far behind. */
        NONE
    }

    /** Nanoseconds between blocks until the chain has shown its own pace. */
    static final long FIRST_BLOCK_NANOS = TimeUnit.SECONDS.toNanos(12);

    /** Factor by which a chain may be faster than expected. */
    static final int FACTOR = 4;

    /** Part by which the chain may grow faster than its block time says. */
    private static final int SLACK_PART = 8;

    private static final long MIN_STILL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MIN_PACE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MIN_BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double MAX_BLOCK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final long maxLag;
    private final int nodes;
    private final LongSupplier clock;
    private long top = -1;
    private long confirmed = -1;
    private long topNanos;
    private long paceNumber;
    private long paceNanos;
    private double blockNanos = FIRST_BLOCK_NANOS;

    /**
     * Creates rules without a known head.
     *
     * @param maxLag blocks by which a node may be ahead of all others
     * @param nodes the number of the network's nodes, whether reachable or not
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public HeadAgreement(long maxLag, int nodes, LongSupplier clock) {
        this.maxLag = maxLag;
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Returns the highest head that counted; -1 if none did. */
    public synchronized long top() {
        return top;
    }

    /**
     * Returns whether a head counts without being shown.
     *
     * @param highestOther the highest head of the other nodes that are in line; -1 if there is none
     */
    public synchronized boolean counts(long claim, long highestOther) {
        if (claim <= top) {
            return true;
        }
        if (highestOther >= 0) {
            // A node that is far behind must not be the first to be believed.
            return claim - maxLag <= highestOther && (top >= 0 || claim + maxLag >= highestOther);
        }
        return top < 0 ? nodes == 1 : isPlausible(claim);
    }

    /**
     * Returns whether a head is far above the known one, and far below that of another node, which does not count itself and so confirms
     * nothing.
     */
    public synchronized boolean isBetween(long claim, long highestOther) {
        return top >= 0 && claim - maxLag > top && highestOther - maxLag > claim;
    }

    /**
     * Returns whether a head is several blocks above those of the other nodes, and more above the known one than the time since that one
     * allows.
     *
     * @param highestOther the highest head of the other nodes that are in line; -1 if there is none
     * @param blockNanos the time between blocks; 0 if unknown
     */
    public synchronized boolean isEarly(long claim, long highestOther, long blockNanos) {
        if (blockNanos == 0 || top < 0 || highestOther < 0) {
            return false;
        }
        long blocks = (clock.getAsLong() - topNanos) / blockNanos;
        return claim - 1 > Math.max(highestOther, top + blocks + blocks / SLACK_PART);
    }

    /**
     * Returns what a node must show for a head that does not count at once.
     *
     * @param highestOther the highest head of the other nodes that are in line; -1 if there is none
     * @param others the number of these nodes
     */
    public Proof proof(long claim, long highestOther, int others) {
        if (others == 0 || claim <= highestOther) {
            return Proof.BLOCK;
        }
        if (claim - highestOther <= MAX_LINKS) {
            return Proof.LINKS;
        }
        // Nodes with the first block only have not begun: they know no better.
        return others == 1 || highestOther == 0 ? Proof.TIMES : Proof.NONE;
    }

    /**
     * Returns whether a head that is too far ahead to be linked is plausible by the times of blocks.
     *
     * @param ahead blocks between the head of the other node and this one
     * @param seconds between these two blocks
     * @param links blocks below the head of the other node, whose times show the pace of the chain; may be 0
     * @param linkSeconds between the first and the last of them
     */
    public boolean isPlausible(long ahead, long seconds, long links, long linkSeconds) {
        double blockSeconds = links > 0 && linkSeconds > 0
                ? (double) linkSeconds / links
                : (double) FIRST_BLOCK_NANOS / TimeUnit.SECONDS.toNanos(1);
        return ahead <= maxLag + FACTOR * Math.max(0, seconds) / blockSeconds;
    }

    private boolean isPlausible(long claim) {
        double expected = (clock.getAsLong() - topNanos) / blockNanos;
        return (double) claim - top <= maxLag + FACTOR * expected;
    }

    /** Returns the highest head that two nodes reached, or that a node has shown; -1 if there is none. */
    public synchronized long confirmed() {
        return confirmed;
    }

    /** Notes a head that two nodes reached, or that a node has shown. */
    public synchronized void confirm(long head) {
        confirmed = Math.max(confirmed, head);
    }

    /** Returns whether no head counted for much longer than the expected time between blocks. */
    public synchronized boolean isStill() {
        return clock.getAsLong() - topNanos > Math.max((double) MIN_STILL_NANOS, FACTOR * blockNanos);
    }

    /** Notes a head that counts. */
    public synchronized void accept(long claim) {
        if (claim <= top) {
            return;
        }
        long now = clock.getAsLong();
        if (top < 0) {
            paceNumber = claim;
            paceNanos = now;
        } else if (now - paceNanos >= MIN_PACE_NANOS) {
            double measured = (now - paceNanos) / Math.max(1.0, (double) claim - paceNumber);
            double bounded = Math.min(MAX_BLOCK_NANOS, Math.max(MIN_BLOCK_NANOS, measured));
            blockNanos = (blockNanos + bounded) / 2;
            paceNumber = claim;
            paceNanos = now;
        }
        top = claim;
        topNanos = now;
    }

    /** Notes that the chain went back to a block. */
    public synchronized void wentBack(long to) {
        top = to;
        confirmed = Math.min(confirmed, to);
        topNanos = clock.getAsLong();
        paceNumber = to;
        paceNanos = topNanos;
    }
}
