package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Backoff;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions to the new blocks of nodes of the lowest tier, while calls want the head. Two nodes announce, if so many can: the second
 * one shows what the first one misses, and takes its place. Confined to the monitor's event loop.
 *
 * <ul>
 *   <li>The first nodes that accept a subscription are used. Another one takes a node's place if the connection ends or the node may get
 *       no calls. It does so too if the node announces a block that does not count, or misses one that is known from elsewhere.
 *   <li>A node that was left is tried again after a pause, which grows while its subscriptions fail.
 *   <li>Polls are held back only after the first announced block. They go on at once when the last announcing node is left.
 * </ul>
 */
final class Announcements {

    /** Nanoseconds for which a subscription stays open after the last call that wanted the head. */
    private static final long INTEREST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Nanoseconds between two looks at the subscriptions. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_NODES = 2;

    /** Least time between two announcements of replaced blocks that make the head doubtful. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Nanoseconds by which an announcement may come later than the block came from elsewhere. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** First pause of a node whose announcements failed. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_DOUBLINGS = 9;

    /** Announced blocks in step after which earlier failures of a node no longer count. */
    private static final int GOOD_BLOCKS = 10;

    /** Announcements between two looks that a chain can have. */
    private static final int MAX_ANNOUNCEMENTS = 500;

    private final Follower follower;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final List<Announcer> open = new ArrayList<>();
    /** Longest for a node that refused to announce its blocks, or announced what does not count. */
    private final Backoff<Witness> pauses = new Backoff<>(PAUSE_NANOS, MAX_DOUBLINGS, PAUSE_NANOS << MAX_DOUBLINGS);

    private boolean checking;
    private boolean closed;
    private long doubtedNanos;

    Announcements(Follower follower, EventLoop loop, LongSupplier clock) {
        this.follower = follower;
        this.tracker = follower.tracker();
        this.loop = loop;
        this.clock = clock;
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
        checking = !closed && follower.idleNanos() <= INTEREST_NANOS;
        if (!checking) {
            List.copyOf(open).forEach(this::leave);
            return;
        }
        List<Witness> sources = follower.sources();
        for (Announcer one : List.copyOf(open)) {
            if (!sources.contains(one.node) || one.isBehind()) {
                fail(one, false);
            }
        }
        subscribe(sources);
        loop.schedule(this::check, CHECK_NANOS, TimeUnit.NANOSECONDS);
    }

    private void subscribe(List<Witness> sources) {
        for (Witness node : sources) {
            boolean isOpen = open.stream().anyMatch(one -> one.node.equals(node));
            if (open.size() < MAX_NODES && !isOpen && !pauses.holds(node, clock.getAsLong())) {
                Announcer one = new Announcer(node);
                open.add(one);
                one.subscription = node.subscribe(one);
                if (one.subscription == null) {
                    fail(one, true);
                }
            }
        }
    }

    /** Leaves a node for a while. */
    private void fail(Announcer one, boolean gravely) {
        if (one.inStep >= GOOD_BLOCKS) {
            pauses.worked(one.node);
        }
        pauses.failed(one.node, gravely, clock.getAsLong());
        leave(one);
    }

    /** Leaves a node for a while, and lets another one announce. */
    private void replace(Announcer one, boolean gravely) {
        fail(one, gravely);
        subscribe(follower.sources());
    }

    /** Ends a subscription without any reason that lies with the node. */
    private void leave(Announcer one) {
        open.remove(one);
        if (one.subscription != null) {
            one.subscription.close();
        }
        if (tracker.isAnnounced() && open.stream().noneMatch(other -> other.inStep > 0)) {
            tracker.announces(false);
            follower.lostAnnouncements();
        }
    }

    /** Node that announces its blocks, from its subscription to the end of it. Confined to the monitor's event loop. */
    private final class Announcer implements NodeFeed.Listener {

        private final Witness node;
        private @Nullable NodeFeed subscription;
        private @Nullable BlockAnswer last;
        /** The highest block that the node announced, or need not announce because it came before the subscription. */
        private long top = Long.MAX_VALUE;
        /** A block above the top that is known from elsewhere, with the time since when; -1 if there is none. */
        private long missing = -1;

        private long missingNanos;
        /** Announced blocks that were the head. */
        private int inStep;

        private int announcements;

        Announcer(Witness node) {
            this.node = node;
        }

        @Override
        public void began(long head) {
            // The next block may have come before the subscription. A head that does not count says nothing.
            long known = tracker.number();
            top = (follower.claims().counts(node, head) ? Math.max(head, known) : known) + 1;
        }

        @Override
        public void ended(NodeFeed.End end) {
            if (open.contains(this)) {
                replace(this, end.refused());
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
            if (head <= top || !follower.isWanted()) {
                missing = -1;
            } else if (missing <= top) {
                missing = head;
                missingNanos = now;
            }
            return missing > top && now - missingNanos >= LATE_NANOS;
        }

        @Override
        public void notified(RawJson result) {
            if (!open.contains(this)) {
                return;
            }
            BlockAnswer block = node.announced(result);
            BlockAnswer before = last;
            boolean usable = block.kind() == Kind.SHOWN && block.block() != null;
            if (!usable || !node.ready() || ++announcements > MAX_ANNOUNCEMENTS) {
                fail(this, !usable);
            } else if (before == null || !before.hash().equals(block.hash())) {
                last = block;
                if (follower.isWanted()) {
                    take(block, before != null && block.number() <= before.number());
                }
            }
        }

        /** @param replaces whether the node has announced another block at this height before */
        private void take(BlockAnswer block, boolean replaces) {
            long known = tracker.number();
            Round round = new Round(follower, tracker.announced(), List.of());
            if (!round.shown(node, block, () -> checked(block))) {
                return;
            }
            top = replaces ? block.number() : Math.max(top, block.number());
            if (replaces && !mayReplace()) {
                return;
            }
            if (block.number() >= known) {
                inStep++;
                tracker.announces(true);
                follower.announced(round, node, block, replaces);
            } else if (replaces) {
                // It may be the first of a branch that replaces known blocks.
                tracker.outdate();
            }
        }

        /** Returns whether a replaced block may make the head doubtful again. Without a bound one node could do so all the time. */
        private boolean mayReplace() {
            boolean may = clock.getAsLong() - doubtedNanos >= DOUBT_NANOS;
            doubtedNanos = may ? clock.getAsLong() : doubtedNanos;
            return may;
        }

        /** Leaves a node whose claim did not pass its check. */
        private void checked(BlockAnswer block) {
            boolean behind =
                    tracker.number() < block.number() && !follower.claims().isEarly(node, block.number());
            if (open.contains(this) && (!node.ready() || behind)) {
                // A check that had no result, or was about an earlier block, is no fault.
                replace(this, node.isOutOfLine());
            }
        }
    }
}
