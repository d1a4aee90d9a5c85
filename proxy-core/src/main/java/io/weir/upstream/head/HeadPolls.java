package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead.HeadBlockListener;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls of one node for the newest block, as the schedule of the head says, while calls want the head. While a node announces its
 * blocks over a {@link HeadStream}, polls only find out what it missed. After a new head {@link OtherHeads} asks the other nodes.
 * Confined to the monitor's event loop, except for methods marked as
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
    private final Consumer<List<LoopWaiter<Long>>> askAll;
    private final Runnable confirmed;
    private final NewestBlocks blocks;
    private final OtherHeads others = new OtherHeads();
    private final PollSource source = new PollSource();
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile long wantedNanos;
    private volatile boolean closed;
    /** From the first call on. */
    private @Nullable HeadStream stream;

    private @Nullable ScheduledFuture<?> next;
    /** The last head that was asked for because it was known by its number alone. */
    private long unshownNumber = -1;
    /** The head that the first poll found; -1 before. */
    private long firstNumber = -1;
    /** Until when no poll begins, because one has failed. */
    private long notBeforeNanos;

    private @Nullable Poll current;

    /**
     * @param byBlock whether nodes show their newest block; else they only name its number
     * @param askAll asks all nodes for calls that one node could not help
     * @param confirmed runs for each poll that one node answered well
     */
    HeadPolls(
            HeadFeed feed,
            EventLoop loop,
            LongSupplier clock,
            boolean byBlock,
            Consumer<List<LoopWaiter<Long>>> askAll,
            Runnable confirmed) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.byBlock = byBlock;
        this.askAll = askAll;
        this.confirmed = confirmed;
        this.wantedNanos = clock.getAsLong();
        this.notBeforeNanos = wantedNanos;
        this.blocks = new NewestBlocks(tracker);
    }

    /** Registers a listener of the blocks that nodes show as their newest. Thread-safe. */
    void listen(HeadBlockListener listener) {
        blocks.listen(listener);
    }

    /** Notes that a call wants the head. Thread-safe. */
    void wanted() {
        long now = clock.getAsLong();
        if (now - wantedNanos > WANTED_NANOS) {
            wantedNanos = now;
        }
        if (!armed.get() && !closed && !loop.isShuttingDown() && armed.compareAndSet(false, true)) {
            loop.execute(() -> {
                openStream();
                schedule();
            });
        }
    }

    /** Lets nodes announce their blocks, if they show them. */
    private void openStream() {
        if (!byBlock || closed) {
            return;
        }
        HeadStream known = stream;
        if (known == null) {
            known = new HeadStream(feed, loop, clock, new Announcements());
            stream = known;
            tracker.listen(new Confirmations());
        }
        known.open();
    }

    /** Notes that an answer of a node raised the head, so that the next poll finds the block there. Thread-safe. */
    void raisedBy(HeadNode node) {
        if (!loop.isShuttingDown()) {
            loop.execute(() -> source.prefer(node));
        }
    }

    /** Stops the polls. Thread-safe. */
    void close() {
        closed = true;
        if (!loop.isShuttingDown()) {
            loop.execute(() -> {
                if (stream != null) {
                    stream.close();
                }
            });
        }
    }

    private boolean isWanted() {
        long interest = Math.max(INTEREST_NANOS, INTEREST_BLOCKS * tracker.blockNanos());
        return clock.getAsLong() - wantedNanos <= interest;
    }

    private void schedule() {
        long now = clock.getAsLong();
        boolean usual = current == null && canAsk();
        long nanos = usual ? Math.max(tracker.nextPollNanos() - now, notBeforeNanos - now) : RETRY_NANOS;
        next = loop.schedule(this::due, Math.max(MIN_NANOS, nanos), TimeUnit.NANOSECONDS);
    }

    private void due() {
        long now = clock.getAsLong();
        if (closed || !isWanted()) {
            armed.set(false);
        } else {
            openStream();
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
        return tracker.number() >= 0 && !tracker.isDoubtful() && (current != null || source.get() != null);
    }

    /** Asks one node for waiting calls; a poll under way serves them too. */
    void ask(List<LoopWaiter<Long>> waiters) {
        Poll poll = current;
        if (poll != null) {
            poll.waiters.addAll(waiters);
            return;
        }
        HeadNode node = source.get();
        if (node == null) {
            askAll.accept(waiters);
        } else {
            new Poll(node, waiters).begin();
        }
    }

    /** Blocks that a node announces. Confined to the monitor's event loop. */
    private final class Announcements implements HeadStream.Listener {

        @Override
        public long idleNanos() {
            return clock.getAsLong() - wantedNanos;
        }

        @Override
        public boolean isWanted() {
            return HeadPolls.this.isWanted();
        }

        @Override
        public void announced(HeadNode node, BlockAnswer block, HeadRound round, boolean replaces) {
            others.named(node, block);
            // The next block shows which of two blocks at one height stays. Until then the first one counts.
            if (replaces || !blocks.isRival(block)) {
                boolean newlyShown = block.number() != blocks.number();
                blocks.shown(node, block, round);
                source.leave(node);
                if (newlyShown) {
                    others.askSoon(block);
                }
            }
        }

        /** Polls at once, because the last announcements may be missing. */
        @Override
        public void lost() {
            if (!closed && next != null && next.cancel(false)) {
                if (current == null && canAsk()) {
                    ask(List.of());
                }
                schedule();
            }
        }
    }

    /** Asks for the block of a head of which only the number is known, so that answers about it can be stored, if that is worth it. */
    private void askUnshown() {
        long head = tracker.number();
        boolean unshown = head != blocks.number() && head != unshownNumber;
        if (unshown && !closed && current == null && canAsk() && notBeforeNanos - clock.getAsLong() <= 0) {
            unshownNumber = head;
            if (blocks.isWorth(feed.preferred().size())) {
                ask(List.of());
            }
        }
    }

    /** Listener of heads that nodes confirm, by whatever request. Thread-safe. */
    private final class Confirmations implements HeadListener {

        @Override
        public void wentBack(long from, long to) {}

        @Override
        public void confirmed(long number, long beganNanos) {
            if (armed.get() && !loop.isShuttingDown()) {
                loop.execute(HeadPolls.this::askUnshown);
            }
        }
    }

    /** One poll. Confined to the monitor's event loop. */
    private final class Poll {

        private final HeadNode node;
        private final HeadFeed.Round round = feed.begin();
        private final ArrayList<LoopWaiter<Long>> waiters;
        private @Nullable ScheduledFuture<?> patience;
        private boolean over;

        Poll(HeadNode node, List<LoopWaiter<Long>> waiters) {
            this.node = node;
            this.waiters = new ArrayList<>(waiters);
        }

        void begin() {
            current = this;
            patience = loop.schedule(this::giveUp, HeadRefresh.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            source.began(node);
            if (byBlock) {
                node.askBlock(new BlockSelector.Tag(BlockTag.LATEST), this::took);
            } else {
                node.askHead(head -> took(head < 0 ? BlockAnswer.without(Kind.FAILED) : BlockAnswer.ofNumber(head)));
            }
        }

        private void took(BlockAnswer answer) {
            source.answered(node);
            boolean counts = answer.kind() == Kind.SHOWN && feed.shown(round, node, answer);
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
            boolean newlyShown = answer.number() != blocks.number();
            firstNumber = firstNumber < 0 ? answer.number() : firstNumber;
            // The waiting calls find the block known, so that their answers can be stored.
            blocks.shown(node, answer, round.round());
            waiters.forEach(waiter -> waiter.end(tracker.number()));
            others.named(node, answer);
            if (newlyShown) {
                others.ask(answer);
            } else {
                source.rotate(node);
                if (tracker.number() <= firstNumber) {
                    // Until the head has grown, nobody knows which nodes stand still.
                    others.askAgain(node, answer);
                }
            }
        }

        /** Asks all nodes, because this one is late, fails, or contradicts what is known. */
        private void giveUp() {
            if (!over) {
                end();
                source.rotate(node);
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

    /**
     * Choice of the node that is polled: the same one while it shows new blocks. A node that owes an answer is not chosen. Confined
     * to the monitor's event loop.
     */
    private final class PollSource {

        private final Set<HeadNode> unanswered = new HashSet<>();
        private @Nullable HeadNode node;

        /** Returns the node to ask; null if there is none. */
        @Nullable
        HeadNode get() {
            List<HeadNode> preferred = feed.sources();
            HeadNode known = node;
            if (known == null || !preferred.contains(known) || unanswered.contains(known)) {
                node = preferred.stream()
                        .filter(one -> !unanswered.contains(one))
                        .findFirst()
                        .orElse(null);
            }
            return node;
        }

        /** Chooses the next node from now on: another one may be ahead of the asked one. */
        void rotate(HeadNode asked) {
            List<HeadNode> preferred = feed.sources();
            int index = preferred.indexOf(asked);
            if (index >= 0) {
                node = preferred.get((index + 1) % preferred.size());
            }
        }

        /** Chooses the node that showed a block first. */
        void prefer(HeadNode ahead) {
            if (feed.sources().contains(ahead)) {
                node = ahead;
            }
        }

        /** Chooses another node than one that announces its blocks: a poll is to find what that one missed. */
        void leave(HeadNode announcing) {
            if (announcing.equals(get())) {
                rotate(announcing);
            }
        }

        /** Notes that a node is asked. */
        void began(HeadNode asked) {
            unanswered.add(asked);
        }

        /** Notes that a node has answered. */
        void answered(HeadNode asked) {
            unanswered.remove(asked);
        }
    }

    /**
     * Questions whether the other nodes of the lowest tier have a new head too, so that calls about it can go to them. Nodes that show
     * blocks are asked for the block, because an answer can only be stored if its node has named the block. Confined to the monitor's
     * event loop.
     */
    private final class OtherHeads {

        /** Seconds after which a node that lacked the new head is asked again. */
        private static final int[] AGAIN_SECONDS = {1, 3};

        /** Below this block time a node that lacks the new head is soon asked for the next one. */
        private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

        /** Longest time until other nodes are asked for an announced head, which they may get moments later. */
        private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

        /** Share of the block time until then. */
        private static final int SOON_SHARE = 40;

        private final Set<HeadNode> unanswered = new HashSet<>();
        /** The head that each node named last. */
        private final Map<HeadNode, Long> named = new HashMap<>();

        /** Notes the newest block that a node has named. */
        void named(HeadNode node, BlockAnswer block) {
            named.put(node, block.number());
        }

        /** Asks the nodes that do not announce the new head either, in a moment. */
        void askSoon(BlockAnswer head) {
            long nanos = Math.min(SOON_NANOS, tracker.blockNanos() / SOON_SHARE);
            loop.schedule(() -> ask(head), nanos, TimeUnit.NANOSECONDS);
        }

        /**
         * Asks the nodes that have not named the new head.
         *
         * @param head the block that a node has shown
         */
        void ask(BlockAnswer head) {
            ask(head, 0);
        }

        /** Asks all nodes but the one that has shown the head. They may have named it before. */
        void askAgain(HeadNode node, BlockAnswer head) {
            named.keySet().retainAll(Set.of(node));
            ask(head);
        }

        private void ask(BlockAnswer head, int turn) {
            if (tracker.number() != head.number()) {
                return;
            }
            List<HeadNode> others = feed.preferred().stream()
                    .filter(node -> named.getOrDefault(node, -1L) != head.number() && !unanswered.contains(node))
                    .toList();
            others.forEach(node -> askOne(node, head));
            if (!others.isEmpty() && turn < AGAIN_SECONDS.length && tracker.blockNanos() > SHORT_NANOS) {
                loop.schedule(() -> ask(head, turn + 1), AGAIN_SECONDS[turn], TimeUnit.SECONDS);
            }
        }

        private void askOne(HeadNode node, BlockAnswer head) {
            HeadFeed.Round round = feed.begin();
            unanswered.add(node);
            if (!byBlock) {
                node.askHead(number -> {
                    unanswered.remove(node);
                    if (number >= 0) {
                        feed.named(round, node, number);
                        named.put(node, number);
                    }
                });
            } else {
                node.askBlock(new BlockSelector.Tag(BlockTag.LATEST), answer -> {
                    unanswered.remove(node);
                    if (answer.kind() == Kind.SHOWN && feed.shown(round, node, answer)) {
                        named(node, answer);
                        show(node, answer, round, head);
                    }
                });
            }
        }

        private void show(HeadNode node, BlockAnswer answer, HeadFeed.Round round, BlockAnswer head) {
            // The next block shows which of two blocks at one height stays. Until then the first one counts.
            boolean same = answer.number() == head.number() && answer.hash().equals(head.hash());
            if (same || answer.number() > head.number()) {
                blocks.shown(node, answer, round.round());
            }
        }
    }
}
