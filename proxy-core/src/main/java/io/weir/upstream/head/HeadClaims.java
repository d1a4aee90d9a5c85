package io.weir.upstream.head;

import io.weir.chain.HeadAgreement;
import io.weir.limit.Backoff;
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
 *   <li>Distrusted nodes left a block that no other node ever named. For some time the blocks of such a node count only once another one
 *       has named them too.
 * </ul>
 */
final class HeadClaims implements Branches.Listener {

    /** Nanoseconds for which a node is distrusted after it left a block. */
    private static final long DISTRUST_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final HeadAgreement agreement;
    private final Runnable doubt;
    private final LongSupplier clock;
    private final Backoff<HeadNode> distrusted = new Backoff<>(DISTRUST_NANOS, 0, DISTRUST_NANOS);
    private final Set<HeadNode> doubted = ConcurrentHashMap.newKeySet();
    private volatile Claim highest = new Claim(-1, null);

    /**
     * The highest head that counts. Immutable.
     *
     * @param node the node whose word it rests on; null if the block was shown
     */
    private record Claim(long number, @Nullable HeadNode node) {}

    /** @param doubt runs when the highest head turns out to rest on the word of a distrusted node */
    HeadClaims(HeadAgreement agreement, Runnable doubt, LongSupplier clock) {
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
    public void left(HeadNode node, long number) {
        distrusted.failed(node, false, clock.getAsLong());
        node.believe(Math.min(node.believed(), number - 1));
        if (node.equals(highest.node())) {
            doubt.run();
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
}
