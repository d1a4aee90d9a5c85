package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.Finality;
import io.weir.chain.HeadTracker;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Has nodes asked for their final block when a result depends on it: at most once in {@link #PAUSE_NANOS} and in a few block times. A
 * result of a recent block has them asked once in an epoch. Thread-safe.
 */
public final class FinalityWatch {

    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Block times between two questions, if these are longer. */
    private static final int PAUSE_BLOCKS = 5;

    /** The same for a block above the depth, once an earlier final one is known: on most chains it is not final yet. */
    private static final int EPOCH_BLOCKS = 32;

    private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time for the words of several nodes. They are kept if they come later, and calls must not wait for a node that hangs. */
    private static final long AGREEING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Maximum number of answers that wait for finality; further ones are not cached. */
    private static final int MAX_WAITING = 1_000;

    private final NetworkHead head;
    private final Finality finality;
    private final LongSupplier clock;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile Consumer<EventLoop> listener = loop -> {};

    /** Creates a watch of the final blocks of a network with this head. */
    public FinalityWatch(NetworkHead head, LongSupplier clock) {
        this.head = head;
        this.finality = head.finality();
        this.clock = clock;
    }

    /** Registers a listener. It runs each time nodes were asked, on the loop of the call that caused it. */
    public void listen(Consumer<EventLoop> listener) {
        this.listener = listener;
    }

    /** Runs an action as soon as the finality of a block is known as well as necessary; called and run on the loop. */
    public void whenKnown(EventLoop loop, long number, Runnable action) {
        boolean full = waiting.get() >= MAX_WAITING;
        HeadTracker now = head.tracker();
        // Without a depth only a node's tag makes a block final, and never the head.
        boolean untold = !finality.isDepthFinal() && number >= now.number();
        if (finality.covers(number) || untold || full) {
            action.run();
            return;
        }
        waiting.incrementAndGet();
        boolean recent = finality.isDepthFinal() && finality.number() >= 0 && number > finality.underHead(now.number());
        long pause = Math.max(PAUSE_NANOS, (recent ? EPOCH_BLOCKS : PAUSE_BLOCKS) * now.blockNanos());
        long patience = finality.isAlone() ? ASKING_NANOS : AGREEING_NANOS;
        head.whenFinalKnown(loop, pause, clock.getAsLong() + patience, asked -> {
            waiting.decrementAndGet();
            if (asked) {
                listener.accept(loop);
            }
            action.run();
        });
    }
}
