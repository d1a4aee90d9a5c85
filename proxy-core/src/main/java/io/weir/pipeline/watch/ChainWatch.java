package io.weir.pipeline.watch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.channel.EventLoop;
import io.weir.cache.CallKey;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.watch.BlockSource.Named;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates the chain view on demand only. It requests the newest block, and the blocks before it down to a known one. Gaps
 * are filled when a result depends on them. Blocks that clients requested are used too. Thread-safe.
 */
public final class ChainWatch {

    /** Nanoseconds for one check with all its requests. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Maximum number of calls and answers that wait for a check. For further ones the chain is unknown. */
    private static final int MAX_WAITING = 20_000;

    private final NetworkHead head;
    private final HeadTracker tracker;
    private final ChainView view;
    private final Finality finalized;
    private final BlockSource blocks;
    private final long maxAgeNanos;
    private final LongSupplier clock;
    private final IntPredicate budget;
    private final LinkFill fill;
    /** Results whose block was in a gap. If one comes again, it is worth more headers. */
    private final Cache<CallKey, Long> unplaced =
            Caffeine.newBuilder().maximumSize(1_024).executor(OutOfMemory::run).build();

    private final List<LoopWaiter<Boolean>> waiters = new ArrayList<>();
    private boolean running;
    /** Whether a call waits for the check that runs, and not only results that may be stored. */
    private boolean called;

    private volatile @Nullable Check last;

    /** Newest block that is not linked to the known ones yet. */
    private @Nullable Unlinked unlinked;

    /**
     * Check that linked the head to the known blocks. Immutable.
     *
     * @param number the head's
     * @param finalNumber the highest final block at its beginning
     * @param untilNanos until when the head was fresh then: the next poll shows whether its block has stayed
     */
    private record Check(HeadMoment begun, long beganNanos, long number, long finalNumber, long untilNanos) {}

    /**
     * Newest block with missing blocks below it. Immutable.
     *
     * @param shownBy when each node was asked that showed it
     */
    private record Unlinked(BlockLink block, Map<String, HeadMoment> shownBy) {}

    /**
     * @param maxAgeNanos how long the view is valid after a check
     * @param budget takes the fetches of so many older headers out of the budget; false if there are not enough
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public ChainWatch(
            NetworkHead head,
            ChainView view,
            Finality finalized,
            BlockSource blocks,
            long maxAgeNanos,
            IntPredicate budget,
            LongSupplier clock) {
        this.head = head;
        this.tracker = head.tracker();
        this.view = view;
        this.finalized = finalized;
        this.blocks = blocks;
        this.maxAgeNanos = maxAgeNanos;
        this.clock = clock;
        this.budget = budget;
        this.fill = new LinkFill(view, finalized, blocks, budget, clock);
    }

    /** Begins to take in the heads that nodes show. Called once. */
    public void start() {
        view.listen(reorg -> {
            head.linked(reorg.dropped());
            head.linked(reorg.added());
        });
        head.payBy(budget);
        head.listen((block, round, upstreamId) -> offerHead(block.link(), round, round.nanos(), upstreamId));
    }

    /** Returns whether the view is reliable now. */
    public boolean isFresh() {
        Check check = last;
        return check != null
                && tracker.covers(check.begun())
                && check.number() >= tracker.number()
                && (clock.getAsLong() - check.beganNanos() < maxAgeNanos || isUnpolled(check));
    }

    /**
     * Notifies a call when the view is reliable: at once, or after a check that all waiting calls share.
     *
     * @param loop the caller's event loop; the sink runs on it too
     * @param sink receives whether the view is reliable
     */
    public void whenFresh(EventLoop loop, long deadlineNanos, Consumer<Boolean> sink) {
        whenFresh(loop, deadlineNanos, true, sink);
    }

    /**
     * Notifies a result that could be stored when the view is reliable, as {@link #whenFresh}. If only such results wait, a check that
     * needs a header takes it out of the budget, and the view is not reliable if there is none left.
     */
    public void whenPlaceable(EventLoop loop, long deadlineNanos, Consumer<Boolean> sink) {
        whenFresh(loop, deadlineNanos, false, sink);
    }

