package io.weir.bench.subscription.chain;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A chain that grows and reorganises while nodes serve it. Its history is a sequence of heads: a node that lags shows an earlier
 * one. Thread-safe; one thread adds.
 */
public final class ForkingChain implements KnownChain {

    /** The chain's id. */
    public static final long CHAIN_ID = 1;

    /** Heads that lagging nodes can still show. */
    public static final int MAX_LAG = 15;

    /** Blocks behind a head that are final. */
    public static final int FINAL_DEPTH = 64;

    private final RandomGenerator random;
    private final List<Body> bodies;
    private final long blocksKept;
    private final Map<String, Block> byHash = new ConcurrentHashMap<>();
    private final ArrayDeque<Block> newest = new ArrayDeque<>();
    private final ArrayDeque<Block> inOrder = new ArrayDeque<>();
    private long serial;
    private int event;
    private volatile Block head;

    /**
     * Makes a chain.
     *
     * @param first the number of blocks that it begins with
     * @param blocksKept older blocks are forgotten
     */
    public ForkingChain(long seed, int first, long blocksKept) {
        this.random = new Random(seed);
        this.bodies = Body.some(seed);
        this.blocksKept = blocksKept;
        this.head = add(null);
        newest.add(head);
        for (int i = 1; i < first; i++) {
            extend(1);
        }
    }

    @Override
    public Block head() {
        return head;
    }

    @Override
    public @Nullable Block find(String hash) {
        return byHash.get(hash);
    }

    /** Returns a head of the history; the oldest known one if it lies further back. */
    public synchronized Block earlier(int lag) {
        Block at = newest.getLast();
        var heads = newest.descendingIterator();
        for (int i = 0; i <= lag && heads.hasNext(); i++) {
            at = heads.next();
        }
        return at;
    }

    /** Adds blocks to the head, of which the last one is the next head. */
    public synchronized Block extend(int count) {
        return grow(head, count);
    }

    /**
     * Replaces blocks.
     *
     * @param depth the number of blocks that are dropped
     * @param count the number of blocks that take their place
     */
    public synchronized Block reorganise(int depth, int count) {
        Block base = head;
        for (int i = 0; i < depth; i++) {
            Block before = base.parent();
            if (before == null) {
                throw new IllegalArgumentException("depth: " + depth + " (expected: < blocks of the chain)");
            }
            base = before;
        }
        return grow(base, count);
    }

    /** Makes a dropped branch canonical again by adding a block to its tip. */
    public synchronized Block returnTo(Block tip, int count) {
        return grow(tip, count);
    }

    private Block grow(Block base, int count) {
        event++;
        Block top = base;
        for (int i = 0; i < count; i++) {
            top = add(top);
        }
        head = top;
        newest.add(top);
        if (newest.size() > MAX_LAG + 1) {
            newest.remove();
        }
        return top;
    }

    private Block add(@Nullable Block parent) {
        Block block = MadeBlock.of(parent, event, serial++, bodies.get(random.nextInt(bodies.size())));
        byHash.put(block.hash(), block);
        inOrder.add(block);
        if (inOrder.size() > blocksKept) {
            byHash.remove(inOrder.remove().hash());
            inOrder.element().forgetParent();
        }
        return block;
    }
}
