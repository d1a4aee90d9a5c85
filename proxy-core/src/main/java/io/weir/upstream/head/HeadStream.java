package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Announcements of new blocks by one node of the lowest tier, while calls want the head. An announced block counts by the same
 * rules as one that a poll shows. Confined to the monitor's event loop.
 *
 * <ul>
 *   <li>The first node that accepts a subscription is used. Another one takes its place if the connection ends, if the node may
 *       get no calls, if it announces a block that does not count, or if it does not announce a block that is known from
 *       elsewhere.
 *   <li>A node that was left is tried again after a pause, which grows while its subscriptions fail.
 *   <li>Polls are held back only after the first announced block. They go on at once when the subscription ends.
 * </ul>
 */
final class HeadStream {

    /** Nanoseconds for which a subscription stays open after the last call that wanted the head. */
    static final long INTEREST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Nanoseconds between two looks at the subscription. */
    static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Nanoseconds by which an announcement may come later than the block came from elsewhere. */
    static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** First pause of a node whose subscription failed, and the longest one. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_DOUBLINGS = 9;

    /** Pause of a node that refused a subscription, or announced what does not count. */
    static final long LONG_PAUSE_NANOS = PAUSE_NANOS << MAX_DOUBLINGS;

    /** Announced blocks in step after which earlier failures of a node no longer count. */
    private static final int GOOD_BLOCKS = 10;

    /** Announcements in one {@link #CHECK_NANOS} that a chain can have. */
    private static final int MAX_ANNOUNCEMENTS = 500;

    /** Least time between two announcements of replaced blocks that make the head doubtful. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final Listener listener;
    private final Map<HeadNode, Pause> pauses = new HashMap<>();
    private @Nullable Run current;
    private boolean checking;
    private boolean closed;
    private long doubtedNanos;

    /** User of the announcements. Confined to the monitor's event loop. */
    interface Listener {

        /** Returns the time since a call wanted the head. */
        long idleNanos();

        /**
         * Returns whether calls want the head. While none does, nobody asks other nodes for the heads with which an announced one
         * is compared, so announcements do not count.
         */
        boolean isWanted();

        /** Handles an announced block that is the head now. */
        void announced(HeadNode node, BlockAnswer block, HeadRound round);

        /** Handles the end of announcements that held polls back. */
        void lost();
    }

    /**
     * Pause of a node after a subscription that ended. Immutable.
     *
     * @param failures in a row
     */
    private record Pause(long untilNanos, int failures) {}

    /**
     * Creates an object without a subscription.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    HeadStream(HeadFeed feed, EventLoop loop, LongSupplier clock, Listener listener) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.listener = listener;
        this.doubtedNanos = clock.getAsLong() - DOUBT_NANOS;
    }

    /** Opens a subscription if there is none, now or later, until no call wants the head. */
    void open() {
        if (!checking) {
            check();
        }
    }

    /** Ends the subscription for good. */
    void close() {
        closed = true;
        leave();
    }

    private void check() {
        checking = !closed && listener.idleNanos() <= INTEREST_NANOS;
        if (!checking) {
            leave();
            return;
        }
        List<HeadNode> preferred = feed.preferred();
        Run run = current;
        if (run != null) {
            run.announcements = 0;
        }
        if (run != null && (!preferred.contains(run.node) || run.isBehind())) {
            run.failed(false);
        }
        subscribe(preferred);
        loop.schedule(this::check, CHECK_NANOS, TimeUnit.NANOSECONDS);
    }

    private void subscribe(List<HeadNode> preferred) {
        for (HeadNode node : preferred) {
            if (current != null) {
                return;
            }
            Pause pause = pauses.get(node);
            if (pause == null || clock.getAsLong() - pause.untilNanos() >= 0) {
                Run run = new Run(node);
                current = run;
                run.subscription = node.subscribe(run);
                if (run.subscription == null) {
                    run.failed(true);
                }
            }
        }
    }

