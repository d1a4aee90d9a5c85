package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.KnownHead;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which the head that a node names counts. No single node's word moves the head far, unless all others have the first block only.
 * Pure: a decision depends on the witnesses, the known head and the time alone, and changes nothing. Thread-safe.
 *
 * <ul>
 *   <li>A head up to the known one counts.
 *   <li>A head that exceeds the highest head of the other nodes by at most the tolerated lag counts.
 *   <li>A head that is several blocks ahead sooner than the chain can grow waits; see {@link Witness}.
 *   <li>Any other head must be shown: the node must have that block, and its parents must lead to a block of another node.
 *       If that block is too far away, and there is only one other node, or the others have the first block only, the nodes must have
 *       an old block in common, and the times of both blocks decide.
 *   <li>If no other node is in line, a step counts that is plausible for the time passed. Any other step must be shown.
 *   <li>The first head counts at once only on a network of one node, or if it is near the head of another node.
 *   <li>A doubted node must show its head until it has shown one, and one that alone named its newest block must show that a higher one
 *       leads to it. A head above the block up to which its node is believed waits for another node, or is shown once no head counts for
 *       four block times.
 * </ul>
 *
 * <p>Only nodes that may receive calls now count. The expected time between blocks is measured. {@code highestOther} is the highest head of the
 * other nodes that are in line; -1 if there is none.
 */
final class HeadRules {

    /** Maximum number of blocks between a shown head and the known chain that are linked one by one. */
    static final int MAX_LINKS = 64;

    /** Evidence that a node must show for a head that does not count at once. */
    enum Proof {
        /** The block. */
        BLOCK,
        /** The block, and parents that lead to the head of another node. */
        LINKS,
        /** The block, and a time that is plausible after that of the other node's head. */
        TIMES,
        /** Nothing suffices, because several nodes are too far behind. */
        NONE
    }

    /** Factor by which a chain may be faster than expected. */
    private static final int FACTOR = 4;

    /** Part by which the chain may grow faster than its block time says. */
    private static final int SLACK_PART = 8;

    private static final long MIN_STILL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final List<Witness> witnesses;
    private final long maxLag;

    /**
     * State of the head at one moment, beside the words of nodes. Immutable.
     *
     * @param blockNanos the time between blocks; 0 if unknown
     * @param nanos the time
     */
    record Moment(KnownHead known, long blockNanos, long nanos) {}

    HeadRules(List<Witness> witnesses, long maxLag) {
        this.witnesses = witnesses;
        this.maxLag = maxLag;
    }

    /** Returns whether the network has one node, with whose blocks none can be compared. */
    boolean isAlone() {
        return witnesses.size() == 1;
    }

    List<Witness> ready() {
        return witnesses.stream().filter(Witness::ready).toList();
    }

    /** Returns those of the lowest tier. */
    List<Witness> preferred() {
        int lowest = lowestTier();
        return ready().stream().filter(one -> one.tier() == lowest).toList();
    }

    /** Returns the nodes of the lowest tier of which new blocks are heard; the others are not believed without these. */
    List<Witness> sources(KnownHead known, long now) {
        List<Witness> preferred = preferred();
        List<Witness> trusted = preferred.stream()
                .filter(one -> one.believed() == Long.MAX_VALUE)
                .toList();
        return trusted.isEmpty() || isStill(known, now) ? preferred : trusted;
    }

    @Nullable
    Witness witness(String id) {
        return witnesses.stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
    }

    List<Witness> beside(Witness witness) {
        return ready().stream().filter(other -> !other.equals(witness)).toList();
    }

    /** Returns whether the lowest tier has another node than this one. */
    boolean hasPeer(Witness witness) {
        return preferred().stream().anyMatch(other -> !other.equals(witness));
    }

    /** Returns whether each node was asked, and has answered or failed. */
    boolean isHeard() {
        return witnesses.stream().allMatch(Witness::isHeard);
    }

    /** Returns the lowest tier; the largest number if there is no node. */
    int lowestTier() {
        return ready().stream().mapToInt(Witness::tier).min().orElse(Integer.MAX_VALUE);
    }

    /** Returns the highest head that the others than a node named; -1 if there is none. */
    long highestBeside(Witness witness) {
        return beside(witness).stream().mapToLong(Witness::head).max().orElse(-1);
    }

    /**
     * Returns the highest head that the others than a node may have by now; -1 if there is none. Nodes of higher tiers are rarely
     * asked, so their heads are taken to grow with the chain.
     */
    private long expectedBeside(Witness witness, Moment now) {
        int lowest = lowestTier();
        long highest = -1;
        for (Witness other : beside(witness)) {
            if (other.head() >= 0) {
                boolean grows = now.blockNanos() > 0 && other.tier() > lowest;
                long grown = grows ? (now.nanos() - other.headNanos()) / now.blockNanos() : 0;
                highest = Math.max(highest, other.head() + grown + grown / SLACK_PART);
            }
        }
        return highest;
    }

