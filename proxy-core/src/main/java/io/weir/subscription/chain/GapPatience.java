package io.weir.subscription.chain;

import java.util.concurrent.TimeUnit;

/** Time for which a block that a stream needs is missing, and the growing pauses between the attempts. Confined to one event loop. */
final class GapPatience {

    private static final long MIN_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final long maxNanos;
    /** When a block could not be had for the first time since the last one was; 0 if that is not so. */
    private long stuckNanos;

    private long retryNanos = MIN_RETRY_NANOS;

    /** @param maxNanos time without a further block after which a gap cannot be filled */
    GapPatience(long maxNanos) {
        this.maxNanos = maxNanos;
    }

    /** Returns whether a block is missing. */
    boolean isStuck() {
        return stuckNanos != 0;
    }

    /** Notes that no block is missing any more. */
    void settled() {
        stuckNanos = 0;
    }

    /** Notes that a block came. */
    void progressed() {
        stuckNanos = 0;
        retryNanos = MIN_RETRY_NANOS;
    }

    /** Notes that no node gave a block. Returns the pause before the next attempt; -1 if the gap cannot be filled. */
    long missed(long now) {
        stuckNanos = stuckNanos == 0 ? now : stuckNanos;
        if (now - stuckNanos >= maxNanos) {
            return -1;
        }
        long pause = retryNanos;
        retryNanos = Math.min(MAX_RETRY_NANOS, retryNanos * 2);
        return pause;
    }
}
