package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Call that waits for the head until it arrives or the call is given up. Thread-safe. */
final class HeadWaiter {

    private final EventLoop loop;
    private final LongConsumer sink;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ScheduledFuture<?> timer;

    HeadWaiter(EventLoop loop, LongConsumer sink) {
        this.loop = loop;
        this.sink = sink;
    }

    /** Starts the timeout; called once, before the call can end. */
    void giveUpAfter(long nanos) {
        timer = loop.schedule(() -> end(-1), nanos, TimeUnit.NANOSECONDS);
    }

    /** Delivers the head to the call, on its event loop. Later invocations do nothing. */
    void end(long head) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        ScheduledFuture<?> waiting = timer;
        if (waiting != null) {
            waiting.cancel(false);
        }
        if (loop.inEventLoop()) {
            sink.accept(head);
        } else {
            loop.execute(() -> sink.accept(head));
        }
    }
}
