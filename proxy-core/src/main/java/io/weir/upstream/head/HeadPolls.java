package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.BlockLink;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NetworkHead.HeadBlockListener;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls of one node for the newest block, as the schedule of the head says, while calls want the head. After a new head
 * {@link OtherHeads} asks the other nodes. Confined to the monitor's event loop, except for methods marked as
 * thread-safe.
 */
final class HeadPolls {

    /** Nanoseconds for which polls go on after the last call that wanted the head, at least. */
    static final long INTEREST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Block times for which polls go on after the last call that wanted the head. */
    private static final int INTEREST_BLOCKS = 2;

    /** How exactly it is known when a call last wanted the head. */
    private static final long WANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Nanoseconds until the next try if the head is in doubt or a poll failed. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Shortest time between two looks at the schedule. */
    private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final boolean byBlock;
    private final Consumer<List<HeadWaiter>> askAll;
    private final Runnable confirmed;
    private final LongSupplier wallSeconds;
    private final List<HeadBlockListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<HeadNode> unanswered = new HashSet<>();
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile long wantedNanos;
    private volatile boolean closed;
    /** Until when no poll begins, because one has failed. */
    private long notBeforeNanos;

    private boolean pastRead;
    private final OtherHeads others;
    private @Nullable HeadNode source;
    private @Nullable Poll current;

    /**
     * Creates polls that begin with the first call.
     *
     * @param byBlock whether nodes show their newest block; else they only name its number
     * @param askAll asks all nodes for calls that one node could not help
     * @param confirmed runs for each poll that one node answered well
     */
    HeadPolls(
            HeadFeed feed,
            EventLoop loop,
            LongSupplier clock,
            boolean byBlock,
            Consumer<List<HeadWaiter>> askAll,
            Runnable confirmed) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.byBlock = byBlock;
        this.askAll = askAll;
        this.confirmed = confirmed;
        this.wallSeconds = () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        this.wantedNanos = clock.getAsLong();
        this.notBeforeNanos = wantedNanos;
        this.others = new OtherHeads(feed, loop);
    }

    /** Registers a listener of the blocks that nodes show as their newest. Thread-safe. */
    void listen(HeadBlockListener listener) {
        listeners.add(listener);
    }

    /** Notes that a call wants the head. Thread-safe. */
    void wanted() {
        long now = clock.getAsLong();
        if (now - wantedNanos > WANTED_NANOS) {
            wantedNanos = now;
        }
        if (!armed.get() && !closed && !loop.isShuttingDown() && armed.compareAndSet(false, true)) {
            loop.execute(this::schedule);
        }
    }

    /** Stops the polls. Thread-safe. */
    void close() {
        closed = true;
    }

    private void schedule() {
        long now = clock.getAsLong();
        boolean usual = current == null && canAsk();
        long nanos = usual ? Math.max(tracker.nextPollNanos() - now, notBeforeNanos - now) : RETRY_NANOS;
        loop.schedule(this::due, Math.max(MIN_NANOS, nanos), TimeUnit.NANOSECONDS);
    }

    private void due() {
        long now = clock.getAsLong();
        long interest = Math.max(INTEREST_NANOS, INTEREST_BLOCKS * tracker.blockNanos());
        if (closed || now - wantedNanos > interest) {
            armed.set(false);
        } else {
            boolean isDue = tracker.nextPollNanos() - now <= 0 && notBeforeNanos - now <= 0;
            try {
                if (isDue && current == null && canAsk()) {
                    ask(List.of());
                }
            } finally {
                schedule();
            }
        }
    }

    /** Returns whether one node can be asked for a call, because only time has passed since the head was confirmed. */
    boolean canAsk() {
        return tracker.number() >= 0 && !tracker.isDoubtful() && (current != null || source() != null);
    }

    /** Asks one node for waiting calls; a poll under way serves them too. */
    void ask(List<HeadWaiter> waiters) {
        Poll poll = current;
        if (poll != null) {
            poll.waiters.addAll(waiters);
            return;
        }
        HeadNode node = source();
        if (node == null) {
            askAll.accept(waiters);
        } else {
            new Poll(node, waiters).begin();
        }
    }

    /** Returns the node that is asked: the same one while it shows new blocks. */
    private @Nullable HeadNode source() {
        List<HeadNode> preferred = feed.preferred();
        HeadNode known = source;
        if (known == null || !preferred.contains(known) || unanswered.contains(known)) {
            source = preferred.stream()
                    .filter(node -> !unanswered.contains(node))
                    .findFirst()
                    .orElse(null);
        }
        return source;
    }

    /** Reads the block time off the newest blocks, once. */
    private void readPast(HeadNode node, BlockAnswer newest) {
        if (!pastRead && tracker.blockNanos() == 0) {
            new PastBlocks(node, newest, wallSeconds, tracker::past).read();
        }
        pastRead = true;
    }

    /** Asks the next node from now on: another one may be ahead. */
    private void rotate(HeadNode asked) {
        List<HeadNode> preferred = feed.preferred();
        int index = preferred.indexOf(asked);
        if (index >= 0) {
            source = preferred.get((index + 1) % preferred.size());
        }
    }

    /** One poll. Confined to the monitor's event loop. */
    private final class Poll {

        private final HeadNode node;
        private final HeadFeed.Round round = feed.begin();
        private final ArrayList<HeadWaiter> waiters;
        private @Nullable ScheduledFuture<?> patience;
        private boolean over;

        Poll(HeadNode node, List<HeadWaiter> waiters) {
            this.node = node;
            this.waiters = new ArrayList<>(waiters);
        }

        void begin() {
            current = this;
            patience = loop.schedule(this::giveUp, HeadRefresh.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            unanswered.add(node);
            if (byBlock) {
                node.askBlock(ChainCalls.blockByTag(BlockTag.LATEST), this::took);
            } else {
                node.askHead(head -> took(
                        head < 0 ? BlockAnswer.without(Kind.FAILED) : new BlockAnswer(Kind.SHOWN, head, "", "", 0)));
            }
        }

        private void took(BlockAnswer answer) {
            unanswered.remove(node);
            boolean shown = answer.kind() == Kind.SHOWN;
            boolean counts = shown;
            long before = tracker.number();
            if (shown) {
                feed.named(round, node, answer.number());
                counts = !round.isWaiting();
                if (!counts) {
                    feed.settle(round, () -> {});
                } else {
                    node.seen(answer.number());
                }
            }
            if (over) {
                return;
            }
            boolean enough = counts && answer.number() >= tracker.number();
            if (!enough) {
                giveUp();
                return;
            }
            end();
            confirmed.run();
            waiters.forEach(waiter -> waiter.end(tracker.number()));
            if (answer.seconds() > 0) {
                tracker.timestamp(answer.number(), answer.seconds());
                readPast(node, answer);
            }
            if (!answer.hash().isEmpty() && !answer.parentHash().isEmpty()) {
                BlockLink link = new BlockLink(answer.number(), answer.hash(), answer.parentHash());
                HeadRound head = round.round();
                listeners.forEach(listener -> listener.shown(link, head, node.id()));
            }
            if (answer.number() > before) {
                others.ask(node, answer.number());
            } else {
                rotate(node);
            }
        }

        /** Asks all nodes, because this one is late, fails, or contradicts what is known. */
        private void giveUp() {
            if (!over) {
                end();
                rotate(node);
                notBeforeNanos = clock.getAsLong() + RETRY_NANOS;
                askAll.accept(waiters);
            }
        }

        private void end() {
            over = true;
            current = null;
            if (patience != null) {
                patience.cancel(false);
            }
        }
    }
}
