package io.weir.upstream.stream;

import com.codahale.metrics.Counter;
import io.weir.limit.Budget;

/**
 * The rules by which calls share the stream of one result. Immutable; its members are thread-safe.
 *
 * @param windowBytes bytes that the slowest client may be behind, and up to which others may join; 0 if calls share no streams
 * @param maxWaitNanos the longest time in all that one stream waits for clients that are further behind
 * @param budget of the bytes in flight
 * @param cut counts clients that were cut off because the others had waited long enough
 */
public record StreamSharing(long windowBytes, long maxWaitNanos, Budget budget, Counter cut) {

    /** Bytes of a shared stream that one more client may hold on their way to its socket. */
    static final long CLIENT_BYTES = 1 << 18;

    /** Returns whether calls share streams. */
    public boolean isOn() {
        return windowBytes > 0;
    }
}
