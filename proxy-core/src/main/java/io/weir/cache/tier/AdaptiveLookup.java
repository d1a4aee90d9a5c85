package io.weir.cache.tier;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Decision whether to ask a tier for results that may be as new as the head. It asks always at first, and rarely after many
 * consecutive misses, so that traffic at the head does not pay for it. Thread-safe.
 */
final class AdaptiveLookup {

    private static final long MISSES = 64;
    private static final long EVERY = 16;

    private final AtomicLong misses = new AtomicLong();

    boolean mayAsk() {
        long now = misses.get();
        return now < MISSES || misses.getAndIncrement() % EVERY == 0;
    }

    void note(boolean found) {
        if (found) {
            misses.set(0);
        } else if (misses.get() < MISSES) {
            misses.incrementAndGet();
        }
    }
}
