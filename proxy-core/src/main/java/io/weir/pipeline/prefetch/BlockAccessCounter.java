package io.weir.pipeline.prefetch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.CallKey;
import io.weir.metrics.OutOfMemory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the recent accesses to blocks of one network, for a bounded number of blocks. Thread-safe. */
final class BlockAccessCounter {

    static final int MAX = 4_096;

    private static final long EXPIRY_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Cache<String, Accesses> blocks;
    private final LongSupplier clock;

    BlockAccessCounter(LongSupplier clock) {
        this.clock = clock;
        this.blocks = Caffeine.newBuilder()
                .maximumSize(MAX)
                .expireAfterAccess(EXPIRY_NANOS, TimeUnit.NANOSECONDS)
                .ticker(clock::getAsLong)
                .executor(OutOfMemory::run)
                .build();
    }

    /** Returns the accesses to the block with a name. */
    Accesses of(String name) {
        return blocks.get(name, missing -> new Accesses(clock));
    }

    /** The accesses to one block. Thread-safe. */
    static final class Accesses {

        private final LongSupplier clock;
        private int count;
        private @Nullable CallKey underWay;
        private boolean resting;
        private long restUntilNanos;

        Accesses(LongSupplier clock) {
            this.clock = clock;
        }

        /**
         * Counts an access, and returns whether it is at least the second. A call equal to one that is under way does not count:
         * one answer serves both.
         */
        synchronized boolean isSecond(CallKey key) {
            if (key.equals(underWay)) {
                return false;
            }
            count++;
            if (count == 1) {
                underWay = key.compact();
            }
            return count > 1;
        }

        /** Notes that a call was answered. */
        synchronized void answered(CallKey key) {
            if (key.equals(underWay)) {
                underWay = null;
            }
        }

        /** Returns whether the block is not to be fetched now. */
        synchronized boolean isResting() {
            resting = resting && clock.getAsLong() - restUntilNanos < 0;
            return resting;
        }

        /** Prevents fetches of the block for a time, after one that was of no use. */
        synchronized void rest(long nanos) {
            resting = true;
            restUntilNanos = clock.getAsLong() + nanos;
        }
    }
}
