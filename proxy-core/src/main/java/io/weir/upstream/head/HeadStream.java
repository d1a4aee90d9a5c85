package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.limit.Backoff;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Announcements of new blocks by nodes of the lowest tier, while calls want the head. Two nodes announce, if so many can: the
 * second one shows what the first one misses, and takes its place. Confined to the monitor's event loop.
 *
 * <ul>
 *   <li>The first nodes that accept a subscription are used. Another one takes a node's place if the connection ends, if the node
 *       may get no calls, if it announces a block that does not count, or if it does not announce a block that is known from
 *       elsewhere.
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

    /** First pause of a node whose subscription failed, and the longest one. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_DOUBLINGS = 9;

    /** Pause of a node that refused a subscription, or announced what does not count. */
    static final long LONG_PAUSE_NANOS = PAUSE_NANOS << MAX_DOUBLINGS;

    /** Least time between two announcements of replaced blocks that make the head doubtful. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final Listener listener;
    private final Backoff<HeadNode> pauses = new Backoff<>(PAUSE_NANOS, MAX_DOUBLINGS, LONG_PAUSE_NANOS);
    private final List<NodeAnnouncements> open = new ArrayList<>();
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

        /**
         * Handles an announced block that is the head now.
         *
         * @param replaces whether the node has announced another block at this height before
         */
        void announced(HeadNode node, BlockAnswer block, HeadRound round, boolean replaces);

        /** Handles the end of announcements that held polls back. */
        void lost();
    }

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    HeadStream(HeadFeed feed, EventLoop loop, LongSupplier clock, Listener listener) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.listener = listener;
        this.doubtedNanos = clock.getAsLong() - DOUBT_NANOS;
    }

    HeadFeed feed() {
        return feed;
    }

    LongSupplier clock() {
        return clock;
    }

    Listener listener() {
        return listener;
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
        checking = !closed && listener.idleNanos() <= INTEREST_NANOS;
        if (!checking) {
            List.copyOf(open).forEach(this::leave);
            return;
        }
        List<HeadNode> preferred = feed.sources();
        for (NodeAnnouncements one : List.copyOf(open)) {
            if (!preferred.contains(one.node()) || one.isBehind()) {
                failed(one, false);
            }
        }
        subscribe(preferred);
        loop.schedule(this::check, CHECK_NANOS, TimeUnit.NANOSECONDS);
    }

    private void subscribe(List<HeadNode> preferred) {
        for (HeadNode node : preferred) {
            if (open.size() >= MAX_NODES) {
                return;
            }
            if (!pauses.holds(node, clock.getAsLong())
                    && open.stream().noneMatch(one -> one.node().equals(node))) {
                NodeAnnouncements one = new NodeAnnouncements(this, node);
                open.add(one);
                if (!one.begin()) {
                    failed(one, true);
                }
            }
        }
    }

    /** Returns whether the announcements of a node are still used. */
    boolean isOpen(NodeAnnouncements one) {
        return open.contains(one);
    }

    /** Leaves a node for a while. */
    void failed(NodeAnnouncements one, boolean gravely) {
        if (one.isProven()) {
            pauses.worked(one.node());
        }
        pauses.failed(one.node(), gravely, clock.getAsLong());
        leave(one);
    }

    /** Leaves a node for a while, and lets another one announce. */
    void replace(NodeAnnouncements one, boolean gravely) {
        failed(one, gravely);
        subscribe(feed.sources());
    }

    /** Ends a subscription without any reason that lies with the node. */
    private void leave(NodeAnnouncements one) {
        open.remove(one);
        one.close();
        if (tracker.isAnnounced() && open.stream().noneMatch(NodeAnnouncements::hasAnnounced)) {
            tracker.announces(false);
            listener.lost();
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
}
