package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.subscription.chain.StreamTimer;
import java.util.concurrent.TimeUnit;

/** Clock and timer of an event loop. Thread-safe. */
record LoopTimer(EventLoop loop) implements StreamTimer {

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public void after(long nanos, Runnable action) {
        if (!loop.isShuttingDown()) {
            loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
        }
    }
}
