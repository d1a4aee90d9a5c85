package io.weir.subscription.chain;

import io.weir.chain.BlockLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Newest blocks that a stream has told, each the parent of the next. Never empty. Confined to one thread. */
final class ToldChain {

    private final int max;
    private final Deque<BlockLink> blocks = new ArrayDeque<>();
    private final Map<String, BlockLink> byHash = new HashMap<>();
    private boolean evicted;

    /** @param max the maximum number of blocks */
    ToldChain(BlockLink start, int max) {
        this.max = max;
        push(start);
    }

    boolean has(String hash) {
        return byHash.containsKey(hash);
    }

    BlockLink top() {
        return blocks.getLast();
    }

    BlockLink lowest() {
        return blocks.getFirst();
    }

    /** Returns whether blocks that were told have been forgotten. */
    boolean isCut() {
        return evicted;
    }

    boolean isFull() {
        return blocks.size() >= max;
    }

    /** Adds the parent of the lowest block, which nobody was told of. */
    void extendBelow(BlockLink parent) {
        blocks.addFirst(parent);
        byHash.put(parent.hash(), parent);
    }

    /** Removes the blocks above one, or all, and returns them, the newest first. */
    List<BlockLink> dropAbove(String hash) {
        List<BlockLink> dropped = new ArrayList<>();
        while (!blocks.isEmpty() && !blocks.getLast().hash().equals(hash)) {
            BlockLink block = blocks.removeLast();
            byHash.remove(block.hash());
            dropped.add(block);
        }
        return dropped;
    }

    /** Adds a child of the newest block. */
    void push(BlockLink block) {
        blocks.addLast(block);
        byHash.put(block.hash(), block);
        if (blocks.size() > max) {
            byHash.remove(blocks.removeFirst().hash());
            evicted = true;
        }
    }
}
