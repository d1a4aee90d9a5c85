package io.weir.upstream.batch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers how large batches one node takes. After a batch that it did not take, smaller ones are sent for a while, or none;
 * then larger ones are tried again, each time twice as large as what is known to go well. The while is ten seconds at first, and
 * twice as long each time that nothing has changed, up to ten minutes. Thread-safe.
 */
final class BatchMemory {

    static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /**
     * What is known.
     *
     * @param most calls that go well together; 1 where no batch does
     * @param untilNanos for how long larger ones are not tried
     * @param pauseNanos for how long the next time
     */
    private record State(int most, long untilNanos, long pauseNanos) {}

    private final int size;
    private final LongSupplier clock;
    private volatile State state;

    /**
     * Knows of nothing that does not go well.
     *
     * @param size calls in the largest batch, whatever the node takes
     * @param clock nanoseconds
     */
    BatchMemory(int size, LongSupplier clock) {
        this.size = size;
        this.clock = clock;
        this.state = new State(size, clock.getAsLong(), FIRST_PAUSE_NANOS);
    }

    /** How many calls a batch may have now; 1 where there is to be none. */
    int most() {
        State now = state;
        return now.most() >= size || isPaused(now) ? now.most() : Math.min(size, 2 * now.most());
    }

    private boolean isPaused(State now) {
        return now.untilNanos() - clock.getAsLong() > 0;
    }

    /** Takes note that the node took a batch. */
    void took(int calls) {
        if (calls > state.most()) {
            grow(calls);
        }
    }

    private synchronized void grow(int calls) {
        // Not where it was sent before a smaller one was found to be too large.
        if (calls > state.most() && !isPaused(state)) {
            state = new State(Math.min(size, calls), clock.getAsLong(), FIRST_PAUSE_NANOS);
        }
    }

    /**
     * Takes note that the node did not take a batch, the calls of which it answered one by one.
     *
     * @param most calls that are tried together from now on, at least 1
     */
    synchronized void shrink(int most) {
        State before = state;
        boolean paused = isPaused(before);
        if (most >= (paused ? before.most() : most())) {
            // Learned from a batch that was sent before what is known now.
            return;
        }
        long until = paused ? before.untilNanos() : clock.getAsLong() + before.pauseNanos();
        long next = paused ? before.pauseNanos() : Math.min(MAX_PAUSE_NANOS, 2 * before.pauseNanos());
        state = new State(Math.min(most, before.most()), until, next);
    }
}
