package io.weir.upstream.head;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Comparison of the blocks that nodes show at the height of the head. Honest nodes may differ for a block or two. A node that
 * repeatedly is the only one with its block, while at least two others have the same one, has a branch of its own. Confined to the
 * monitor's event loop.
 */
final class Branches {

    /** Heights in a row at which a node was alone with its block. */
    private static final int MAX_ALONE = 2;

    /** Nodes with the same block, beside which another one is wrong. */
    private static final int MAJORITY = 2;

    private final Consumer<HeadNode> alone;
    private final Map<HeadNode, String> hashes = new HashMap<>();
    /** The last height at which a node was alone with its block, and how often in a row it was. */
    private final Map<HeadNode, Alone> rows = new HashMap<>();

    private long height = -1;

    private record Alone(long height, int times) {}

    /** @param alone receives each node that has a branch of its own */
    Branches(Consumer<HeadNode> alone) {
        this.alone = alone;
    }

    /** Notes the block that a node showed as its newest. */
    void shown(HeadNode node, BlockAnswer block) {
        if (block.hash().isEmpty() || block.number() < height) {
            return;
        }
        if (block.number() > height) {
            height = block.number();
            hashes.clear();
        }
        hashes.put(node, block.hash());
        hashes.forEach((shower, hash) -> {
            if (have(hash) >= MAJORITY) {
                rows.remove(shower);
            } else if (hashes.values().stream().anyMatch(other -> have(other) >= MAJORITY)) {
                count(shower);
            }
        });
    }

    private long have(String hash) {
        return hashes.values().stream().filter(hash::equals).count();
    }

    private void count(HeadNode node) {
        Alone before = rows.get(node);
        if (before != null && before.height() == height) {
            return;
        }
        int times = before == null ? 1 : before.times() + 1;
        rows.put(node, new Alone(height, times));
        if (times >= MAX_ALONE) {
            alone.accept(node);
        }
    }
}
