package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalityAgreement;
import io.weir.chain.FinalizedHeight;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.watch.BlockSource.Finalized;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Finds out on demand which blocks are final: by the tag if a node has it, otherwise by the depth under the head. Nodes are
 * asked at most once in {@link #PAUSE_NANOS} and in a few block times. Thread-safe.
 */
public final class FinalityWatch {

    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Block times between two questions, if these are longer. */
    private static final int PAUSE_BLOCKS = 5;

    private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time for the words of several nodes. They are kept if they come later, and calls must not wait for a node that hangs. */
    private static final long AGREEING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Maximum number of answers that wait for finality; further ones are not cached. */
    private static final int MAX_WAITING = 1_000;

    private final FinalizedHeight height;
    private final NetworkHead head;
    private final BlockSource blocks;
    private final long depth;
    private final LongSupplier clock;
    /** The blocks that answers of nodes call final by their status. */
    private final FinalityAgreement statuses = new FinalityAgreement(0);

    private final List<LoopWaiter<Boolean>> waiters = new ArrayList<>();
    private boolean running;
    /** Whether a node has the tag. If so, the depth does not count, however long the tag stands still. */
    private volatile boolean tagged;

    private boolean asked;
    private long askedNanos;
    private volatile Consumer<EventLoop> listener = loop -> {};

    /**
     * Creates a watch without any knowledge.
     *
     * @param depth blocks behind the head at which one counts as final, if no node has the tag; -1 if none does, and never the head
     */
    public FinalityWatch(FinalizedHeight height, NetworkHead head, BlockSource blocks, long depth, LongSupplier clock) {
        this.height = height;
        this.head = head;
        this.blocks = blocks;
        this.depth = depth;
        this.clock = clock;
    }

    /** Registers a listener. It runs each time nodes were asked, on the loop of the call that caused it. */
    public void listen(Consumer<EventLoop> listener) {
        this.listener = listener;
    }

    /** Runs an action as soon as the finality of a block is known as well as necessary; called and run on the loop. */
    public void whenKnown(EventLoop loop, long number, Runnable action) {
        boolean first;
        synchronized (this) {
            boolean recent = asked && clock.getAsLong() - askedNanos < pauseNanos();
            if (height.covers(number) || isUntold(number) || (recent && !running) || waiters.size() >= MAX_WAITING) {
                first = false;
            } else {
                waiters.add(new LoopWaiter<>(loop, known -> action.run()));
                first = !running;
                running = true;
                if (!first) {
                    return;
                }
            }
            if (first) {
                asked = true;
                askedNanos = clock.getAsLong();
            }
        }
        if (first) {
            long until = clock.getAsLong() + (head.finality() == null ? ASKING_NANOS : AGREEING_NANOS);
            head.whenFresh(
                    loop,
                    until,
                    top -> blocks.finalized(loop, until, named -> {
                        learn(named, top);
                        listener.accept(loop);
                    }));
        } else {
            action.run();
        }
    }

    /** Returns whether nodes cannot tell that a block is final: without a depth only their tag does, and never of the head. */
    private boolean isUntold(long number) {
        return depth < 0 && (head.finality() == null || number >= head.tracker().number());
    }

    /**
     * Notes that the status in a node's answer calls a block final. Of several nodes, two must do so.
     *
     * @param alone whether the network has one node
     */
    public void named(String upstreamId, long number, boolean alone) {
        if (!height.covers(number)) {
            statuses.named(BlockTag.FINALIZED, upstreamId, number, "");
            long agreed = alone ? number : statuses.agreed(BlockTag.FINALIZED).number();
            height.raise(agreed, head.tracker().now());
        }
    }

    /** Forgets all final blocks, because the chain was replaced below them. */
    public void forget() {
        height.forget();
        statuses.wentBack(-1);
    }

    private long pauseNanos() {
        return Math.max(PAUSE_NANOS, PAUSE_BLOCKS * head.tracker().blockNanos());
    }

    private void learn(Finalized named, long top) {
        // Development nodes call the head final, and then roll it back.
        boolean meansHead = named.number() >= top && top >= 0;
        if (named.number() >= 0 && !meansHead) {
            tagged = true;
            height.raise(named.number(), head.tracker().now());
            if (named.hash() != null) {
                height.anchor(named.number(), named.hash());
            }
        } else if ((named.untagged() || meansHead) && !tagged && depth >= 0 && top >= depth) {
            height.raise(top - depth, head.tracker().now());
        }
        List<LoopWaiter<Boolean>> ending;
        synchronized (this) {
            running = false;
            ending = List.copyOf(waiters);
            waiters.clear();
        }
        ending.forEach(waiter -> waiter.end(true));
    }
}
