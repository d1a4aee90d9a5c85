package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead.HeadBlockListener;
import io.weir.upstream.ShownBlock;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
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

    /** Steps between blocks that are compared, so that a network need not watch its chain before its block time is known. */
    private static final int STEPS = 3;

    /** Blocks that are closer together show their pace soon, and seconds tell it badly. */
    private static final long MIN_STEP_SECONDS = 4;

    /** Seconds by which clocks of nodes and of this machine may differ, and by which a block may be late. */
    private static final long CLOCK_SECONDS = 60;

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final Consumer<List<LoopWaiter<Long>>> askAll;
    private final Runnable confirmed;
    private final List<HeadBlockListener> listeners = new CopyOnWriteArrayList<>();
    private final OtherHeads others = new OtherHeads();
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
    /** The node that is polled: the same one while it shows new blocks, and none that owes an answer. */
    private @Nullable Witness source;
    /** The block that a node showed last as the newest. */
    private BlockAnswer newest = BlockAnswer.without(Kind.NONE);
    /** Whether the block time was read off the newest blocks. */
    private boolean pastRead;

    /**
     * @param askAll asks all nodes for calls that one node could not help
     * @param confirmed runs for each poll that one node answered well
     */
    HeadPolls(
            HeadFeed feed,
            EventLoop loop,
            LongSupplier clock,
            Consumer<List<LoopWaiter<Long>>> askAll,
            Runnable confirmed) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
        this.clock = clock;
        this.askAll = askAll;
        this.confirmed = confirmed;
        this.wantedNanos = clock.getAsLong();
        this.notBeforeNanos = wantedNanos;
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
            loop.execute(() -> {
                openStream();
                schedule();
            });
        }
    }

    /** Lets nodes announce their blocks, if they show them. */
    private void openStream() {
        if (!feed.questions().showsBlocks() || closed) {
            return;
        }
        HeadStream known = stream;
        if (known == null) {
            known = new HeadStream(feed, loop, clock, this);
            stream = known;
            tracker.listen(new HeadListener() {
                @Override
                public void confirmed(long number, long beganNanos) {
                    if (armed.get() && !loop.isShuttingDown()) {
                        loop.execute(HeadPolls.this::askUnshown);
                    }
                }
            });
        }
        known.open();
    }

    /** Notes that an answer of a node raised the head, so that the next poll finds the block there. Thread-safe. */
    void raisedBy(Witness node) {
        if (!loop.isShuttingDown()) {
            loop.execute(() -> source = feed.sources().contains(node) ? node : source);
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
        return tracker.number() >= 0 && !tracker.isDoubtful() && (current != null || source() != null);
    }

    /** Asks one node for waiting calls; a poll under way serves them too. */
    void ask(List<LoopWaiter<Long>> waiters) {
        Poll poll = current;
        if (poll != null) {
            poll.waiters.addAll(waiters);
            return;
        }
        Witness node = source();
        if (node == null) {
            askAll.accept(waiters);
        } else {
            new Poll(node, waiters).begin();
        }
    }

    private @Nullable Witness source() {
        List<Witness> sources = feed.sources();
        if (source == null || !sources.contains(source) || feed.questions().owesNewest(source)) {
            source = sources.stream()
                    .filter(one -> !feed.questions().owesNewest(one))
                    .findFirst()
                    .orElse(null);
        }
        return source;
    }

    /** Polls the next node from now on: another one may be ahead of the asked one. */
    private void rotate(Witness asked) {
        List<Witness> sources = feed.sources();
        int index = sources.indexOf(asked);
        if (index >= 0) {
            source = sources.get((index + 1) % sources.size());
        }
    }

    /** Returns the time since a call wanted the head. Thread-safe. */
    long idleNanos() {
        return clock.getAsLong() - wantedNanos;
    }

    /**
     * Returns whether calls want the head. While none does, nobody asks other nodes for the heads with which an announced one is
     * compared, so announcements do not count. Thread-safe.
     */
    boolean isWanted() {
        return idleNanos() <= Math.max(INTEREST_NANOS, INTEREST_BLOCKS * tracker.blockNanos());
    }

    /**
     * Notes an announced block that is the head now.
     *
     * @param replaces whether the node has announced another block at this height before
     */
    void announced(Witness node, BlockAnswer block, HeadMoment round, boolean replaces) {
        node.named = block.number();
        // The next block shows which of two blocks at one height stays. Until then the first one counts.
        if (replaces || !isRival(block)) {
            boolean newlyShown = block.number() != newest.number();
            shown(node, block, round);
            // A poll is to find what this node missed.
            if (node.equals(source())) {
                rotate(node);
            }
            if (newlyShown) {
                others.askSoon(block);
            }
        }
    }

    /** Returns whether a block is another one at the height of the block that was shown last. */
    private boolean isRival(BlockAnswer block) {
        return block.number() == newest.number() && !block.hash().equals(newest.hash());
    }

    /** Tells the schedule and the listeners of a block. */
    private void shown(Witness node, BlockAnswer block, HeadMoment round) {
        // In doubt nobody takes the block.
        if (tracker.covers(round)) {
            newest = block;
        }
        if (block.seconds() > 0) {
            tracker.timestamp(block.number(), block.seconds());
            readPast(node, block);
        }
        ShownBlock text = block.block();
        if (text != null) {
            listeners.forEach(
                    listener -> listener.shown(text, round, node.id()));
        }
    }

    /** Reads the block time off the newest blocks, once. Does nothing if the newest is old, or if the chain is young. */
    private void readPast(Witness node, BlockAnswer from) {
        long age = feed.wallSeconds() - from.seconds();
        if (!pastRead && tracker.blockNanos() == 0 && from.number() >= STEPS && Math.abs(age) <= CLOCK_SECONDS) {
            readPast(node, from, new ArrayList<>(List.of(from.seconds())));
        }
        pastRead = true;
    }

    /** @param seconds the times of the blocks read so far, the newest first */
    private void readPast(Witness node, BlockAnswer from, List<Long> seconds) {
        long number = from.number() - seconds.size();
        feed.questions().block(node, new BlockSelector.Height(number), block -> {
            if (!block.shows(number)) {
                return;
            }
            seconds.add(block.seconds());
            if (seconds.size() <= STEPS) {
                readPast(node, from, seconds);
                return;
            }
            LongSummaryStatistics steps = IntStream.range(0, STEPS)
                    .mapToLong(i -> seconds.get(i) - seconds.get(i + 1))
                    .summaryStatistics();
            if (steps.getMin() >= MIN_STEP_SECONDS && steps.getMax() <= steps.getMin() + 1) {
                tracker.past(TimeUnit.SECONDS.toNanos(steps.getSum()) / STEPS);
            }
        });
    }

    /** Polls at once after the end of announcements that held polls back, because the last ones may be missing. */
    void lost() {
        if (!closed && next != null && next.cancel(false)) {
            if (current == null && canAsk()) {
                ask(List.of());
            }
            schedule();
        }
    }

    /** Asks for the block of a head of which only the number is known, so that answers about it can be stored, if that is worth it. */
    private void askUnshown() {
        long head = tracker.number();
        boolean unshown = head != newest.number() && head != unshownNumber;
        if (unshown && !closed && current == null && canAsk() && notBeforeNanos - clock.getAsLong() <= 0) {
            unshownNumber = head;
            int calls = feed.rules().preferred().size();
            if (listeners.stream().allMatch(one -> one.isWorth(calls))) {
                ask(List.of());
            }
        }
    }

    /** One poll. Confined to the monitor's event loop. */
    private final class Poll {

        private final Witness node;
        private final HeadFeed.Round round = feed.begin();
        private final ArrayList<LoopWaiter<Long>> waiters;
        private @Nullable ScheduledFuture<?> patience;
        private boolean over;

        Poll(Witness node, List<LoopWaiter<Long>> waiters) {
            this.node = node;
            this.waiters = new ArrayList<>(waiters);
        }

        void begin() {
            current = this;
            patience = loop.schedule(this::giveUp, Questions.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            feed.questions().newest(node, this::took);
        }

        private void took(BlockAnswer answer) {
            boolean counts = answer.kind() == Kind.SHOWN && feed.shown(round, node, answer);
            if (over) {
                if (counts) {
                    others.took(node, answer, round, newest);
                }
                return;
            }
            boolean enough = counts && answer.number() >= tracker.number();
            if (!enough) {
                giveUp();
                return;
            }
            end();
            confirmed.run();
            boolean newlyShown = answer.number() != newest.number();
            firstNumber = firstNumber < 0 ? answer.number() : firstNumber;
            // The waiting calls find the block known, so that their answers can be stored.
            shown(node, answer, round.round());
            waiters.forEach(waiter -> waiter.end(tracker.number()));
            node.named = answer.number();
            if (newlyShown) {
                others.ask(answer);
            } else {
                rotate(node);
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
        void askAgain(Witness node, BlockAnswer head) {
            feed.forgetNamed(node);
            ask(head);
        }

        private void ask(BlockAnswer head, int turn) {
            if (tracker.number() != head.number()) {
                return;
            }
            List<Witness> missing = feed.rules().preferred().stream()
                    .filter(node -> node.named != head.number())
                    .toList();
            missing.stream().filter(node -> !feed.questions().owesNewest(node)).forEach(node -> askOne(node, head));
            if (!missing.isEmpty() && turn < AGAIN_SECONDS.length && tracker.blockNanos() > SHORT_NANOS) {
                loop.schedule(() -> ask(head, turn + 1), AGAIN_SECONDS[turn], TimeUnit.SECONDS);
            }
        }

        private void askOne(Witness node, BlockAnswer head) {
            HeadFeed.Round round = feed.begin();
            feed.questions().newest(node, answer -> {
                if (answer.kind() == Kind.SHOWN && feed.shown(round, node, answer)) {
                    took(node, answer, round, head);
                }
            });
        }

        /** Notes the block that a node showed beside the head that another one has shown. */
        void took(Witness node, BlockAnswer answer, HeadFeed.Round round, BlockAnswer head) {
            // In doubt the node is asked again.
            if (tracker.covers(round.round())) {
                node.named = answer.number();
            }
            // The next block shows which of two blocks at one height stays. Until then the first one counts.
            boolean same = answer.number() == head.number() && answer.hash().equals(head.hash());
            if (same || answer.number() > head.number()) {
                shown(node, answer, round.round());
            }
        }
    }
}
