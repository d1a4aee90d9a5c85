package io.weir.upstream.wire;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Memory of the batch size that one node accepts. After a batch that it refused, batches are smaller for a while, or there
 * are none. Then larger ones are tried again, each time twice the size that is known to work. The while is ten seconds at
 * first. It doubles each time that nothing has changed, up to ten minutes. Thread-safe.
 */
public final class BatchMemory {

    static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /**
     * Known state. Immutable.
     *
     * @param maxCalls calls that work together; 1 if no batch does
     * @param untilNanos until when no larger batch is tried
     * @param pauseNanos length of the next such time
     */
    private record State(int maxCalls, long untilNanos, long pauseNanos) {}

    private final int size;
    private final LongSupplier clock;
    private volatile State state;

    /**
     * @param size calls in the largest batch, whatever the node accepts
     * @param clock nanoseconds
     */
    BatchMemory(int size, LongSupplier clock) {
        this.size = size;
        this.clock = clock;
        this.state = new State(size, clock.getAsLong(), FIRST_PAUSE_NANOS);
    }

    /** Returns how many calls a batch may have now; 1 for no batches. */
    int maxCalls() {
        State now = state;
        return now.maxCalls() >= size || isPaused(now) ? now.maxCalls() : Math.min(size, 2 * now.maxCalls());
    }

    private boolean isPaused(State now) {
        return now.untilNanos() - clock.getAsLong() > 0;
    }

    /** Notes that the node accepted a batch. */
    void took(int calls) {
        if (calls > state.maxCalls()) {
            grow(calls);
        }
    }

    private synchronized void grow(int calls) {
        // Ignored if it was sent before a smaller batch proved too large.
        if (calls > state.maxCalls() && !isPaused(state)) {
            state = new State(Math.min(size, calls), clock.getAsLong(), FIRST_PAUSE_NANOS);
        }
    }

    /**
     * Notes that the node refused a batch but answered its calls one by one.
     *
     * @param maxCalls calls to send together from now on, at least 1
     */
    synchronized void shrink(int maxCalls) {
        State before = state;
        boolean paused = isPaused(before);
        if (maxCalls >= (paused ? before.maxCalls() : maxCalls())) {
            // The refused batch was sent before the present limit was known.
            return;
        }
        long until = paused ? before.untilNanos() : clock.getAsLong() + before.pauseNanos();
        long next = paused ? before.pauseNanos() : Math.min(MAX_PAUSE_NANOS, 2 * before.pauseNanos());
        state = new State(Math.min(maxCalls, before.maxCalls()), until, next);
    }
}
