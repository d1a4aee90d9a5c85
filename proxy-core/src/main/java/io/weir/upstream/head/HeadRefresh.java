package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.BlockLink;
import io.weir.chain.Finality;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.method.params.BlockTag;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes for their heads when a call needs a fresher one than is known. Confined to the monitor's event loop,
 * except for the methods of {@link NetworkHead} and those marked as thread-safe.
 *
 * <ul>
 *   <li>If only time has passed, {@link HeadPolls} asks one node. After an event such as a write, or if that node does not
 *       help, all nodes of the lowest tier are asked at once. Other tiers are asked too once the lowest tier alone names a
 *       lower head than the known one.
 *   <li>If only time has passed, the first node that confirms the head is enough. After an event such as a write, all nodes
 *       are awaited. A slow node delays a call by at most {@link Questions#PATIENCE_MILLIS} after another node has answered. Its late
 *       answer still counts.
 *   <li>If all nodes name a lower head after an event, they are asked a second time at once.
 *   <li>A head that no other node confirms is checked before the call gets the head; see {@link HeadFeed}. If an answer has just
 *       named a higher block than the known head, calls wait longer for that: their client may have read it.
 * </ul>
 */
public final class HeadRefresh implements NetworkHead {

    /** Milliseconds that calls wait for the checks of heads while none is known, or while a client has read of a higher block. */
    private static final long FIRST_MILLIS = 2_500;

    /** Least time between rounds that are wanted because an answer named a block which does not count yet, if it is not a new one nearby. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Least time between rounds just after a transaction, while nobody knows whether nodes mine it at once. */
    private static final long UNSURE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Time after the start in which no node is believed before each was heard from. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Consecutive rounds before waiting calls get the known head. */
    private static final int MAX_ROUNDS = 4;

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop monitorLoop;
    private final LongSupplier clock;
    private final Runnable traffic;
    private final Consumer<RoundResult> results;
    private final FinalityPolls finalityPolls;
    private final AtomicLong doubtedNanos;
    private final AtomicLong doubted = new AtomicLong();
    private volatile long newlyDoubtedNanos;
    private final HeadPolls polls;
    private final long startedNanos;
    /** Calls that need a newer round than the current one, while every node has too many unanswered requests. */
    private final List<LoopWaiter<Long>> queued = new ArrayList<>();

    /** Calls for which no round begins yet. */
    private final List<LoopWaiter<Long>> delayed = new ArrayList<>();

    private @Nullable Poll current;
    private long beganNanos;
    private boolean allTiers;

    /**
     * Creates a refresh.
     *
     * @param monitorLoop the loop on which nodes are asked
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param traffic runs for each call that wants the head
     * @param results receives the result of each round
     * @param finalityPolls asks nodes for the blocks that they call final
     */
    public HeadRefresh(
            HeadFeed feed,
            EventLoop monitorLoop,
            LongSupplier clock,
            Runnable traffic,
            Consumer<RoundResult> results,
            FinalityPolls finalityPolls) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.monitorLoop = monitorLoop;
        this.clock = clock;
        this.traffic = traffic;
        this.results = results;
        this.finalityPolls = finalityPolls;
        this.doubtedNanos = new AtomicLong(clock.getAsLong() - DOUBT_NANOS);
        this.startedNanos = clock.getAsLong();
        this.beganNanos = startedNanos - UNSURE_NANOS;
        this.polls = new HeadPolls(feed, monitorLoop, clock, this::askAll, () -> results.accept(RoundResult.CONFIRMED));
        feed.questions().whenHeadAnswered(this::headAnswered);
    }

    @Override
    public HeadTracker tracker() {
        return tracker;
    }

    @Override
    public void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        traffic.run();
        polls.wanted();
        if (tracker.fresh()) {
            sink.accept(tracker.number());
            return;
        }
        LoopWaiter<Long> waiter = waiter(loop, deadlineNanos, sink);
        if (monitorLoop.inEventLoop()) {
            coalesce(waiter);
        } else {
            coalesceLater(waiter);
        }
    }

    @Override
    public void whenShown(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        traffic.run();
        polls.wanted();
        // One task of the monitor's loop takes the number of a head and shows its block.
        coalesceLater(waiter(loop, deadlineNanos, sink));
    }

    private LoopWaiter<Long> waiter(EventLoop loop, long deadlineNanos, LongConsumer sink) {
        LoopWaiter<Long> waiter = new LoopWaiter<>(loop, sink::accept);
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), -1L);
        return waiter;
    }

    private void coalesceLater(LoopWaiter<Long> waiter) {
        if (monitorLoop.isShuttingDown()) {
            waiter.end(-1L);
        } else {
            monitorLoop.execute(() -> coalesce(waiter));
        }
    }

    @Override
    public void seen(String upstreamId, long number) {
        Witness node = feed.witness(upstreamId);
        if (node == null) {
            return;
        }
        if (feed.raise(node, number)) {
            node.seen(number);
            polls.raisedBy(node);
            return;
        }
        if (number > node.believed()) {
            return;
        }
        long now = clock.getAsLong();
        long before = doubtedNanos.get();
        // A client may have read of this block, and its next call must not be held to an older one.
        boolean isNew =
                HeadRules.isNear(tracker.known(), number) && doubted.getAndAccumulate(number, Math::max) < number;
        boolean isDue = now - before >= DOUBT_NANOS && doubtedNanos.compareAndSet(before, now);
        if (isNew) {
            newlyDoubtedNanos = now;
        }
        if (isNew || isDue) {
            // The next call that wants the head asks all nodes.
            tracker.outdate();
        }
    }

    @Override
    public void missing(long number) {
        feed.missing(number);
        tracker.outdate();
    }

    @Override
    public void linked(List<BlockLink> blocks) {
        if (!monitorLoop.isShuttingDown()) {
            monitorLoop.execute(() -> feed.linked(blocks));
        }
    }

    @Override
    public void compare(BlockLink block, String upstreamId, EventLoop loop, Consumer<Boolean> sink) {
        Witness node = feed.witness(upstreamId);
        // Nodes that name numbers alone are not compared by the blocks that the proxy asks them for.
        boolean compares = node != null && feed.questions().showsBlocks() && !feed.isAlone();
        if (node == null || !compares || monitorLoop.isShuttingDown()) {
            sink.accept(true);
            return;
        }
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, sink);
        monitorLoop.execute(() -> waiter.end(feed.hears(node, BlockAnswer.of(block))));
    }

    @Override
    public void listen(HeadBlockListener listener) {
        polls.listen(listener);
    }

    @Override
    public Finality finality() {
        return finalityPolls.finality();
    }

    @Override
    public void whenAgreed(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Finality.Agreed> sink) {
        finalityPolls.whenAgreed(loop, tag, deadlineNanos, sink);
    }

    @Override
    public void whenFinalKnown(EventLoop loop, long maxAgeNanos, long deadlineNanos, Consumer<Boolean> sink) {
        if (finalityPolls.isRecent(BlockTag.FINALIZED, maxAgeNanos, true)) {
            sink.accept(false);
        } else {
            whenFresh(
                    loop,
                    deadlineNanos,
                    head -> finalityPolls.whenAsked(loop, BlockTag.FINALIZED, maxAgeNanos, true, deadlineNanos, sink));
        }
    }

    /** Stops the polls for new blocks. Thread-safe. */
    public void close() {
        polls.close();
    }

    private void coalesce(LoopWaiter<Long> waiter) {
        if (tracker.fresh()) {
            waiter.end(tracker.number());
        } else if (current != null && tracker.covers(current.round.round())) {
            current.waiters.add(waiter);
        } else if (polls.canAsk()) {
            polls.ask(List.of(waiter));
        } else if (tracker.isUnsure() && clock.getAsLong() - beganNanos < UNSURE_NANOS) {
            askLater(waiter, beganNanos + UNSURE_NANOS - clock.getAsLong());
        } else if (feed.isStarting() && clock.getAsLong() - startedNanos < START_NANOS) {
            askLater(waiter, UNSURE_NANOS);
        } else {
            askAll(List.of(waiter));
        }
    }

    private void askLater(LoopWaiter<Long> waiter, long nanos) {
        delayed.add(waiter);
        if (delayed.size() == 1) {
            monitorLoop.schedule(this::askDelayed, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void askDelayed() {
        List<LoopWaiter<Long>> waiters = new ArrayList<>(delayed);
        delayed.clear();
        waiters.forEach(this::coalesce);
    }

    private void askAll(List<LoopWaiter<Long>> waiters) {
        begin(new ArrayList<>(waiters), 1);
    }

    private void begin(List<LoopWaiter<Long>> waiters, int number) {
        List<Witness> nodes = allTiers ? feed.rules().ready() : feed.rules().preferred();
        List<Witness> asked =
                nodes.stream().filter(feed.questions()::mayAskHead).toList();
        if (asked.isEmpty() && !nodes.isEmpty()) {
            queued.addAll(waiters);
            return;
        }
        Poll poll = new Poll(waiters, number);
        if (poll.round.round().urgent()) {
            nodes.stream().filter(node -> !asked.contains(node)).forEach(poll.owing::add);
        }
        poll.open = asked.size() + poll.owing.size();
        current = poll;
        beganNanos = clock.getAsLong();
        if (asked.isEmpty()) {
            poll.release();
            return;
        }
        poll.patience = monitorLoop.schedule(poll::patienceEnded, Questions.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        asked.forEach(poll::ask);
    }

    /** Returns whether the known head is of no use to a call: there is none, or an answer has just named a higher block. */
    private boolean mustBeChecked() {
        long number = tracker.number();
        long sinceNanos = clock.getAsLong() - newlyDoubtedNanos;
        return number < 0 || (doubted.get() > number && sinceNanos < TimeUnit.MILLISECONDS.toNanos(FIRST_MILLIS));
    }

    private void headAnswered() {
        if (current != null) {
            current.askOwing();
        }
        if (!queued.isEmpty()) {
            List<LoopWaiter<Long>> waiters = new ArrayList<>(queued);
            queued.clear();
            begin(waiters, 1);
        }
    }

    /** One round. Confined to the monitor's event loop. */
    private final class Poll {

        private final HeadFeed.Round round = feed.begin();
        private final List<LoopWaiter<Long>> waiters;
        private final int number;
        /** Nodes that are awaited, but not asked yet, because they owe too many answers. */
        private final Set<Witness> owing = new LinkedHashSet<>();

        private int open;
        private boolean late;
        private boolean released;
        private @Nullable ScheduledFuture<?> patience;

        Poll(List<LoopWaiter<Long>> waiters, int number) {
            this.waiters = waiters;
            this.number = number;
        }

        void ask(Witness node) {
            feed.questions().head(node, head -> took(node, head));
        }

        void askOwing() {
            for (Witness node : List.copyOf(owing)) {
                if (feed.questions().mayAskHead(node) && owing.remove(node)) {
                    ask(node);
                }
            }
        }

        void took(Witness node, long head) {
            open--;
            if (head >= 0) {
                feed.named(round, node, head);
            }
            if (open == 0) {
                end();
            } else if (late || (!round.round().urgent() && tracker.fresh())) {
                settle();
            }
        }

        void patienceEnded() {
            late = true;
            boolean allElse = !owing.isEmpty() && open == owing.size();
            open -= owing.size();
            owing.clear();
            settle();
            if (allElse) {
                end();
            }
        }

        /** Releases the calls as soon as the heads named so far are checked. */
        private void settle() {
            if (!round.hasAnswers()) {
                return;
            }
            boolean isNeeded = round.isChecking() && mustBeChecked();
            if (!isNeeded && (!late || !round.isWaiting())) {
                release();
                return;
            }
            feed.settle(round, this::release);
            if (!released) {
                releaseLater();
            }
        }

        private void releaseLater() {
            cancelPatience();
            long millis = mustBeChecked() ? FIRST_MILLIS : Questions.PATIENCE_MILLIS;
            patience = monitorLoop.schedule(this::release, millis, TimeUnit.MILLISECONDS);
        }

        private void end() {
            feed.end(round, this::ended);
            if (late && !released) {
                // The check of a head that does not count yet may take long.
                releaseLater();
            }
        }

        private void ended(RoundResult result) {
            results.accept(result);
            boolean settled = result == RoundResult.CONFIRMED || result == RoundResult.WENT_BACK;
            // Only the lowest tier was heard, or it does not answer: the other tiers must be asked.
            boolean wider = result == RoundResult.UNKNOWN && !allTiers;
            allTiers = !settled && (allTiers || wider);
            boolean again = wider || result == RoundResult.DOUBTED;
            if (again && round.hasAnswers() && round.round().urgent() && !released && number < MAX_ROUNDS) {
                released = true;
                cancelPatience();
                HeadRefresh.this.begin(waiters, number + 1);
            } else {
                release();
            }
        }

        void release() {
            if (released) {
                return;
            }
            released = true;
            cancelPatience();
            if (current == this) {
                current = null;
            }
            long head = round.hasAnswers() ? tracker.number() : -1;
            waiters.forEach(waiter -> waiter.end(head));
            waiters.clear();
        }

        private void cancelPatience() {
            if (patience != null) {
                patience.cancel(false);
            }
        }
    }
}
