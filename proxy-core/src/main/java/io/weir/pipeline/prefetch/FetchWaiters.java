package io.weir.pipeline.prefetch;

import io.weir.pipeline.CallContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The calls that wait for a fetch, bounded in number and time. Thread-safe. */
final class FetchWaiters {

    /** The longest wait: after it, a call goes to a node by itself. */
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX = 20_000;

    private final PrefetchMeters meters;
    private final AtomicInteger count = new AtomicInteger();

    FetchWaiters(PrefetchMeters meters) {
        this.meters = meters;
    }

    /**
     * Lets a call wait for the end of a fetch, for at most half of the time that it has left.
     *
     * @param ended runs on the call's loop when the fetch has ended, or at once if it already has
     * @return false if too many calls wait already; then nothing will run
     */
    boolean await(Fetch fetch, CallContext context, Runnable ended) {
        if (count.incrementAndGet() > MAX) {
            count.decrementAndGet();
            return false;
        }
        long left = context.deadlineNanos() - System.nanoTime();
        boolean waits = fetch.join(context.loop(), Math.min(left / 2, MAX_NANOS), stored -> {
            count.decrementAndGet();
            context.step(ended);
        });
        if (waits) {
            meters.countWait();
        } else {
            count.decrementAndGet();
            ended.run();
        }
        return true;
    }
}
