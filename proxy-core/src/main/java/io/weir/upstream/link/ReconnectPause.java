package io.weir.upstream.link;

import io.weir.upstream.NodeOutcome.Failed;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pause after failed sockets to one node. Each failure doubles the pause, up to a maximum. Each pause is shortened at random
 * to between half and all of it. So the proxies of a node do not reconnect at the same time. An answer over any socket ends
 * the pause. Thread-safe.
 */
final class ReconnectPause {

    static final long FIRST_MILLIS = 100;
    static final long MAX_MILLIS = 10_000;

    private final LongSupplier clock;
    private final IntUnaryOperator random;
    private int failures;
    private long untilNanos;
    private volatile @Nullable Failed problem;

    /**
     * @param clock nanoseconds
     * @param random returns a number from 0 to its argument, exclusive; thread-safe
     */
    ReconnectPause(LongSupplier clock, IntUnaryOperator random) {
        this.clock = clock;
        this.random = random;
    }

    /** Notes that a socket could not be made, or broke before it answered anything. */
    synchronized void failed(Failed why) {
        int doublings = Math.min(failures++, Long.SIZE - Long.numberOfLeadingZeros(MAX_MILLIS));
        long whole = Math.min(MAX_MILLIS, FIRST_MILLIS << doublings);
        long millis = whole / 2 + random.applyAsInt((int) (whole / 2) + 1);
        untilNanos = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
        problem = why;
    }

    /** Notes that the node answered. */
    void worked() {
        if (problem != null) {
            clear();
        }
    }

    private synchronized void clear() {
        failures = 0;
        problem = null;
    }

    /** Returns why no socket may be made yet, or null if one may. */
    synchronized @Nullable Failed problem() {
        return problem != null && untilNanos - clock.getAsLong() > 0 ? problem : null;
    }
}
