package io.weir.upstream.head;

import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.upstream.NetworkHead.HeadBlockListener;
import io.weir.upstream.ShownBlock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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
}
