package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;
import io.weir.chain.FinalizedHeight.Anchor;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates the chain view on demand only. It requests the newest block, and the blocks before it down to a known one. Blocks
 * that clients requested are used too. Thread-safe.
 */
public final class ChainWatch {

    /** Nanoseconds for one check with all its requests. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Maximum depth of a reorganisation, and length of a gap, that is followed block by block. */
    private static final int MAX_STEPS = 80;

    /** Maximum number of calls and answers that wait for a check. For further ones the chain is unknown. */
    private static final int MAX_WAITING = 20_000;

    private final NetworkHead head;
    private final HeadTracker tracker;
    private final ChainView view;
    private final FinalizedHeight finalized;
    private final BlockSource blocks;
    private final long maxAgeNanos;
    private final LongSupplier clock;
    private final List<LoopWaiter<Boolean>> waiters = new ArrayList<>();
    private boolean running;
    private volatile @Nullable Check last;

    /** Check that linked the head to the known blocks. Immutable. */
    private record Check(HeadRound round, long beganNanos) {}

    /**
     * Creates a watch without any knowledge.
     *
     * @param maxAgeNanos how long the view is valid after a check
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public ChainWatch(
            NetworkHead head,
            ChainView view,
            FinalizedHeight finalized,
            BlockSource blocks,
            long maxAgeNanos,
            LongSupplier clock) {
        this.head = head;
        this.tracker = head.tracker();
        this.view = view;
        this.finalized = finalized;
        this.blocks = blocks;
        this.maxAgeNanos = maxAgeNanos;
        this.clock = clock;
    }

    /** Returns whether the view is reliable now. */
    public boolean isFresh() {
        Check check = last;
        return check != null && tracker.covers(check.round()) && clock.getAsLong() - check.beganNanos() < maxAgeNanos;
    }

    /**
     * Notifies a call when the view is reliable: at once, or after a check that all waiting calls share.
     *
     * @param loop the caller's event loop; the sink runs on it too
     * @param sink receives whether the view is reliable
     */
    public void whenFresh(EventLoop loop, long deadlineNanos, Consumer<Boolean> sink) {
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
            running = running || first;
        }
        if (full) {
            sink.accept(false);
            return;
        }
        waiter.giveUpAfter(deadlineNanos - clock.getAsLong(), false);
        if (first) {
            long until = clock.getAsLong() + CHECK_NANOS;
            head.whenFresh(loop, until, number -> begin(loop, number, until));
        }
    }

    /** Offers the newest block, requested by its number after the round began. It can replace a check. */
    public void offerHead(BlockLink block, HeadRound round, long beganNanos, String upstreamId) {
        if (block.number() == tracker.number() && tracker.covers(round)) {
            if (view.top() < 0) {
                view.restart(List.of(block), upstreamId);
                last = newer(new Check(round, beganNanos));
            } else if (view.attach(List.of(block), upstreamId)) {
                last = newer(new Check(round, beganNanos));
            }
        }
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

    private Check newer(Check check) {
        Check before = last;
        return before == null || check.beganNanos() - before.beganNanos() > 0 ? check : before;
    }

    private void begin(EventLoop loop, long number, long until) {
        if (number < 0) {
            end(false);
            return;
        }
        Check check = new Check(tracker.begin(), clock.getAsLong());
        blocks.byNumber(loop, number, until, named -> {
            if (named == null || named.link().number() != number || number < tracker.number()) {
                end(false);
            } else {
                new Walk(loop, until, check, named.upstreamId(), named.link()).step();
            }
        });
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

    /** Walk from the newest block down to a known one. Confined to its event loop. */
    private final class Walk {

        private final EventLoop loop;
        private final long until;
        private final Check check;
        private final String upstreamId;
        private final List<BlockLink> branch = new ArrayList<>();

        Walk(EventLoop loop, long until, Check check, String upstreamId, BlockLink newest) {
            this.loop = loop;
            this.until = until;
            this.check = check;
            this.upstreamId = upstreamId;
            branch.add(newest);
        }

        void step() {
            BlockLink lowest = branch.get(branch.size() - 1);
            if (view.attach(branch, upstreamId)) {
                found();
            } else if (isPointless(lowest)) {
                restart(lowest);
            } else {
                blocks.byHash(loop, lowest.parentHash(), until, named -> {
                    if (named == null || named.link().number() != lowest.number() - 1) {
                        end(false);
                    } else {
                        branch.add(named.link());
                        step();
                    }
                });
            }
        }

        /** Returns whether no block before this one can lead to a known one soon. */
        private boolean isPointless(BlockLink lowest) {
            long gap = Math.max(0, lowest.number() - view.top());
            boolean below = gap == 0 && view.at(lowest.number() - 1) == null;
            return view.top() < 0 || lowest.number() == 0 || below || gap + branch.size() > MAX_STEPS;
        }

        /**
         * Restarts the view, but keeps final blocks as final. Otherwise a reorganisation after a long pause would drop all
         * cached results.
         */
        private void restart(BlockLink lowest) {
            Anchor anchor = finalized.anchor();
            if (anchor == null || lowest.number() > view.top()) {
                restart(-1);
            } else {
                blocks.byNumber(loop, anchor.number(), until, named -> {
                    if (named == null || named.link().number() != anchor.number()) {
                        end(false);
                    } else {
                        restart(named.link().hash().equals(anchor.hash()) ? finalized.number() : -1);
                    }
                });
            }
        }

        private void restart(long stayed) {
            view.restart(branch, upstreamId, stayed);
            found();
        }

        private void found() {
            last = check;
            end(tracker.covers(check.round()));
        }
    }
}
