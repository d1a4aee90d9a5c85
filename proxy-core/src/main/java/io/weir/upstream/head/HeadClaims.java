package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadAgreement;
import io.weir.limit.Backoff;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of who named the known head, and of nodes that were wrong about theirs. Thread-safe.
 *
 * <ul>
 *   <li>Doubted nodes named a head which no node had, or have a branch of their own. The heads of such a node count only if it shows them,
 *       until it has shown one.
 *   <li>Nodes that alone named their newest block must show that a higher one leads to it.
 *   <li>Early nodes named several blocks more than the chain can have by now. Such a head waits until another node names about as high a
 *       one, until its time has come, or for two block times. In these a node that makes up its heads leaves one.
 *   <li>Distrusted nodes left a block that no other node ever named. For some time the blocks of such a node count only once another one
 *       has named them too.
 * </ul>
 */
final class HeadClaims implements Branches.Listener {

    /** Nanoseconds for which a node is distrusted after it left a block. */
    private static final long DISTRUST_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Block times for which heads wait that come early. */
    private static final int EARLY_BLOCKS = 2;

    private final HeadAgreement agreement;
    private final ReadyNodes nodes;
    private final Runnable doubt;
    private final LongSupplier clock;
    private final Backoff<HeadNode> distrusted = new Backoff<>(DISTRUST_NANOS, 0, DISTRUST_NANOS);
    private final Set<HeadNode> doubted = ConcurrentHashMap.newKeySet();
    private final Map<HeadNode, Tip> tips = new ConcurrentHashMap<>();
    /** Since when nodes name heads that are early. */
    private final Map<HeadNode, Long> early = new ConcurrentHashMap<>();

    private volatile Claim highest = new Claim(-1, null);

    /**
     * The highest head that counts. Immutable.
     *
     * @param node the node whose word it rests on; null if the block was shown
     */
    private record Claim(long number, @Nullable HeadNode node) {}

    /** A block that its node alone named. Immutable. */
    private record Tip(BlockLink block, boolean passed) {}

    /** @param doubt runs when the highest head turns out to rest on the word of a distrusted node */
    HeadClaims(HeadAgreement agreement, ReadyNodes nodes, Runnable doubt, LongSupplier clock) {
        this.nodes = nodes;
        this.doubt = doubt;
        this.agreement = agreement;
        this.clock = clock;
    }

    /** Notes a head that counts on the word of a node. */
    void named(HeadNode node, long number) {
        if (number > highest.number()) {
            replace(new Claim(number, node));
        }
    }

    private synchronized void replace(Claim claim) {
        if (claim.number() > highest.number()) {
            highest = claim;
        }
    }

    /** Notes that a node has shown a head, and how it is linked to the chain of the others. */
    synchronized void shown(HeadNode node, long number) {
        doubted.remove(node);
        if (number >= highest.number()) {
            highest = new Claim(number, null);
        }
    }

    /** Notes that no node had this block. */
    void missing(long number) {
        Claim claim = highest;
        if (claim.number() == number && claim.node() != null) {
            doubted.add(claim.node());
        }
    }

    @Override
    public void differs(HeadNode node) {
        doubted.add(node);
    }

    @Override
    public void left(HeadNode node, long number, long before) {
        if (!nodes.hasPeer(node)) {
            return;
        }
        distrusted.failed(node, false, clock.getAsLong());
        long kept = before < 0 ? Math.min(number - 1, nodes.highestBeside(node)) : before;
        node.believe(Math.min(node.believed(), kept));
        if (node.equals(highest.node())) {
            doubt.run();
        }
    }

    @Override
    public void alone(HeadNode node, @Nullable BlockLink tip, boolean passed) {
        if (tip == null) {
            tips.remove(node);
        } else {
            tips.put(node, new Tip(tip, passed));
        }
    }

    @Override
    public void agreed(HeadNode node, long number) {
        long believed = node.believed();
        if (!distrusted.holds(node, clock.getAsLong())) {
            node.believe(Long.MAX_VALUE);
        } else if (believed == Long.MAX_VALUE ? number >= agreement.top() : number > believed) {
            node.believe(number);
        }
    }

    /** Notes that the chain went back to a block. */
    synchronized void wentBack(long number) {
        if (highest.number() > number) {
            highest = new Claim(number, null);
        }
    }

    /** Returns whether a node must show its head, whatever it is. */
    boolean mustShow(HeadNode node) {
        return !doubted.isEmpty() && doubted.contains(node);
    }

    /** Returns the block to which a node must show that a head leads; null if there is none. */
    @Nullable
    BlockLink tip(HeadNode node, long head) {
        Tip tip = tips.get(node);
        long links = tip == null ? 0 : head - tip.block().number();
        return tip != null && links > 0 && links <= HeadAgreement.MAX_LINKS && nodes.hasPeer(node) ? tip.block() : null;
    }

    /** Returns whether a block is the next one of a node, which an answer named, and nothing is against it. */
    boolean isNext(HeadNode node, long block) {
        Tip tip = tips.get(node);
        return tip == null || (block <= tip.block().number() + 1 && !tip.passed()) || !nodes.hasPeer(node);
    }

    /**
     * Returns whether a head waits because it comes early.
     *
     * @param highestOther the highest head of the other nodes; -1 if there is none
     * @param blockNanos the time between blocks; 0 if unknown
     */
    boolean isEarly(HeadNode node, long head, long highestOther, long blockNanos) {
        if (!nodes.hasPeer(node) || !agreement.isEarly(head, highestOther, blockNanos)) {
            early.remove(node);
            return false;
        }
        long now = clock.getAsLong();
        Long since = early.putIfAbsent(node, now);
        return since == null || now - since < EARLY_BLOCKS * blockNanos;
    }
}
