package io.weir.upstream.head;

import io.weir.chain.HeadTracker;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Announcements of one node, from its subscription to the end of it. An announced block counts by the same rules as one that a
 * poll shows. Confined to the monitor's event loop.
 */
final class NodeAnnouncements implements HeadSubscription.Listener {

    /** Nanoseconds by which an announcement may come later than the block came from elsewhere. */
    static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Announced blocks in step after which earlier failures of a node no longer count. */
    private static final int GOOD_BLOCKS = 10;

    /** Announcements between two looks that a chain can have. */
    private static final int MAX_ANNOUNCEMENTS = 500;

    private final HeadStream stream;
    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final HeadNode node;
    private @Nullable HeadSubscription subscription;
    private @Nullable BlockAnswer last;
    /** The highest block that the node announced, or need not announce because it came before the subscription. */
    private long top = Long.MAX_VALUE;
    /** A block above the top that is known from elsewhere, with the time since when; -1 if there is none. */
    private long missing = -1;

    private long missingNanos;
    private int inStep;
    private int announcements;

    NodeAnnouncements(HeadStream stream, HeadNode node) {
        this.stream = stream;
        this.feed = stream.feed();
        this.tracker = feed.tracker();
        this.node = node;
    }

    HeadNode node() {
        return node;
    }

    /** Subscribes. Returns whether the node has a connection for it. */
    boolean begin() {
        subscription = node.subscribe(this);
        return subscription != null;
    }

    void close() {
        if (subscription != null) {
            subscription.close();
        }
    }

    /** Returns whether a block was announced that is the head. */
    boolean hasAnnounced() {
        return inStep > 0;
    }

    /** Returns whether so many blocks were announced in step that earlier failures do not count. */
    boolean isProven() {
        return inStep >= GOOD_BLOCKS;
    }

    @Override
    public void began(long head) {
        // The next block may have come before the subscription. A head that does not count says nothing.
        long known = tracker.number();
        top = (feed.counts(node, head) ? Math.max(head, known) : known) + 1;
    }

    @Override
    public void ended(boolean refused) {
        if (stream.isOpen(this)) {
            stream.replace(this, refused);
        }
    }

    /** Begins the next period between two looks. Returns whether a block that is known from elsewhere was not announced in time. */
    boolean isBehind() {
        announcements = 0;
        long head = tracker.number();
        long now = stream.clock().getAsLong();
        if (last != null && last.number() <= head) {
            // Announced while no call wanted the head.
            top = Math.max(top, last.number());
        }
        if (head <= top || !stream.listener().isWanted()) {
            missing = -1;
        } else if (missing <= top) {
            missing = head;
            missingNanos = now;
        }
        return missing > top && now - missingNanos >= LATE_NANOS;
    }

    @Override
    public void announced(BlockAnswer block) {
        if (!stream.isOpen(this)) {
            return;
        }
        BlockAnswer before = last;
        boolean usable = block.kind() == Kind.SHOWN && block.block() != null;
        if (!usable || !node.ready() || ++announcements > MAX_ANNOUNCEMENTS) {
            stream.failed(this, !usable);
        } else if (before == null || !before.hash().equals(block.hash())) {
            boolean replaces = before != null && block.number() <= before.number();
            last = block;
            if (stream.listener().isWanted()) {
                take(block, replaces);
            }
        }
    }

    private void take(BlockAnswer block, boolean replaces) {
        if (!feed.hears(node, block)) {
            return;
        }
        long before = tracker.number();
        HeadFeed.Round round = feed.beginAnnounced();
        feed.named(round, node, block.number());
        if (round.isWaiting()) {
            feed.settle(round, () -> checked(block));
            return;
        }
        node.seen(block.number());
        top = replaces ? block.number() : Math.max(top, block.number());
        if (block.number() < before || (replaces && !stream.mayReplace())) {
            doubt(replaces);
            return;
        }
        inStep++;
        tracker.announces(true);
        stream.listener().announced(node, block, round.round(), replaces);
    }

    /** Leaves a node whose claim did not pass its check. */
    private void checked(BlockAnswer block) {
        boolean behind = tracker.number() < block.number() && !feed.isEarly(node, block.number());
        if (stream.isOpen(this) && (!node.ready() || behind)) {
            // A check that had no result, or was about an earlier block, is no fault.
            stream.replace(this, node.isOutOfLine());
        }
    }

    /** Notes that a block below the head was announced. It may be the first of a branch that replaces known blocks. */
    private void doubt(boolean replaces) {
        if (replaces && stream.mayReplace()) {
            tracker.outdate();
        }
    }
}
