package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import io.weir.upstream.head.BlockAnswer.Kind;
import io.weir.upstream.head.Witness.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Announcements of new blocks by nodes of the lowest tier, while calls want the head. Two nodes announce, if so many can: the
 * second one shows what the first one misses, and takes its place. Confined to the monitor's event loop.
 *
 * <ul>
 *   <li>The first nodes that accept a subscription are used. Another one takes a node's place if the connection ends or the node may get
 *       no calls. It does so too if the node announces a block that does not count, or misses one that is known from elsewhere.
 *   <li>A node that was left is tried again after a pause, which grows while its subscriptions fail.
 *   <li>Polls are held back only after the first announced block. They go on at once when the last announcing node is left.
 * </ul>
 */
final class HeadStream {

    /** Nanoseconds for which a subscription stays open after the last call that wanted the head. */
    static final long INTEREST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Nanoseconds between two looks at the subscriptions. */
    static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Nodes that announce. */
    private static final int MAX_NODES = 2;

    /** Least time between two announcements of replaced blocks that make the head doubtful. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final HeadPolls polls;
    private final List<NodeAnnouncements> open = new ArrayList<>();
    private boolean checking;
    private boolean closed;
    private long doubtedNanos;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    HeadStream(HeadFeed feed, EventLoop loop, LongSupplier clock, HeadPolls polls) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.polls = polls;
        this.doubtedNanos = clock.getAsLong() - DOUBT_NANOS;
    }

    /** Opens the subscriptions that are missing, now or later, until no call wants the head. */
    void open() {
        if (!checking) {
            check();
        }
    }

    /** Ends the subscriptions for good. */
    void close() {
        closed = true;
        List.copyOf(open).forEach(this::leave);
    }

    private void check() {
        checking = !closed && polls.idleNanos() <= INTEREST_NANOS;
        if (!checking) {
            List.copyOf(open).forEach(this::leave);
            return;
        }
        List<Witness> preferred = feed.sources();
        for (NodeAnnouncements one : List.copyOf(open)) {
            if (!preferred.contains(one.node()) || one.isBehind()) {
                failed(one, false);
            }
        }
        subscribe(preferred);
        loop.schedule(this::check, CHECK_NANOS, TimeUnit.NANOSECONDS);
    }

    private void subscribe(List<Witness> preferred) {
        for (Witness node : preferred) {
            if (open.size() >= MAX_NODES) {
                return;
            }
            if (!node.isPaused(clock.getAsLong())
                    && open.stream().noneMatch(one -> one.node().equals(node))) {
                NodeAnnouncements one = new NodeAnnouncements(node);
                open.add(one);
                if (!one.begin()) {
                    failed(one, true);
                }
            }
        }
    }

    /** Leaves a node for a while. */
    private void failed(NodeAnnouncements one, boolean gravely) {
        one.node().pause(one.isProven(), gravely, clock.getAsLong());
        leave(one);
    }

    /** Leaves a node for a while, and lets another one announce. */
    private void replace(NodeAnnouncements one, boolean gravely) {
        failed(one, gravely);
        subscribe(feed.sources());
    }

    /** Ends a subscription without any reason that lies with the node. */
    private void leave(NodeAnnouncements one) {
        open.remove(one);
        one.close();
        if (tracker.isAnnounced() && open.stream().noneMatch(NodeAnnouncements::hasAnnounced)) {
            tracker.announces(false);
            polls.lost();
        }
    }

    /** Returns whether a replaced block may make the head doubtful again. Without a bound one node could do so all the time. */
    boolean mayReplace() {
        long now = clock.getAsLong();
        boolean may = now - doubtedNanos >= DOUBT_NANOS;
        if (may) {
            doubtedNanos = now;
        }
        return may;
    }

    /**
     * Announcements of one node, from its subscription to the end of it. An announced block counts by the same rules as one that a
     * poll shows. Confined to the monitor's event loop.
     */
    private final class NodeAnnouncements implements Subscription.Listener {

        /** Nanoseconds by which an announcement may come later than the block came from elsewhere. */
        static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

        /** Announced blocks in step after which earlier failures of a node no longer count. */
        private static final int GOOD_BLOCKS = 10;

        /** Announcements between two looks that a chain can have. */
        private static final int MAX_ANNOUNCEMENTS = 500;

        private final Witness node;
        private @Nullable Subscription subscription;
        private @Nullable BlockAnswer last;
        /** The highest block that the node announced, or need not announce because it came before the subscription. */
        private long top = Long.MAX_VALUE;
        /** A block above the top that is known from elsewhere, with the time since when; -1 if there is none. */
        private long missing = -1;

        private long missingNanos;
        private int inStep;
        private int announcements;

        NodeAnnouncements(Witness node) {
            this.node = node;
        }

        Witness node() {
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
            if (open.contains(this)) {
                replace(this, refused);
            }
        }

        /** Begins the next period between two looks. Returns whether a block that is known from elsewhere was not announced in time. */
        boolean isBehind() {
            announcements = 0;
            long head = tracker.number();
            long now = clock.getAsLong();
            if (last != null && last.number() <= head) {
                // Announced while no call wanted the head.
                top = Math.max(top, last.number());
            }
            if (head <= top || !polls.isWanted()) {
                missing = -1;
            } else if (missing <= top) {
                missing = head;
                missingNanos = now;
            }
            return missing > top && now - missingNanos >= LATE_NANOS;
        }

        @Override
        public void announced(BlockAnswer block) {
            if (!open.contains(this)) {
                return;
            }
            BlockAnswer before = last;
            boolean usable = block.kind() == Kind.SHOWN && block.block() != null;
            if (!usable || !node.ready() || ++announcements > MAX_ANNOUNCEMENTS) {
                failed(this, !usable);
            } else if (before == null || !before.hash().equals(block.hash())) {
                boolean replaces = before != null && block.number() <= before.number();
                last = block;
                if (polls.isWanted()) {
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
            if (replaces && !mayReplace()) {
                return;
            }
            if (block.number() < before) {
                if (replaces) {
                    // It may be the first of a branch that replaces known blocks.
                    tracker.outdate();
                }
                return;
            }
            inStep++;
            tracker.announces(true);
            polls.announced(node, block, round.round(), replaces);
        }

        /** Leaves a node whose claim did not pass its check. */
        private void checked(BlockAnswer block) {
            boolean behind = tracker.number() < block.number() && !feed.isEarly(node, block.number());
            if (open.contains(this) && (!node.ready() || behind)) {
                // A check that had no result, or was about an earlier block, is no fault.
                replace(this, node.isOutOfLine());
            }
        }
    }
}
