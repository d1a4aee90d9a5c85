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
 * Keeps the chain view true, and only when a call needs to know: asks for the newest block, and for those before it down to one
 * that is known. A block that a client asked for tells the same. Thread-safe.
 */
public final class ChainWatch {

    /** For how long one check may take, all its questions together. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The deepest reorganisation, and the longest gap, that is followed block by block. */
    private static final int MAX_STEPS = 80;

    /** Calls and answers that may wait for a check; to the others the chain is not known. */
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

    /** A check that found how the head hangs together with what was known. */
    private record Check(HeadRound round, long beganNanos) {}

    /**
     * Begins without knowing anything.
     *
     * @param maxAgeNanos for how long the view is true after it was checked
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

    /** Whether the view can be relied on now. */
    public boolean isFresh() {
        Check check = last;
        return check != null && tracker.covers(check.round()) && clock.getAsLong() - check.beganNanos() < maxAgeNanos;
    }

    /**
     * Tells a call when the view can be relied on: at once, or after a check that all who wait share.
     *
     * @param loop called on it; the sink runs on it too
     * @param sink gets whether it can
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

    /** Takes the newest block, as it was asked for by its number after the round began: it saves a check, where it can. */
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
     * Hears which block a node has at a height, before anybody else is told. Where the view has another one there, or what it has
     * does not lead to it, the chain has changed, and nothing that is known of it may be relied on until it was looked at.
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

    /** The way from the newest block down to one that is known. Confined to its event loop. */
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

        /** Whether no block before this one can lead to a known one soon. */
        private boolean isPointless(BlockLink lowest) {
            long gap = Math.max(0, lowest.number() - view.top());
            boolean below = gap == 0 && view.at(lowest.number() - 1) == null;
            return view.top() < 0 || lowest.number() == 0 || below || gap + branch.size() > MAX_STEPS;
        }

        /**
         * What is final stays where it is final still: without that, everything kept would have to go whenever a chain that has
         * not been watched for long reorganises.
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