    private void whenFresh(EventLoop loop, long deadlineNanos, boolean ofCall, Consumer<Boolean> sink) {
        if (isFresh()) {
            sink.accept(true);
            return;
        }
        LoopWaiter<Boolean> waiter = new LoopWaiter<>(loop, sink);
        boolean first;
        boolean full;
        synchronized (this) {
            full = waiters.size() >= MAX_WAITING;
            if (!full) {
                waiters.add(waiter);
            }
            first = !running && !full;
            called = ofCall || (called && running);
            running = running || first;
        }
        if (full) {
            sink.accept(false);
            return;
        }
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), false);
        if (first) {
            long until = clock.getAsLong() + CHECK_NANOS;
            Check before = last;
            head.whenShown(loop, until, number -> begin(loop, number, until, before));
        }
    }

    /**
     * Extends the view down to a block above the final ones, so that it is known whether the block is canonical.
     *
     * @param key of the result that depends on the block
     * @param loop the caller's event loop; the sink runs on it too
     * @param sink receives whether the hash of the canonical block at the height is known
     */
    public void whenReached(CallKey key, EventLoop loop, long number, Consumer<Boolean> sink) {
        boolean known = view.hash(number) != null;
        fill.reach(loop, number, !known && unplaced.asMap().putIfAbsent(key.compact(), number) != null, sink);
    }

    /**
     * Extends the view down to a block, for those who follow the chain and need each block.
     *
     * @param loop the caller's event loop; the sink runs on it too
     * @param sink receives whether the hash of the canonical block at the height is known
     */
    public void whenFilled(EventLoop loop, long number, Consumer<Boolean> sink) {
        fill.follow(loop, number, sink);
    }

    /** Returns whether the view has, or can be extended to, the canonical block at a height. */
    public boolean isReachable(long number) {
        return fill.isPossible(number);
    }

    /** Offers the newest block, requested by its number after a moment. It can replace a check. */
    public void offerHead(BlockLink block, HeadMoment begun, long beganNanos, String upstreamId) {
        if (block.number() == tracker.number() && tracker.covers(begun)) {
            String known = view.hash(block.number());
            boolean other = known != null && !known.equals(block.hash());
            if (view.top() < 0) {
                view.restart(List.of(block), upstreamId);
                succeeded(check(begun, beganNanos, block.number(), finalized.numberBefore(begun)));
            } else if (!other && view.attach(List.of(block), upstreamId)) {
                succeeded(check(begun, beganNanos, block.number(), finalized.numberBefore(begun)));
            } else if (!other && block.number() > view.top() + 1) {
                // Blocks between it and the known ones were not seen. A check reads them.
                last = null;
                shownUnlinked(block, begun, upstreamId);
            } else {
                // It does not lead to the known blocks. Which of them stayed shows a check.
                tracker.outdate();
            }
        }
    }

    private void shownUnlinked(BlockLink block, HeadMoment begun, String upstreamId) {
        synchronized (this) {
            Unlinked before = unlinked;
            Map<String, HeadMoment> shownBy = new HashMap<>();
            if (before != null && before.block().equals(block)) {
                shownBy.putAll(before.shownBy());
            }
            shownBy.put(upstreamId, begun);
            unlinked = new Unlinked(block, shownBy);
        }
        // A check may have read the missing blocks in the meantime.
        nameLinked();
    }

    /** Counts the nodes that showed the newest block before it was linked. Otherwise their results about it would not be stored. */
    private void nameLinked() {
        final Unlinked shown;
        synchronized (this) {
            shown = unlinked;
            if (shown == null || shown.block().number() > view.top()) {
                return;
            }
            unlinked = null;
        }
        shown.shownBy().forEach((upstreamId, begun) -> {
            if (tracker.covers(begun)) {
                view.named(shown.block(), upstreamId);
            }
        });
    }

    /**
     * Compares a block that a node has at a height with the view, before any other part learns of it. If the view has
     * another block there, or its blocks do not lead to this one, the chain has changed. Nothing known about it is reliable
     * until it is checked.
     */
    public void compare(BlockLink block) {
        long top = view.top();
        String known = view.hash(block.number());
        boolean other = known == null
                ? top >= 0 && block.number() > top && !block.parentHash().equals(view.hash(block.number() - 1))
                : !known.equals(block.hash());
        if (other && isFresh()) {
            tracker.outdate();
        }
    }

    /** Returns whether nothing was to be heard of the head since the check. A node that names its number alone may have another block. */
    private boolean isUnpolled(Check check) {
        return check.number() == tracker.number() && tracker.fresh() && clock.getAsLong() - check.untilNanos() < 0;
    }

    private Check check(HeadMoment begun, long beganNanos, long number, long finalNumber) {
        return new Check(begun, beganNanos, number, finalNumber, tracker.freshUntilNanos());
    }

    private void begin(EventLoop loop, long number, long until, @Nullable Check before) {
        // The poll that confirmed the head may have shown its block as well.
        boolean checked = !Objects.equals(last, before) && isFresh();
        if (number < 0 || checked || !(isCalled() || budget.test(headers(number)))) {
            end(checked);
            return;
        }
        Check check = check(tracker.now(), clock.getAsLong(), number, finalized.number());
        blocks.byNumber(loop, number, until, named -> {
            if (named == null || named.link().number() != number || number < tracker.number()) {
                end(false);
            } else {
                head.compare(named.link(), named.upstreamId(), loop, counts -> {
                    if (counts) {
                        unlessStays(named.link(), loop, until, stays -> walk(check, named, stays, loop, until));
                    } else {
                        tracker.outdate();
                        end(false);
                    }
                });
            }
        });
    }

    private void walk(Check check, Named named, boolean stays, EventLoop loop, long until) {
        if (stays) {
            found(check, true);
        } else {
            new HeadWalk(view, finalized, blocks, loop, until, named, found -> found(check, found))
                    .begin(finalized.settled(), budget);
        }
    }

    /**
     * Finds out whether the newest known block stays beside a rival at or below its height. Nodes may disagree for a while, and where they
     * forget what was replaced, the first block counts until no node has it.
     */
    private void unlessStays(BlockLink rival, EventLoop loop, long until, Consumer<Boolean> sink) {
        String newest = view.hash(view.top());
        boolean isRival =
                newest != null && rival.number() <= view.top() && !rival.hash().equals(view.hash(rival.number()));
        if (newest == null || !isRival || !blocks.forgetsReplaced()) {
            sink.accept(false);
        } else {
            blocks.byHash(loop, newest, until, known -> sink.accept(known != null));
        }
    }

    private synchronized boolean isCalled() {
        return called;
    }

    /** Above a gap an older block is compared too. */
    private int headers(long number) {
        return number > view.top() + 1 && view.top() >= 0 ? 2 : 1;
    }

    private void found(Check check, boolean found) {
        if (found) {
            succeeded(check);
            nameLinked();
        }
        end(found && tracker.covers(check.begun()));
    }

    private void succeeded(Check check) {
        synchronized (this) {
            Check before = last;
            if (before != null && check.beganNanos() - before.beganNanos() < 0) {
                // A newer check has ended before. The blocks that were final at its beginning stay so.
                return;
            }
            last = check;
            finalized.settle(check.finalNumber());
        }
        String hash = view.hash(check.finalNumber());
        if (hash != null) {
            // It shows later whether final blocks were replaced.
            finalized.anchor(check.finalNumber(), hash);
        }
        view.settle(check.finalNumber());
    }

    private void end(boolean known) {
        List<LoopWaiter<Boolean>> ending;
        synchronized (this) {
            running = false;
            ending = List.copyOf(waiters);
            waiters.clear();
        }
        ending.forEach(waiter -> waiter.end(known));
    }
}
