package io.weir.pipeline.prefetch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls that wait for a block that is on its way: so many at most, and for so long. Thread-safe. */
final class WaitingLookups {

    /** A call that waits longer goes to a node by itself, as long as it has time for that. */
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX = 20_000;

    private final PrefetchMeters meters;
    private final AtomicInteger count = new AtomicInteger();

    WaitingLookups(PrefetchMeters meters) {
        this.meters = meters;
    }

    /** Has a call look into the memory again when a fetch has ended; where too many wait already it goes to a node. */
    void await(Fetch fetch, Lookup lookup) {
        long left = lookup.context().deadlineNanos() - System.nanoTime();
        boolean room = count.incrementAndGet() <= MAX;
        boolean joined = room
                && fetch.join(lookup.context().loop(), Math.min(left / 2, MAX_NANOS), kept -> {
                    count.decrementAndGet();
                    lookup.context().step(lookup::lookAgain);
                });
        if (joined) {
            meters.countWait();
            return;
        }
        count.decrementAndGet();
        if (room) {
            lookup.lookAgain();
        } else {
            lookup.forward(null);
        }
    }
}
