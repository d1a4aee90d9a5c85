package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalizedHeight;
import io.weir.pipeline.watch.BlockSource.Finalized;
import io.weir.upstream.NetworkHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Learns which blocks are final, and only when an answer needs to know: by the tag where a node has it, else by the depth under
 * the head. Asks at most once in {@link #PAUSE_NANOS}. Thread-safe.
 */
public final class FinalityWatch {

    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Answers that may wait to learn whether they are final; the others are not kept. */
    private static final int MAX_WAITING = 1_000;

    private final FinalizedHeight height;
    private final NetworkHead head;
    private final BlockSource blocks;
    private final long depth;
    private final LongSupplier clock;
    private final List<LoopWaiter<Boolean>> waiters = new ArrayList<>();
    private boolean running;
    /** Whether a node has the tag: then the depth says nothing, however long the tag stands still. */
    private volatile boolean tagged;

    private boolean asked;
    private long askedNanos;
    private volatile Consumer<EventLoop> learned = loop -> {};

    /**
     * Begins without knowing anything.
     *
     * @param depth blocks behind the head at which one counts as final, where no node has the tag
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public FinalityWatch(FinalizedHeight height, NetworkHead head, BlockSource blocks, long depth, LongSupplier clock) {
        this.height = height;
        this.head = head;
        this.blocks = blocks;
        this.depth = depth;
        this.clock = clock;
    }

    /** Has a listener hear, on the loop of the call that wanted to know, each time that nodes were asked. */
    public void listen(Consumer<EventLoop> listener) {
        learned = listener;
    }

    /** Runs an action once it is known as well as it need be whether a block is final; called and run on the loop. */
    public void whenKnown(EventLoop loop, long number, Runnable action) {
        boolean first;
        synchronized (this) {
            boolean recent = asked && clock.getAsLong() - askedNanos < PAUSE_NANOS;
            if (height.covers(number) || (recent && !running) || waiters.size() >= MAX_WAITING) {
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
            long until = clock.getAsLong() + ASKING_NANOS;
            head.whenFresh(
                    loop,
                    until,
                    top -> blocks.finalized(loop, until, named -> {
                        learn(named, top);
                        learned.accept(loop);
                    }));
        } else {
            action.run();
        }
    }

    private void learn(Finalized named, long top) {
        // Development nodes call the head final, and then take it back.
        boolean meansHead = named.number() >= top && top >= 0;
        if (named.number() >= 0 && !meansHead) {
            tagged = true;
            height.raise(named.number());
            if (named.hash() != null) {
                height.anchor(named.number(), named.hash());
            }
        } else if ((named.untagged() || meansHead) && !tagged && top - depth >= 0) {
            height.raise(top - depth);
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
