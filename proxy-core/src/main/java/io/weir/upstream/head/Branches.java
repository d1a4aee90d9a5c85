package io.weir.upstream.head;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Comparison of the blocks that nodes show as their newest. A node that shows a block names all its ancestors. Confined to the monitor's
 * event loop.
 *
 * <ul>
 *   <li>Honest nodes may differ for a block or two. A node that repeatedly is the only one with its block, while at least two others have
 *       the same one, has a branch of its own.
 *   <li>A node leaves a block by naming another one at that height, which another node named too. If no other node ever named the block
 *       that it left, that one was made up, or came too late at the others.
 * </ul>
 */
final class Branches {

    /** Heights in a row at which a node was alone with its block. */
    private static final int MAX_ALONE = 2;

    /** Nodes with the same block, beside which another one is wrong. */
    private static final int MAJORITY = 2;

    /** Heights that are remembered. */
    private static final int MAX_HEIGHTS = 256;

    private final Listener listener;
    private final TreeMap<Long, Map<String, Named>> heights = new TreeMap<>();
    private long namings;
    /** The last height at which a node was alone with its block, and how often in a row it was. */
    private final Map<HeadNode, Alone> rows = new HashMap<>();

    /** Listener of what the comparison shows. */
    interface Listener {

        /** Handles that a node has a branch of its own. */
        void differs(HeadNode node);

        /** Handles that a node has left a block which no other node ever named. */
        void left(HeadNode node, long number);

        /** Handles that a node and another one named the same block. */
        void agreed(HeadNode node, long number);
    }

    private record Alone(long height, int times) {}

    /** A block, and the nodes that named it. */
    private static final class Named {

        /** With the order in which they named it. */
        private final Map<HeadNode, Long> nodes = new HashMap<>();

        private String parentHash = "";

        /** Returns whether one node alone named it, before a moment. */
        boolean isOnlyOf(HeadNode node, long before) {
            return nodes.size() == 1 && nodes.getOrDefault(node, before) < before;
        }
    }

    Branches(Listener listener) {
        this.listener = listener;
    }

    /** Notes the block that a node showed as its newest. */
    void shown(HeadNode node, BlockAnswer block) {
        if (block.hash().isEmpty()) {
            return;
        }
        name(node, block.number(), named(block.number(), block.hash()));
        linked(block.number(), block.hash(), block.parentHash());
        compare(block.number());
        heights.headMap(heights.lastKey() - MAX_HEIGHTS).clear();
    }

    /** Notes that the chain went back to a block. Heights above it are compared anew. */
    void wentBack(long number) {
        heights.tailMap(number, false).clear();
        rows.values().removeIf(row -> row.height() > number);
    }

    /** Notes the parent of a block. The nodes that named the block have named the parent and its ancestors. */
    void linked(long number, String hash, String parentHash) {
        Named child = named(number, hash);
        child.parentHash = parentHash;
        for (long height = number - 1; height >= 0 && !child.parentHash.isEmpty(); height--) {
            Named parent = named(height, child.parentHash);
            Set<HeadNode> more = new HashSet<>(child.nodes.keySet());
            more.removeAll(parent.nodes.keySet());
            if (more.isEmpty()) {
                return;
            }
            for (HeadNode node : more) {
                name(node, height, parent);
            }
            child = parent;
        }
    }

    /** Returns whether several nodes named a block. */
    boolean isAgreed(BlockAnswer block) {
        return named(block.number(), block.hash()).nodes.size() > 1;
    }

    private Named named(long number, String hash) {
        return heights.computeIfAbsent(number, key -> new HashMap<>()).computeIfAbsent(hash, key -> new Named());
    }

    private void name(HeadNode node, long number, Named named) {
        named.nodes.put(node, ++namings);
        if (named.nodes.size() > 1) {
            named.nodes.forEach((one, order) -> {
                if (at(number).values().removeIf(other -> other.isOnlyOf(one, order))) {
                    listener.left(one, number);
                }
                listener.agreed(one, number);
            });
        }
    }

    private Map<String, Named> at(long number) {
        return heights.getOrDefault(number, Map.of());
    }

    /** Counts the nodes that are alone with their blocks at a height. */
    private void compare(long number) {
        Map<String, Named> blocks = at(number);
        boolean agreed = blocks.values().stream().anyMatch(one -> one.nodes.size() >= MAJORITY);
        for (Named block : blocks.values()) {
            if (block.nodes.size() >= MAJORITY) {
                rows.keySet().removeAll(block.nodes.keySet());
            } else if (agreed) {
                block.nodes.keySet().forEach(node -> count(node, number));
            }
        }
    }

    private void count(HeadNode node, long height) {
        Alone before = rows.get(node);
        if (before != null && before.height() >= height) {
            return;
        }
        int times = before == null ? 1 : before.times() + 1;
        rows.put(node, new Alone(height, times));
        if (times >= MAX_ALONE) {
            listener.differs(node);
        }
    }
}
