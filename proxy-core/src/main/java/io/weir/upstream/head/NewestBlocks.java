package io.weir.upstream.head;

import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.NetworkHead.HeadBlockListener;
import io.weir.upstream.ShownBlock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Effects of the blocks that nodes show as their newest, beside those on the head's number. Confined to the monitor's event
 * loop, except for methods marked as thread-safe.
 */
final class NewestBlocks {

    private final HeadTracker tracker;
    private final LongSupplier wallSeconds;
    private final List<HeadBlockListener> listeners = new CopyOnWriteArrayList<>();
    private long number = -1;
    private String hash = "";
    private boolean pastRead;

    NewestBlocks(HeadTracker tracker) {
        this.tracker = tracker;
        this.wallSeconds = () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    }

    /** Registers a listener of these blocks. Thread-safe. */
    void listen(HeadBlockListener listener) {
        listeners.add(listener);
    }

    /** Returns whether no listener finds the newest block not worth so many calls. Thread-safe. */
    boolean isWorth(int calls) {
        return listeners.stream().allMatch(listener -> listener.isWorth(calls));
    }

    /** Returns the number of the block that was shown last; -1 if none was. */
    long number() {
        return number;
    }

    /** Returns whether a block is another one at the height of the block that was shown last. */
    boolean isRival(BlockAnswer block) {
        return block.number() == number && !block.hash().equals(hash);
    }

    /** Tells the schedule and the listeners of a block. */
    void shown(HeadNode node, BlockAnswer block, HeadRound round) {
        // In doubt nobody takes the block.
        if (tracker.covers(round.moment())) {
            number = block.number();
            hash = block.hash();
        }
        if (block.seconds() > 0) {
            tracker.timestamp(block.number(), block.seconds());
            readPast(node, block);
        }
        ShownBlock shown = block.block();
        if (shown != null) {
            listeners.forEach(listener -> listener.shown(shown, round, node.id()));
        }
    }

    /** Reads the block time off the newest blocks, once. */
    private void readPast(HeadNode node, BlockAnswer newest) {
        if (!pastRead && tracker.blockNanos() == 0) {
            new PastBlocks(node, newest, wallSeconds, tracker::past).read();
        }
        pastRead = true;
    }

    /**
     * Reader of the block time off a node's newest blocks, so that a network need not watch its chain first. Confined to the monitor's
     * event loop.
     */
    private static final class PastBlocks {

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
}
