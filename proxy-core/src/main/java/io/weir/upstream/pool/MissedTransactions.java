package io.weir.upstream.pool;

import io.weir.upstream.verdict.HalfOpen;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Record of whether clients look up old transactions that one node lacks. While they do, other nodes are asked first, those of higher
 * tiers too; after a while one lookup tries the node again. Several lookups in a row of transactions that the node has end that, since
 * most clients look up recent ones. Thread-safe.
 */
final class MissedTransactions {

    /** Recent transactions in a row after which the node is asked again. */
    static final int RECENT = 16;

    /** Blocks whose transactions every node has, as those with a pruned index do. */
    private static final long USUAL_BLOCKS = 127;

    private final LongSupplier clock;
    private volatile @Nullable HalfOpen avoided;
    private long newestMissed = -1;
    private long oldestFound = Long.MAX_VALUE;
    private int recent;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    MissedTransactions(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns whether the node is not to be asked for a transaction. A lookup that tries again is told that it is. */
    boolean isAvoided() {
        HalfOpen lack = avoided;
        return lack != null && !lack.mayTry(clock.getAsLong());
    }

    /** Notes that the node lacked a transaction of a block. */
    synchronized void missed(long block) {
        newestMissed = Math.max(newestMissed, block);
        if (block >= oldestFound) {
            // Its window moved.
            oldestFound = Long.MAX_VALUE;
        }
        recent = 0;
        avoided = new HalfOpen(clock.getAsLong());
    }

    /** Notes that the node had a transaction of a block. */
    synchronized void found(long block) {
        oldestFound = Math.min(oldestFound, block);
        avoided = null;
    }

    /**
     * Notes that another node had a transaction of a block.
     *
     * @param head the newest block of this node
     */
    void foundElsewhere(long block, long head) {
        if (avoided != null) {
            count(block, head);
        }
    }

    private synchronized void count(long block, long head) {
        boolean has = block > newestMissed && block >= Math.min(oldestFound, head - USUAL_BLOCKS);
        recent = has ? recent + 1 : 0;
        if (recent >= RECENT) {
            avoided = null;
        }
    }
}
