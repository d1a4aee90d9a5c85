package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits on its event loop for something that may come on another one, or for its deadline. Thread-safe.
 *
 * @param <T> what it waits for
 */
public final class LoopWaiter<T> {

    private final EventLoop loop;
    private final Consumer<T> sink;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ScheduledFuture<?> timer;

    /**
     * Begins to wait.
     *
     * @param sink called once, on the loop
     */
    public LoopWaiter(EventLoop loop, Consumer<T> sink) {
        this.loop = loop;
        this.sink = sink;
    }

    /** Ends the waiting after a time, unless something else has; called once, on the loop. */
    public void giveUpAfter(long nanos, T late) {
        ScheduledFuture<?> waiting = loop.schedule(() -> end(late), Math.max(0, nanos), TimeUnit.NANOSECONDS);
        timer = waiting;
        if (ended.get()) {
            waiting.cancel(false);
        }
    }

    /** Whether the waiting is over. */
    public boolean ended() {
        return ended.get();
    }

    /** Whether it has what it waits for, or has given up. */
    public boolean isOver() {
        return ended.get();
    }

    /** Gives the call what it waits for, on its event loop; after the first time nothing. */
    public void end(T value) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        ScheduledFuture<?> waiting = timer;
        if (waiting != null) {
            waiting.cancel(false);
        }
        if (loop.inEventLoop()) {
            sink.accept(value);
        } else {
            loop.execute(() -> sink.accept(value));
        }
    }
}
