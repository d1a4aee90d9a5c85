package io.weir.devnet.chain;

import io.weir.ethereum.Hash32;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of the chain: the fixed history, and the last live ones after it, up to a number and a sum of sizes. There is one
 * branch only. Thread-safe; a block that is the head can be found by all its keys.
 */
public final class Chain {
    /** The chain's id. */
    public static final long ID = 1337;

    /** How far behind the head the block of the tag {@code safe} is. */
    public static final long SAFE_DEPTH = 32;

    /** How far behind the head the block of the tag {@code finalized} is. */
    public static final long FINALIZED_DEPTH = 64;

    private final Map<Long, ChainBlock> byNumber = new ConcurrentHashMap<>();
    private final Map<Hash32, ChainBlock> byHash = new ConcurrentHashMap<>();
    private final Map<Hash32, Place> transactions = new ConcurrentHashMap<>();
    private final Deque<ChainBlock> live = new ArrayDeque<>();
    private final int maxLiveBlocks;
    private final long maxLiveBytes;
    private long liveBytes;
    private volatile ChainBlock head;

    /** The position of a transaction. */
    public record Place(ChainBlock block, MinedTransaction transaction) {}

    /** A chain of a history, oldest block first, and no live block yet. */
    public Chain(List<ChainBlock> history, int maxLiveBlocks, long maxLiveBytes) {
        history.forEach(this::index);
        head = history.get(history.size() - 1);
        this.maxLiveBlocks = maxLiveBlocks;
        this.maxLiveBytes = maxLiveBytes;
    }

    /** Appends the block after the head, and lets go of the oldest live ones over the bounds. */
    public synchronized void append(ChainBlock block) {
        if (!block.header().parentHash().equals(head.hash())) {
            throw new IllegalArgumentException(
                    "parent: " + block.header().parentHash() + " (expected: the head " + head.hash() + ")");
        }
        index(block);
        live.addLast(block);
        liveBytes += block.sizeBytes();
        head = block;
        while (live.size() > 1 && (live.size() > maxLiveBlocks || liveBytes > maxLiveBytes)) {
            ChainBlock oldest = live.removeFirst();
            liveBytes -= oldest.sizeBytes();
            forget(oldest);
        }
    }

    /** The newest block. */
    public ChainBlock head() {
        return head;
    }

    /** The block of a number, or null where there is none (yet, or no more: {@link #isForgotten}). */
    public @Nullable ChainBlock byNumber(long number) {
        return number > head.number() ? null : byNumber.get(number);
    }

    /** Whether there was a block of this number that is no longer kept. */
    public boolean isForgotten(long number) {
        return number >= 0 && number <= head.number() && !byNumber.containsKey(number);
    }

    /** The block of a hash, or null where there is none. */
    public @Nullable ChainBlock byHash(Hash32 hash) {
        return byHash.get(hash);
    }

    /** Returns the position of a mined transaction, or null if it is in no block. */
    public @Nullable Place transaction(Hash32 hash) {
        return transactions.get(hash);
    }

    private void index(ChainBlock block) {
        byNumber.put(block.number(), block);
        byHash.put(block.hash(), block);
        for (MinedTransaction mined : block.transactions()) {
            transactions.put(mined.sent().hash(), new Place(block, mined));
        }
    }

    private void forget(ChainBlock block) {
        byNumber.remove(block.number());
        byHash.remove(block.hash());
        block.transactions().forEach(mined -> transactions.remove(mined.sent().hash()));
    }
}
