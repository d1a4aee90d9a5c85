package io.weir.upstream.head;

import java.util.List;
import java.util.function.LongSupplier;

/** Nodes of a pool that may receive calls now, and their heads. Thread-safe, except for {@link #whenHeard}. */
final class ReadyNodes {

    /** Part by which the chain may grow faster than its measured block time says. */
    private static final int SLACK_PART = 8;

    private final List<? extends HeadNode> nodes;
    private final LongSupplier clock;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    ReadyNodes(List<? extends HeadNode> nodes, LongSupplier clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Returns the nodes. */
    List<HeadNode> ready() {
        return nodes.stream()
                .filter(HeadNode::ready)
                .<HeadNode>map(node -> node)
                .toList();
    }

    /** Returns whether each node was asked, and has answered or failed. */
    boolean isHeard() {
        return nodes.stream().allMatch(HeadNode::isHeard);
    }

    /** Returns those of the lowest tier. */
    List<HeadNode> preferred() {
        int lowest = lowestTier();
        return ready().stream().filter(node -> node.tier() == lowest).toList();
    }

    /** Returns the others than a node. */
    List<HeadNode> beside(HeadNode node) {
        return ready().stream().filter(other -> !other.equals(node)).toList();
    }

    /** Returns whether the lowest tier has another node than this one. */
    boolean hasPeer(HeadNode node) {
        return preferred().stream().anyMatch(other -> !other.equals(node));
    }

    /** Returns the lowest tier; the largest number if there is no node. */
    int lowestTier() {
        int lowest = Integer.MAX_VALUE;
        for (HeadNode node : nodes) {
            if (node.ready()) {
                lowest = Math.min(lowest, node.tier());
            }
        }
        return lowest;
    }

    /** Returns the highest head that the others than a node named; -1 if there is none. */
    long highestBeside(HeadNode node) {
        return expectedBeside(node, 0);
    }

    /**
     * Returns the highest head that the others than a node may have by now; -1 if there is none. Nodes of higher tiers are rarely
     * asked, so their heads are taken to grow with the chain.
     *
     * @param blockNanos the time between blocks; 0 if unknown
     */
    long expectedBeside(HeadNode node, long blockNanos) {
        int lowest = lowestTier();
        long now = clock.getAsLong();
        long highest = -1;
        for (HeadNode other : nodes) {
            if (!other.equals(node) && other.ready() && other.head() >= 0) {
                boolean grows = blockNanos > 0 && other.tier() > lowest;
                long grown = grows ? (now - other.headNanos()) / blockNanos : 0;
                highest = Math.max(highest, other.head() + grown + grown / SLACK_PART);
            }
        }
        return highest;
    }

    /** Runs an action once nodes were asked for their heads that were not heard from lately. */
    void whenHeard(Runnable action) {
        long now = clock.getAsLong();
        List<HeadNode> silent = ready().stream()
                .filter(node -> now - node.headNanos() > ClaimCheck.PAUSE_NANOS)
                .toList();
        int[] open = {silent.size()};
        silent.forEach(node -> node.askHead(head -> {
            if (--open[0] == 0) {
                action.run();
            }
        }));
        if (silent.isEmpty()) {
            action.run();
        }
    }
}
