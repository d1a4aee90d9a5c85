package io.weir.upstream.head;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Memory of who named the known head, and of the doubted nodes: those that named a head which no node had, or that have a branch of
 * their own. The heads of such a node count only if it shows them, until it has shown one. Thread-safe.
 */
final class HeadClaims {

    private final Set<HeadNode> doubted = ConcurrentHashMap.newKeySet();
    private volatile Claim highest = new Claim(-1, null);

    /**
     * The highest head that counts. Immutable.
     *
     * @param node the node whose word it rests on; null if the block was shown
     */
    private record Claim(long number, @Nullable HeadNode node) {}

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

    /** Notes that a node has another block than the other nodes. */
    void differs(HeadNode node) {
        doubted.add(node);
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
