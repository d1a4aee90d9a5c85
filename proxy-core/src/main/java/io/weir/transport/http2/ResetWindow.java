package io.weir.transport.http2;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The bound on streams of a connection that the proxy resets for errors of the client. Confined to its event loop. */
final class ResetWindow {

    private final int max;
    private final long nanos;
    private final LongSupplier clock;
    private long begun;
    private int count;

    /**
     * @param max streams that may be reset within the time
     * @param clock in nanoseconds
     */
    ResetWindow(int max, int seconds, LongSupplier clock) {
        this.max = max;
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
        this.clock = clock;
        this.begun = clock.getAsLong();
    }

    /** Counts a stream that was reset. Returns false if there were too many. */
    boolean admits() {
        long now = clock.getAsLong();
        if (now - begun >= nanos) {
            begun = now;
            count = 0;
        }
        return ++count <= max;
    }
}