    /** Ends the subscription without any reason that lies with the node. */
    private void leave() {
        Run run = current;
        current = null;
        if (run != null && run.subscription != null) {
            run.subscription.close();
        }
        if (tracker.isAnnounced()) {
            tracker.announces(false);
            listener.lost();
        }
    }

    /** One subscription. Confined to the monitor's event loop. */
    private final class Run implements HeadSubscription.Listener {

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

        Run(HeadNode node) {
            this.node = node;
        }

        @Override
        public void began(long head) {
            // The next block may have come before the subscription. A head that does not count says nothing.
            long known = tracker.number();
            top = (feed.counts(node, head) ? Math.max(head, known) : known) + 1;
        }

        @Override
        public void ended(boolean refused) {
            if (this == current) {
                failed(refused);
                subscribe(feed.preferred());
            }
        }

        /** Leaves the node for a while. */
        void failed(boolean gravely) {
            Pause before = pauses.get(node);
            int failures = before == null || inStep >= GOOD_BLOCKS ? 0 : before.failures() + 1;
            long nanos = gravely ? LONG_PAUSE_NANOS : PAUSE_NANOS << Math.min(failures, MAX_DOUBLINGS);
            pauses.put(node, new Pause(clock.getAsLong() + nanos, failures));
            leave();
        }

        /** Returns whether a block that is known from elsewhere was not announced in time. */
        boolean isBehind() {
            long head = tracker.number();
            long now = clock.getAsLong();
            if (last != null && last.number() <= head) {
                // Announced while no call wanted the head.
                top = Math.max(top, last.number());
            }
            if (head <= top || !listener.isWanted()) {
                missing = -1;
            } else if (missing <= top) {
                missing = head;
                missingNanos = now;
            }
            return missing > top && now - missingNanos >= LATE_NANOS;
        }

        @Override
        public void announced(BlockAnswer block) {
            if (this != current) {
                return;
            }
            BlockAnswer before = last;
            boolean usable = block.kind() == Kind.SHOWN
                    && !block.hash().isEmpty()
                    && !block.parentHash().isEmpty();
            if (!usable || !node.ready() || ++announcements > MAX_ANNOUNCEMENTS) {
                failed(!usable);
            } else if (before == null || !before.hash().equals(block.hash())) {
                boolean replaces = before != null && block.number() <= before.number();
                last = block;
                if (listener.isWanted()) {
                    take(block, replaces);
                }
            }
        }

        private void take(BlockAnswer block, boolean replaces) {
            long before = tracker.number();
            HeadFeed.Round round = feed.beginAnnounced();
            feed.named(round, node, block.number());
            if (round.isWaiting()) {
                feed.settle(round, () -> checked(block));
                return;
            }
            node.seen(block.number());
            top = replaces ? block.number() : Math.max(top, block.number());
            if (block.number() < before || (replaces && !mayReplace())) {
                doubt(replaces);
                return;
            }
            inStep++;
            tracker.announces(true);
            listener.announced(node, block, round.round());
        }

        /** Leaves a node whose claim did not pass its check. */
        private void checked(BlockAnswer block) {
            if (this == current && (!node.ready() || tracker.number() < block.number())) {
                // A check that had no result, or was about an earlier block, is no fault.
                failed(node.isOutOfLine());
                subscribe(feed.preferred());
            }
        }

        /** Notes that a block below the head was announced. It may be the first of a branch that replaces known blocks. */
        private void doubt(boolean replaces) {
            if (replaces && mayReplace()) {
                tracker.outdate();
            }
        }

        /** Returns whether a replaced block may make the head doubtful again. Without a bound one node could do so all the time. */
        private boolean mayReplace() {
            long now = clock.getAsLong();
            boolean may = now - doubtedNanos >= DOUBT_NANOS;
            if (may) {
                doubtedNanos = now;
            }
            return may;
        }
    }
}
