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
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.BlockAnswer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follower of one network's chain: decides when which nodes are asked for their newest block, and what is done with it. Confined to the
 * monitor's event loop, except for the methods of {@link NetworkHead} and those marked as thread-safe.
 *
 * <ul>
 *   <li>While calls want the head, one node is asked for its newest block, as the schedule of the head says. While nodes announce theirs
 *       ({@link Announcements}), these polls only find out what is missing. Once a node has shown a new head, the others are asked.
 *   <li>A call for which only time has passed since the head was confirmed waits for one node. After an event such as a write, or if that
 *       node does not help, all nodes of the lowest tier are asked at once. Other tiers are asked too once the lowest tier alone names a
 *       lower head than the known one.
 *   <li>If only time has passed, the first node that confirms the head is enough. After an event, all nodes are awaited. A slow node delays
 *       a call by at most {@link Questions#PATIENCE_MILLIS} after another node has answered. Its late answer still counts.
 *   <li>If all nodes name a lower head after an event, they are asked a second time at once.
 *   <li>A head that no other node confirms is checked before the call gets the head; see {@link Round}. If an answer has just named a
 *       higher block than the known head, calls wait longer for that: their client may have read it.
 * </ul>
 */
public final class Follower implements NetworkHead {

    /** Nanoseconds for which polls go on after the last call that wanted the head, and block times if these are longer. */
    private static final long INTEREST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int INTEREST_BLOCKS = 2;

    /** How exactly it is known when a call last wanted the head. */
    private static final long WANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Nanoseconds until the next poll if the head is in doubt or a poll failed. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Shortest time between two looks at the schedule. */
    private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Least time between rounds just after a transaction, while nobody knows whether nodes mine it at once. */
    private static final long UNSURE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Time after the start in which no node is believed before each was heard from. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Seconds after which a node that lacked the new head is asked again. */
    private static final int[] AGAIN_SECONDS = {1, 3};

    /** Below this block time a node that lacks the new head is soon asked for the next one. */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Longest time until other nodes are asked for an announced head, which they may get moments later; and share of the block time. */
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final int SOON_SHARE = 40;

    private final HeadTracker tracker;
    private final List<Witness> witnesses;
    final EventLoop loop;
    private final LongSupplier clock;
    private final Runnable traffic;
    private final Consumer<RoundResult> results;
    private final HeadRules rules;
    final Questions questions;
    private final Claims claims;
    private final Finality finality;
    private final FinalityPolls finalityPolls;
    private final Announcements announcements;
    private final List<HeadBlockListener> listeners = new CopyOnWriteArrayList<>();
    private volatile IntPredicate budget = calls -> true;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final long startedNanos;
    private volatile long wantedNanos;
    private volatile boolean closed;

    private @Nullable ScheduledFuture<?> nextPoll;
    /** Until when no poll begins, because one has failed. */
    private long notBeforeNanos;

    private @Nullable Round poll;
    /** The node that is polled: the same one while it shows new blocks, and none that owes an answer. */
    private @Nullable Witness source;
    /** The block that a node showed last as the newest. */
    private BlockAnswer newest = BlockAnswer.without(Kind.NONE);
    /** The last head that was asked for because it was known by its number alone. */
    private long unshownNumber = -1;
    /** The head that the first poll found; -1 before. */
    private long firstNumber = -1;

    /** Round of all nodes that calls wait for. */
    private @Nullable Round current;

    private long beganNanos;
    private boolean allTiers;
    /** Calls that need a newer round than the current one, while every node has too many unanswered requests. */
    private final List<LoopWaiter<Long>> queued = new ArrayList<>();
    /** Calls for which no round begins yet. */
    private final List<LoopWaiter<Long>> delayed = new ArrayList<>();

    /**
     * Creates a follower that starts with the tracker's head.
     *
     * @param maxLag blocks by which a node may be ahead of all others
     * @param byBlock whether nodes show their newest block; else they only name its number
     * @param tagged whether nodes have the tags of final blocks
     * @param loop the loop on which nodes are asked
     * @param traffic runs for each call that wants the head
     * @param results receives the result of each round
     */
    public Follower(
            HeadTracker tracker,
            Finality finality,
            List<? extends Witness> witnesses,
            long maxLag,
            boolean byBlock,
            boolean tagged,
            EventLoop loop,
            LongSupplier clock,
            LongSupplier wallSeconds,
            Runnable traffic,
            Consumer<RoundResult> results) {
        this.tracker = tracker;
        this.witnesses = List.copyOf(witnesses);
        this.loop = loop;
        this.clock = clock;
        this.traffic = traffic;
        this.results = results;
        this.rules = new HeadRules(this.witnesses, maxLag);
        this.questions = new Questions(tracker, byBlock, wallSeconds, this::headAnswered);
        this.claims = new Claims(tracker, rules, questions, this.witnesses, clock, wallSeconds);
        this.finality = finality;
        this.finalityPolls = new FinalityPolls(
                finality, maxLag, tracker, tagged ? this.witnesses : List.of(), questions, loop, clock);
        this.announcements = new Announcements(this, loop, clock);
        this.startedNanos = clock.getAsLong();
        this.beganNanos = startedNanos - UNSURE_NANOS;
        this.wantedNanos = startedNanos;
        this.notBeforeNanos = startedNanos;
    }

    @Override
    public HeadTracker tracker() {
        return tracker;
    }

    @Override
    public void whenFresh(EventLoop callLoop, long deadlineNanos, LongConsumer sink) {
        wanted();
        if (tracker.fresh()) {
            sink.accept(tracker.number());
        } else if (loop.inEventLoop()) {
            coalesce(waiter(callLoop, deadlineNanos, sink));
        } else {
            coalesceLater(waiter(callLoop, deadlineNanos, sink));
        }
    }

    @Override
    public void whenShown(EventLoop callLoop, long deadlineNanos, LongConsumer sink) {
        wanted();
        // One task of the monitor's loop takes the number of a head and shows its block.
        coalesceLater(waiter(callLoop, deadlineNanos, sink));
    }

    private LoopWaiter<Long> waiter(EventLoop callLoop, long deadlineNanos, LongConsumer sink) {
        LoopWaiter<Long> waiter = new LoopWaiter<>(callLoop, sink::accept);
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), -1L);
        return waiter;
    }

    private void coalesceLater(LoopWaiter<Long> waiter) {
        if (!execute(() -> coalesce(waiter))) {
            waiter.end(-1L);
        }
    }

    /** Returns whether the task will run. Thread-safe. */
    private boolean execute(Runnable task) {
        boolean runs = !loop.isShuttingDown();
        if (runs) {
            loop.execute(task);
        }
        return runs;
    }

    @Override
    public void seen(String upstreamId, long number) {
        Witness node = rules.witness(upstreamId);
        if (node == null) {
            return;
        }
        if (claims.raise(node, number)) {
            node.seen(number);
            // The next poll finds the block there.
            execute(() -> source = sources().contains(node) ? node : source);
        } else if (number <= node.believed() && claims.isDoubt(number)) {
            // The next call that wants the head asks all nodes.
            tracker.outdate();
        }
    }

    @Override
    public void missing(long number) {
        claims.missing(number);
        tracker.outdate();
    }

    @Override
    public void linked(List<BlockLink> blocks) {
        execute(() -> claims.linked(blocks));
    }

    @Override
    public void compare(BlockLink block, String upstreamId, EventLoop callLoop, Consumer<Boolean> sink) {
        Witness node = rules.witness(upstreamId);
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(callLoop, sink);
        // Nodes that name numbers alone are not compared by the blocks that the proxy asks them for.
        boolean compares = node != null && questions.showsBlocks() && !rules.isAlone();
        if (node == null || !compares || !execute(() -> waiter.end(claims.hears(node, BlockAnswer.of(block))))) {
            sink.accept(true);
        }
    }

    @Override
    public void listen(HeadBlockListener listener) {
        listeners.add(listener);
    }

    @Override
    public void payBy(IntPredicate calls) {
        budget = calls;
    }

    @Override
    public Finality finality() {
        return finality;
    }

    @Override
    public void whenAgreed(EventLoop callLoop, BlockTag tag, long deadlineNanos, Consumer<Finality.Agreed> sink) {
        finalityPolls.whenAgreed(callLoop, tag, deadlineNanos, sink);
    }

    @Override
    public void whenFinalKnown(EventLoop callLoop, long maxAgeNanos, long deadlineNanos, Consumer<Boolean> sink) {
        if (finalityPolls.isRecent(BlockTag.FINALIZED, maxAgeNanos, true)) {
            sink.accept(false);
        } else {
            whenFresh(
                    callLoop,
                    deadlineNanos,
                    head -> finalityPolls.whenAsked(
                            callLoop, BlockTag.FINALIZED, maxAgeNanos, true, deadlineNanos, sink));
        }
    }

    /** Stops the polls and announcements. Thread-safe. */
    public void close() {
        closed = true;
        execute(announcements::close);
    }

    private void coalesce(LoopWaiter<Long> waiter) {
        if (tracker.fresh()) {
            waiter.end(tracker.number());
        } else if (current != null && current.isOpen() && tracker.covers(current.began())) {
            current.join(List.of(waiter));
        } else if (canAskOne()) {
            askOne(List.of(waiter));
        } else if (tracker.isUnsure() && clock.getAsLong() - beganNanos < UNSURE_NANOS) {
            askLater(waiter, beganNanos + UNSURE_NANOS - clock.getAsLong());
        } else if (tracker.number() < 0 && !rules.isHeard() && clock.getAsLong() - startedNanos < START_NANOS) {
            askLater(waiter, UNSURE_NANOS);
        } else {
            askAll(List.of(waiter), 1);
        }
    }

    private void askLater(LoopWaiter<Long> waiter, long nanos) {
        delayed.add(waiter);
        if (delayed.size() == 1) {
            loop.schedule(() -> take(delayed).forEach(this::coalesce), nanos, TimeUnit.NANOSECONDS);
        }
    }

    private static List<LoopWaiter<Long>> take(List<LoopWaiter<Long>> waiters) {
        List<LoopWaiter<Long>> taken = List.copyOf(waiters);
        waiters.clear();
        return taken;
    }

    public Claims claims() {
        return claims;
    }

    /** Begins a round; called before the first node is asked. */
    public Round begin() {
        return new Round(this, tracker.now(), List.of());
    }

    /** @param turn of the rounds for these calls */
    void askAll(List<LoopWaiter<Long>> waiters, int turn) {
        List<Witness> nodes = allTiers ? rules.ready() : rules.preferred();
        if (!nodes.isEmpty() && nodes.stream().noneMatch(questions::mayAskHead)) {
            queued.addAll(waiters);
            return;
        }
        current = new Round(this, tracker.now(), waiters);
        beganNanos = clock.getAsLong();
        current.askAll(nodes, turn);
    }

    private void headAnswered() {
        if (current != null && current.isOpen()) {
            current.askOwing();
        }
        if (!queued.isEmpty()) {
            askAll(take(queued), 1);
        }
    }

    /** Notes the result of a round of all nodes. Returns whether calls that still wait need another one. */
    boolean ended(RoundResult result) {
        results.accept(result);
        boolean settled = result == RoundResult.CONFIRMED || result == RoundResult.WENT_BACK;
        // Only the lowest tier was heard, or it does not answer: the other tiers must be asked.
        boolean wider = result == RoundResult.UNKNOWN && !allTiers;
        allTiers = !settled && (allTiers || wider);
        return wider || result == RoundResult.DOUBTED;
    }

    /** Notes that a call wants the head. Thread-safe. */
    private void wanted() {
        traffic.run();
        long now = clock.getAsLong();
        if (now - wantedNanos > WANTED_NANOS) {
            wantedNanos = now;
        }
        if (!armed.get() && !closed && !loop.isShuttingDown() && armed.compareAndSet(false, true)) {
            loop.execute(() -> {
                announcements.open();
                schedule();
            });
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

    private void schedule() {
        long now = clock.getAsLong();
        boolean usual = poll == null && canAskOne();
        long nanos = usual ? Math.max(tracker.nextPollNanos() - now, notBeforeNanos - now) : RETRY_NANOS;
        nextPoll = loop.schedule(this::due, Math.max(MIN_NANOS, nanos), TimeUnit.NANOSECONDS);
    }

    private void due() {
        if (closed || !isWanted()) {
            armed.set(false);
            return;
        }
        announcements.open();
        try {
            if (tracker.nextPollNanos() - clock.getAsLong() <= 0 && hasWaited() && poll == null && canAskOne()) {
                askOne(List.of());
            }
        } finally {
            schedule();
        }
    }

    /** Polls at once after the end of announcements that held polls back, because the last ones may be missing. */
    void lostAnnouncements() {
        if (!closed && nextPoll != null && nextPoll.cancel(false)) {
            if (poll == null && canAskOne()) {
                askOne(List.of());
            }
            schedule();
        }
    }

    /** Notes that a node named the head. */
    void confirmed() {
        if (questions.showsBlocks() && armed.get()) {
            execute(this::askUnshown);
        }
    }

    /** Asks for the block of a head of which only the number is known, so that answers about it can be stored, if that is worth it. */
    private void askUnshown() {
        long head = tracker.number();
        boolean isUnshown = head != newest.number() && head != unshownNumber;
        if (isUnshown && !closed && poll == null && canAskOne() && hasWaited()) {
            unshownNumber = head;
            int calls = rules.preferred().size();
            if (budget.test(calls)) {
                askOne(List.of());
            }
        }
    }

    private boolean hasWaited() {
        return notBeforeNanos - clock.getAsLong() <= 0;
    }

    /** Returns whether one node can be asked for a call, because only time has passed since the head was confirmed. */
    private boolean canAskOne() {
        return tracker.number() >= 0 && !tracker.isDoubtful() && (poll != null || source() != null);
    }

    /** Asks one node for waiting calls; a poll under way serves them too. */
    private void askOne(List<LoopWaiter<Long>> waiters) {
        Witness node = poll == null ? source() : null;
        if (poll != null) {
            poll.join(waiters);
        } else if (node == null) {
            askAll(waiters, 1);
        } else {
            Round round = new Round(this, tracker.now(), waiters);
            poll = round;
            round.await(Questions.PATIENCE_MILLIS, () -> failed(round, node));
            questions.newest(node, answer -> polled(round, node, answer));
        }
    }

    /** Returns the nodes of the lowest tier of which new blocks are heard. */
    List<Witness> sources() {
        return rules.sources(tracker.known(), clock.getAsLong());
    }

    private @Nullable Witness source() {
        List<Witness> sources = sources();
        if (source == null || !sources.contains(source) || questions.owesNewest(source)) {
            source = sources.stream()
                    .filter(one -> !questions.owesNewest(one))
                    .findFirst()
                    .orElse(null);
        }
        return source;
    }

    /** Polls the next node from now on: another one may be ahead of the asked one. */
    private void rotate(Witness asked) {
        List<Witness> sources = sources();
        int index = sources.indexOf(asked);
        if (index >= 0) {
            source = sources.get((index + 1) % sources.size());
        }
    }

    /** Asks all nodes, because the polled one is late, fails, or contradicts what is known. */
    private void failed(Round round, Witness node) {
        if (poll == round) {
            poll = null;
            rotate(node);
            notBeforeNanos = clock.getAsLong() + RETRY_NANOS;
            askAll(round.leave(), 1);
        }
    }

    private void polled(Round round, Witness node, BlockAnswer block) {
        boolean counts = block.kind() == Kind.SHOWN && round.shown(node, block, () -> {});
        if (poll != round) {
            if (counts) {
                shownBeside(round, node, block, newest);
            }
        } else if (!counts || block.number() < tracker.number()) {
            failed(round, node);
        } else {
            poll = null;
            results.accept(RoundResult.CONFIRMED);
            boolean newlyShown = block.number() != newest.number();
            firstNumber = firstNumber < 0 ? block.number() : firstNumber;
            // The waiting calls find the block known, so that their answers can be stored.
            tell(round, node, block);
            round.release(tracker.number());
            node.named = block.number();
            if (newlyShown) {
                askOthers(block, 0);
            } else {
                rotate(node);
                if (tracker.number() <= firstNumber) {
                    // Until the head has grown, nobody knows which nodes stand still.
                    witnesses.stream().filter(one -> !one.equals(node)).forEach(one -> one.named = -1);
                    askOthers(block, 0);
                }
            }
        }
    }

    /** Takes an announced block that is the head now. */
    void announced(Round round, Witness node, BlockAnswer block, boolean replaces) {
        node.named = block.number();
        boolean newlyShown = block.number() != newest.number();
        // The next block shows which of two blocks at one height stays. Until then the first one counts.
        if (replaces || newlyShown || block.hash().equals(newest.hash())) {
            tell(round, node, block);
            // A poll is to find what this node missed.
            if (node.equals(source())) {
                rotate(node);
            }
            if (newlyShown) {
                long nanos = Math.min(SOON_NANOS, tracker.blockNanos() / SOON_SHARE);
                loop.schedule(() -> askOthers(block, 0), nanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    /**
     * Asks the other nodes of the lowest tier whether they have a new head too, so that calls about it can go to them. Nodes that show
     * blocks are asked for the block, because an answer can only be stored if its node has named the block.
     */
    private void askOthers(BlockAnswer head, int turn) {
        if (tracker.number() != head.number()) {
            return;
        }
        List<Witness> missing = rules.preferred().stream()
                .filter(node -> node.named != head.number())
                .toList();
        for (Witness node : missing) {
            if (!questions.owesNewest(node)) {
                Round round = begin();
                questions.newest(node, block -> {
                    if (block.kind() == Kind.SHOWN && round.shown(node, block, () -> {})) {
                        shownBeside(round, node, block, head);
                    }
                });
            }
        }
        if (!missing.isEmpty() && turn < AGAIN_SECONDS.length && tracker.blockNanos() > SHORT_NANOS) {
            loop.schedule(() -> askOthers(head, turn + 1), AGAIN_SECONDS[turn], TimeUnit.SECONDS);
        }
    }

    /** Takes the block that a node showed beside the head that another one has shown. */
    private void shownBeside(Round round, Witness node, BlockAnswer block, BlockAnswer head) {
        // In doubt the node is asked again.
        if (tracker.covers(round.began())) {
            node.named = block.number();
        }
        // The next block shows which of two blocks at one height stays. Until then the first one counts.
        boolean same = block.number() == head.number() && block.hash().equals(head.hash());
        if (same || block.number() > head.number()) {
            tell(round, node, block);
        }
    }

    /** Tells the schedule and the listeners of a block. */
    private void tell(Round round, Witness node, BlockAnswer block) {
        // In doubt nobody takes the block.
        if (tracker.covers(round.began())) {
            newest = block;
        }
        if (block.seconds() > 0) {
            tracker.timestamp(block.number(), block.seconds());
            questions.readPace(node, block);
        }
        ShownBlock text = block.block();
        if (text != null) {
            listeners.forEach(listener -> listener.shown(text, round.began(), node.id()));
        }
    }
}
