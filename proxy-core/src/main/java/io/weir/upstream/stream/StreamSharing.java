package io.weir.upstream.stream;

import com.codahale.metrics.Counter;
import io.weir.limit.Budget;
import java.util.concurrent.TimeUnit;

/**
 * The rules by which calls share the stream of one result. Immutable; its members are thread-safe.
 *
 * @param windowBytes bytes that the slowest client may be behind, and up to which others may join
 * @param maxWaitNanos the longest time in all that one stream waits for clients that are further behind
 * @param budget of the bytes in flight
 * @param cut counts clients that were cut off because the others had waited long enough
 */
public record StreamSharing(long windowBytes, long maxWaitNanos, Budget budget, Counter cut) {

    /** A stream may hold so much of the bytes in flight. Clients of ordinary speed do not stop each other then. */
    private static final long WINDOW_BYTES = 1 << 20;

    /** A client that reads so much more slowly than the others would keep their results from them. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Bytes of a shared stream that one more client may hold on their way to its socket. */
    static final long CLIENT_BYTES = 1 << 18;

    public static StreamSharing of(Budget budget, Counter cut) {
        return new StreamSharing(WINDOW_BYTES, MAX_WAIT_NANOS, budget, cut);
    }
}
