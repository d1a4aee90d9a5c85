package io.weir.upstream.head;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadListener;
import io.weir.upstream.head.Witness.BlockAnswer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the blocks that nodes show as their newest. A node that shows a block names all its ancestors. Confined to the monitor's
 * event loop.
 *
 * <ul>
 *   <li>Honest nodes may differ for a block or two. A node that repeatedly is the only one with its block, while at least two others have
 *       the same one, has a branch of its own.
 *   <li>A node leaves a block by naming another one at that height, or a descendant of another one. If no other node ever named the block
 *       that it left, that one was made up, or came too late at the others.
 *   <li>A node that alone named its newest block must show that a higher one leads to it, if nobody knows the blocks between them. Else it
 *       could name one made-up block after the other, and never be seen to leave one.
 * </ul>
 */
final class Branches implements HeadListener {

    /** Heights in a row at which a node was alone with its block. */
    private static final int MAX_ALONE = 2;

    /** Nodes with the same block, beside which another one is wrong. */
    private static final int MAJORITY = 2;

    /** Heights that are remembered, and blocks of one: a chain that is set back again and again has others there each time. */
    private static final int MAX_HEIGHTS = 256;

    private final List<Witness> witnesses;
    private final Listener listener;
    private final TreeMap<Long, Map<String, Named>> heights = new TreeMap<>();
    private long namings;

    /** Listener of what the comparison shows. */
    interface Listener {

        /**
         * Handles that a node has left a block which no other node ever named.
         *
         * @param before the block below it that the node named as its newest and did not leave; -1 if there is none
         */
        void left(Witness node, long number, long before);

        /** Handles that a node and another one named the same block. */
        void agreed(Witness node, long number);
    }

    /** A block, and the nodes that named it. */
    private static final class Named {

        /** With the order in which they named it. */
        private final Map<Witness, Long> nodes = new HashMap<>();

        /** The nodes whose newest block it was. */
        private final Set<Witness> newestOf = new HashSet<>();

        private String parentHash = "";

        /** Returns whether one node alone named it, before another one at that height. */
        boolean isOnlyOf(Witness node, long before) {
            return nodes.size() == 1 && nodes.getOrDefault(node, before) < before;
        }
    }

    Branches(List<Witness> witnesses, Listener listener) {
        this.witnesses = witnesses;
        this.listener = listener;
    }

    /** Notes the block that a node showed as its newest. */
    void shown(Witness node, BlockAnswer block) {
        if (block.hash().isEmpty()) {
            return;
        }
        Named named = named(block.number(), block.hash());
        named.newestOf.add(node);
        name(node, block.number(), named, ++namings);
        linked(block.number(), block.hash(), block.parentHash());
        compare(block.number());
        BlockLink tip = tip(node);
        if (tip == null || block.number() >= tip.number()) {
            node.unlinked = new BlockLink(block.number(), block.hash(), block.parentHash());
        }
        heights.headMap(heights.lastKey() - MAX_HEIGHTS).clear();
        follow();
    }

    /** Compares the heights above a block again, because the chain went back to it. */
    @Override
    public void wentBack(long from, long to) {
        heights.tailMap(to, false).clear();
        for (Witness node : witnesses) {
            node.notAlone(to);
            node.newest = above(node.newest, to) ? null : node.newest;
            node.unlinked = above(node.unlinked, to) ? null : node.unlinked;
        }
        follow();
    }

    private static boolean above(@Nullable BlockLink block, long number) {
        return block != null && block.number() > number;
    }

    /** Notes the parents of blocks. The nodes that named a block have named its parent and all ancestors. */
    void linked(List<BlockLink> blocks) {
        blocks.forEach(block -> linked(block.number(), block.hash(), block.parentHash()));
        follow();
    }

    private void linked(long number, String hash, String parentHash) {
        Named child = named(number, hash);
        child.parentHash = parentHash;
        for (long height = number - 1; height >= 0 && !child.parentHash.isEmpty(); height--) {
            Named parent = named(height, child.parentHash);
            Set<Witness> more = new HashSet<>(child.nodes.keySet());
            more.removeAll(parent.nodes.keySet());
            if (more.isEmpty()) {
                return;
            }
            for (Witness node : more) {
                name(node, height, parent, child.nodes.getOrDefault(node, 0L));
            }
            child = parent;
        }
    }

