package io.weir.subscription.stream;

import java.util.concurrent.TimeUnit;

/** Time for which something that a stream needs is missing, and the growing pauses between the attempts. Confined to one event loop. */
public final class GapPatience {

    /** Time without progress after which a gap cannot be filled: nodes that are restarted are back sooner. */
    public static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long MIN_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final long maxNanos;
    /** When it was missing for the first time since the last progress; 0 if nothing is. */
    private long stuckNanos;

    private long retryNanos = MIN_RETRY_NANOS;

    /** @param maxNanos time without progress after which a gap cannot be filled */
    public GapPatience(long maxNanos) {
        this.maxNanos = maxNanos;
    }

    /** Notes that nothing is missing any more. */
    void settled() {
        stuckNanos = 0;
    }

    /** Notes that what was missing came. */
    void progressed() {
        stuckNanos = 0;
        retryNanos = MIN_RETRY_NANOS;
    }

    /** Notes that no node gave it. Returns the pause before the next attempt; -1 if the gap cannot be filled. */
    public long missed(long now) {
        stuckNanos = stuckNanos == 0 ? now : stuckNanos;
        if (now - stuckNanos >= maxNanos) {
            return -1;
        }
        long pause = retryNanos;
        retryNanos = Math.min(MAX_RETRY_NANOS, retryNanos * 2);
        return pause;
    }
}
