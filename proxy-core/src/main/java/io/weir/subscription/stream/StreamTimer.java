package io.weir.subscription.stream;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** Clock and timer of an event loop. Those of a real one are thread-safe. */
public interface StreamTimer {

    /** Returns those of an event loop, which run nothing once it shuts down. */
    static StreamTimer of(EventLoop loop) {
        return new StreamTimer() {
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
        };
    }

    /** Returns the time in nanoseconds, as {@link System#nanoTime}. */
    long now();

    /** Runs an action later, on the event loop. */
    void after(long nanos, Runnable action);
}