    /** Returns whether another node must name a block before it counts. Nobody waits if all are distrusted. */
    boolean waits(Witness witness, long block) {
        return block > witness.believed() && preferred().stream().anyMatch(other -> other.believed() == Long.MAX_VALUE);
    }

    /** Returns whether nothing is against a head that a node names, unless it comes early and need not be linked. */
    boolean counts(Witness witness, long head, Moment now) {
        return !waits(witness, head)
                && (!witness.mustShow() || beside(witness).isEmpty())
                && counts(now.known(), head, expectedBeside(witness, now), now.nanos())
                && !isBetween(now.known(), head, highestBeside(witness));
    }

    /** Returns whether a head counts without being shown. */
    boolean counts(KnownHead known, long claim, long highestOther, long now) {
        if (claim <= known.top()) {
            return true;
        }
        if (highestOther >= 0) {
            // A node that is far behind must not be the first to be believed.
            return claim - maxLag <= highestOther && (known.top() >= 0 || claim + maxLag >= highestOther);
        }
        return known.top() < 0 ? isAlone() : isPlausible(known, claim, now);
    }

    private boolean isPlausible(KnownHead known, long claim, long now) {
        double expected = (now - known.topNanos()) / known.pace().blockNanos();
        return (double) claim - known.top() <= maxLag + FACTOR * expected;
    }

    /**
     * Returns whether a head is far above the known one, and far below that of another node, which does not count itself and so confirms
     * nothing.
     */
    boolean isBetween(KnownHead known, long claim, long highestOther) {
        return known.top() >= 0 && claim - maxLag > known.top() && highestOther - maxLag > claim;
    }

    /** Returns whether a node with a peer names a head sooner than the chain can have it. */
    boolean isEarly(Witness witness, long head, Moment now) {
        return hasPeer(witness) && isEarly(head, expectedBeside(witness, now), now);
    }

    /**
     * Returns whether a head is several blocks above those of the other nodes, and more above the known one than the time since that one
     * allows.
     */
    boolean isEarly(long claim, long highestOther, Moment now) {
        KnownHead known = now.known();
        if (now.blockNanos() == 0 || known.top() < 0 || highestOther < 0) {
            return false;
        }
        long blocks = (now.nanos() - known.topNanos()) / now.blockNanos();
        return claim - 1 > Math.max(highestOther, known.top() + blocks + blocks / SLACK_PART);
    }

    /** Returns whether no head counted for much longer than the expected time between blocks. */
    boolean isStill(KnownHead known, long now) {
        return now - known.topNanos()
                > Math.max((double) MIN_STILL_NANOS, FACTOR * known.pace().blockNanos());
    }

    /** Returns the block to which a node must show that a head leads; null if there is none. */
    @Nullable
    BlockLink tip(Witness witness, long head) {
        Witness.Tip tip = witness.tip();
        long links = tip == null ? 0 : head - tip.block().number();
        return tip != null && links > 0 && links <= MAX_LINKS && hasPeer(witness) ? tip.block() : null;
    }

    /** Returns whether a block is the next one of a node, which an answer named, and nothing is against it. */
    boolean isNext(Witness witness, long block) {
        Witness.Tip tip = witness.tip();
        return tip == null || (block <= tip.block().number() + 1 && !tip.passed()) || !hasPeer(witness);
    }

    /** Returns whether a height may be compared. One that nobody reaches soon would displace those in use. */
    static boolean isNear(KnownHead known, long number) {
        return number <= known.top() + MAX_LINKS;
    }

    /**
     * Returns up to which block a node is believed that left a block which no other node ever named.
     *
     * @param number the block that it left
     * @param before the block below it that the node named as its newest and did not leave; -1 if there is none
     */
    long believedWithout(Witness witness, long number, long before) {
        long kept = before < 0 ? Math.min(number - 1, highestBeside(witness)) : before;
        return Math.min(witness.believed(), kept);
    }

    /** Returns up to which block a node is believed after another one named a block of it too. */
    long believedWith(Witness witness, long number, KnownHead known, long now) {
        long believed = witness.believed();
        if (!witness.isDistrusted(now)) {
            return Long.MAX_VALUE;
        }
        boolean more = believed == Long.MAX_VALUE ? number >= known.top() : number > believed;
        return more ? number : believed;
    }

    /**
     * Returns what a node must show for a head that does not count at once.
     *
     * @param others the number of these nodes
     */
    static Proof proof(long claim, long highestOther, int others) {
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
    boolean isPlausible(long ahead, long seconds, long links, long linkSeconds) {
        double blockSeconds = links > 0 && linkSeconds > 0
                ? (double) linkSeconds / links
                : (double) KnownHead.FIRST_BLOCK_NANOS / TimeUnit.SECONDS.toNanos(1);
        return ahead <= maxLag + FACTOR * Math.max(0, seconds) / blockSeconds;
    }
}
