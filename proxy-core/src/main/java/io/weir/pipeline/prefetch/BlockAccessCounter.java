package io.weir.pipeline.prefetch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.CallKey;
import io.weir.metrics.OutOfMemory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Which blocks of a network were asked about lately, and how often, within a bound. Thread-safe. */
final class BlockAccessCounter {

    static final int MAX = 4_096;

    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Cache<String, Visit> visits;
    private final LongSupplier clock;

    BlockAccessCounter(LongSupplier clock) {
        this.clock = clock;
        this.visits = Caffeine.newBuilder()
                .maximumSize(MAX)
                .expireAfterAccess(FORGOTTEN_NANOS, TimeUnit.NANOSECONDS)
                .ticker(clock::getAsLong)
                .executor(OutOfMemory::run)
                .build();
    }

    /** The block of that name. */
    Visit of(String name) {
        return visits.get(name, missing -> new Visit(clock));
    }

    long size() {
        visits.cleanUp();
        return visits.estimatedSize();
    }

    /** One block. Thread-safe. */
    static final class Visit {

        private final LongSupplier clock;
        private int lookups;
        private @Nullable CallKey flying;
        private boolean resting;
        private long restUntilNanos;

        Visit(LongSupplier clock) {
            this.clock = clock;
        }

        /**
         * Notes a lookup; whether it is at least the second. One that is under way and asked for once more is one lookup: its
         * answer serves both.
         */
        synchronized boolean isSecond(CallKey key) {
            if (key.equals(flying)) {
                return false;
            }
            lookups++;
            if (lookups == 1) {
                flying = key.compact();
            }
            return lookups > 1;
        }

        /** Notes that a lookup has its answer. */
        synchronized void landed(CallKey key) {
            if (key.equals(flying)) {
                flying = null;
            }
        }

        /** Whether it is of no use to fetch it now. */
        synchronized boolean isResting() {
            resting = resting && clock.getAsLong() - restUntilNanos < 0;
            return resting;
        }

        /** Notes that it came to nothing to fetch it. */
        synchronized void rest(long nanos) {
            resting = true;
            restUntilNanos = clock.getAsLong() + nanos;
        }
    }
}