    /** Returns whether several nodes named a block. */
    boolean isAgreed(long number, String hash) {
        return at(number).getOrDefault(hash, new Named()).nodes.size() > 1;
    }

    /** Returns the highest block, up to a height, that several nodes named; null if there is none. */
    @Nullable
    BlockLink agreedUpTo(long number) {
        for (Map.Entry<Long, Map<String, Named>> height :
                heights.headMap(number, true).descendingMap().entrySet()) {
            for (Map.Entry<String, Named> block : height.getValue().entrySet()) {
                if (block.getValue().nodes.size() > 1) {
                    return new BlockLink(height.getKey(), block.getKey(), block.getValue().parentHash);
                }
            }
        }
        return null;
    }

    private Named named(long number, String hash) {
        Map<String, Named> blocks = heights.computeIfAbsent(number, key -> new HashMap<>());
        if (blocks.size() >= MAX_HEIGHTS) {
            blocks.values().removeIf(one -> one.nodes.isEmpty());
        }
        return blocks.computeIfAbsent(hash, key -> new Named());
    }

    /** @param order of the naming: what is learned late about an earlier one does not undo a later one */
    private void name(Witness node, long number, Named named, long order) {
        named.nodes.merge(node, order, Math::max);
        Map<String, Named> blocks = at(number);
        long last = blocks.values().stream()
                .mapToLong(one -> one.nodes.getOrDefault(node, 0L))
                .max()
                .orElse(order);
        if (blocks.values().removeIf(one -> one.isOnlyOf(node, last))) {
            listener.left(node, number, newestBelow(node, number));
        }
        if (named.nodes.size() > 1) {
            named.nodes.keySet().forEach(one -> listener.agreed(one, number));
        }
    }

    private long newestBelow(Witness node, long number) {
        return heights.headMap(number, false).descendingMap().entrySet().stream()
                .filter(height -> height.getValue().values().stream().anyMatch(one -> one.newestOf.contains(node)))
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(-1);
    }

    /** Takes higher blocks of nodes as their newest ones if they lead to those before, or if other nodes named these too. */
    private void follow() {
        for (Witness node : witnesses) {
            BlockLink before = tip(node);
            if (node.unlinked != null && (before == null || leads(node.unlinked, before))) {
                node.newest = node.unlinked;
                node.unlinked = null;
            }
        }
        for (Witness node : witnesses) {
            BlockLink tip = tip(node);
            node.alone(tip == null ? null : new Witness.Tip(tip, node.unlinked != null || isPassed(tip, node)));
        }
    }

    /** Returns the newest block of a node if the node alone named it; otherwise null. */
    private @Nullable BlockLink tip(Witness node) {
        BlockLink tip = node.newest;
        Named named = tip == null ? null : at(tip.number()).get(tip.hash());
        return named != null && named.nodes.size() == 1 ? tip : null;
    }

    private boolean leads(BlockLink block, BlockLink tip) {
        String hash = block.hash();
        for (long height = block.number(); height > tip.number(); height--) {
            Named named = at(height).get(hash);
            hash = named == null ? "" : named.parentHash;
        }
        return hash.equals(tip.hash());
    }

    /** Returns whether another node named a block as high as that one. */
    private boolean isPassed(BlockLink tip, Witness node) {
        return heights.tailMap(tip.number()).values().stream()
                .flatMap(blocks -> blocks.values().stream())
                .flatMap(one -> one.nodes.keySet().stream())
                .anyMatch(other -> !other.equals(node));
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
                block.nodes.keySet().forEach(node -> node.notAlone(-1));
            } else if (agreed) {
                block.nodes.keySet().stream()
                        .filter(node -> node.aloneAt(number) >= MAX_ALONE)
                        .forEach(node -> node.doubt(true));
            }
        }
    }
}
