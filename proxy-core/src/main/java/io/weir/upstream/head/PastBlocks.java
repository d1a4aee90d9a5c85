package io.weir.upstream.head;

import io.weir.method.params.BlockSelector;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Reader of the block time off a node's newest blocks, so that a network need not watch its chain first. Confined to the monitor's
 * event loop.
 */
final class PastBlocks {

    /** Steps between blocks that are compared. */
    private static final int STEPS = 3;

    /** Blocks that are closer together show their pace soon, and seconds tell it badly. */
    private static final long MIN_STEP_SECONDS = 4;

    /** Seconds by which clocks of nodes and of this machine may differ, and by which a block may be late. */
    private static final long CLOCK_SECONDS = 60;

    private final HeadNode node;
    private final BlockAnswer newest;
    private final LongSupplier wallSeconds;
    private final LongConsumer sink;
    private long shortest = Long.MAX_VALUE;
    private long longest;

    /**
     * Begins after a node has shown its newest block.
     *
     * @param wallSeconds seconds since 1970, as the times of blocks
     * @param sink receives the block time in nanoseconds, if these blocks have one
     */
    PastBlocks(HeadNode node, BlockAnswer newest, LongSupplier wallSeconds, LongConsumer sink) {
        this.node = node;
        this.newest = newest;
        this.wallSeconds = wallSeconds;
        this.sink = sink;
    }

    /** Asks for the blocks before the newest one. Does nothing if that is old, or if the chain is young. */
    void read() {
        long age = wallSeconds.getAsLong() - newest.seconds();
        if (newest.number() >= STEPS && Math.abs(age) <= CLOCK_SECONDS) {
            read(newest, 1);
        }
    }

    private void read(BlockAnswer later, int step) {
        node.askBlock(new BlockSelector.Height(newest.number() - step), block -> {
            if (!block.shows(newest.number() - step)) {
                return;
            }
            shortest = Math.min(shortest, later.seconds() - block.seconds());
            longest = Math.max(longest, later.seconds() - block.seconds());
            if (step < STEPS) {
                read(block, step + 1);
            } else if (shortest >= MIN_STEP_SECONDS && longest <= shortest + 1) {
                long seconds = newest.seconds() - block.seconds();
                sink.accept(TimeUnit.SECONDS.toNanos(seconds) / STEPS);
            }
        });
    }
}
