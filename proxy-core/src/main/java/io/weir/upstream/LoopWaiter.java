package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Call that waits on its event loop for a value that may come from another loop, or for its deadline. Thread-safe.
 *
 * @param <T> the type of the value
 */
public final class LoopWaiter<T> {

    private final EventLoop loop;
    private final Consumer<T> sink;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ScheduledFuture<?> timer;

    /**
     * Creates a waiting call.
     *
     * @param sink called once, on the loop
     */
    public LoopWaiter(EventLoop loop, Consumer<T> sink) {
        this.loop = loop;
        this.sink = sink;
    }

    /** Starts the timeout; called once, on the loop. */
    public void giveUpAfter(long nanos, T late) {
        ScheduledFuture<?> waiting = loop.schedule(() -> end(late), Math.max(0, nanos), TimeUnit.NANOSECONDS);
        timer = waiting;
        if (ended.get()) {
            waiting.cancel(false);
        }
    }

    /** Returns whether it has its value, or has given up. */
    public boolean isOver() {
        return ended.get();
    }

    /** Delivers the value to the call, on its event loop. Later invocations do nothing. */
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
