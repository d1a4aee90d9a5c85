package io.weir.upstream.pool;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one node, and the rules by which that changes. Thread-safe: any loop may report a fault, only the monitor's
 * loop reports probes.
 *
 * <p>The epoch counts how often the node was taken out or came back. Whoever asks the node notes it first, and a report about
 * an older epoch changes nothing: a call that was sent before the node came back says nothing about it now, and a probe that
 * was sent before a fault does not bring it back.
 */
final class NodeHealth {

    /** Faults in a row, other than broken connections, that take a node out. */
    static final int FAULTS = 3;

    /** How long a rate limited node is left alone when it does not say. */
    static final int THROTTLE_SECONDS = 1;

    /** How long at most. */
    static final int MAX_THROTTLE_SECONDS = 3600;

    private record State(Health health, String detail, int epoch, boolean chainKnown) {}

    private final LongSupplier clock;
    private final AtomicInteger faults = new AtomicInteger();
    private volatile State state = new State(Health.UNKNOWN, "not probed yet", 0, false);
    private volatile boolean served;
    private volatile long head = -1;
    private volatile long lastGoodNanos;
    private volatile long throttledUntilNanos;

    /**
     * Begins as unknown.
     *
     * @param clock nanoseconds
     */
    NodeHealth(LongSupplier clock) {
        this.clock = clock;
        this.lastGoodNanos = clock.getAsLong();
        this.throttledUntilNanos = lastGoodNanos;
    }

    Health health() {
        return state.health();
    }

    /** Whether its head is one that others can be held against. */
    boolean isComparable() {
        Health now = health();
        return now == Health.HEALTHY || now == Health.LAGGING;
    }

    String detail() {
        return state.detail();
    }

    int epoch() {
        return state.epoch();
    }

    /** Whether the node was seen to serve the right chain, and never since then another. */
    boolean chainKnown() {
        return state.chainKnown();
    }

    long head() {
        return head;
    }

    /** Takes the head that the node named beside its probes. */
    synchronized void named(long newHead) {
        head = newHead;
    }

    /** Notes that an answer showed that it has this block. */
    void seen(long block) {
        if (block > head) {
            raise(block);
        }
    }

    private synchronized void raise(long block) {
        head = Math.max(head, block);
    }

    /** When it last answered a probe well. */
    long lastGoodNanos() {
        return lastGoodNanos;
    }

    /** For how long it is still to be left alone, because it is rate limited; 0 or less where it may be asked. */
    long throttledNanos() {
        return throttledUntilNanos - clock.getAsLong();
    }

    /** Whether a call may be sent to it as to any other. */
    boolean ready() {
        return ready(clock.getAsLong());
    }

    /** The same at a moment on the clock, for whoever looks at many nodes at once. */
    boolean ready(long nowNanos) {
        return state.health() == Health.HEALTHY && throttledUntilNanos - nowNanos <= 0;
    }

    /** Takes it out. Returns whether it was in until now. */
    synchronized boolean down(int epoch, String detail) {
        if (epoch != state.epoch()) {
            return false;
        }
        boolean turned = state.health() != Health.DOWN;
        state = new State(Health.DOWN, detail, turned ? epoch + 1 : epoch, state.chainKnown());
        faults.set(0);
        return turned;
    }

    /** Counts a fault that alone does not take it out. Returns whether it did now. */
    boolean fault(int epoch, String detail) {
        return epoch == state.epoch()
                && faults.incrementAndGet() >= FAULTS
                && down(epoch, FAULTS + " faults in a row, the last: " + detail);
    }

    /** Notes that a call was answered. */
    void answered() {
        if (!served) {
            served = true;
        }
        if (faults.get() != 0) {
            faults.set(0);
        }
    }

    /** Whether it answered a call since it came back last. */
    boolean served() {
        return served;
    }

    /** Leaves it alone for a while. It stays in the pool. */
    synchronized void throttle(int seconds) {
        int bounded = seconds <= 0 ? THROTTLE_SECONDS : Math.min(seconds, MAX_THROTTLE_SECONDS);
        long until = clock.getAsLong() + TimeUnit.SECONDS.toNanos(bounded);
        if (until - throttledUntilNanos > 0) {
            throttledUntilNanos = until;
        }
    }

    /**
     * Takes a good probe in.
     *
     * @param lag why it lags, or null where it does not
     * @return false where the probe is older than the last fault and so counts for nothing
     */
    synchronized boolean good(int epoch, long newHead, boolean syncing, @Nullable String lag) {
        if (epoch != state.epoch()) {
            return false;
        }
        head = newHead;
        lastGoodNanos = clock.getAsLong();
        boolean back = !state.chainKnown() || state.health() == Health.DOWN;
        int next = back ? epoch + 1 : epoch;
        if (back) {
            served = false;
            faults.set(0);
        }
        if (syncing) {
            state = new State(Health.SYNCING, "says that it is syncing", next, true);
        } else {
            state = new State(lag == null ? Health.HEALTHY : Health.LAGGING, lag == null ? "" : lag, next, true);
        }
        return true;
    }

    /** Compares it anew, after another node named its head. */
    synchronized void compared(@Nullable String lag) {
        if (state.health() == Health.HEALTHY || state.health() == Health.LAGGING) {
            Health health = lag == null ? Health.HEALTHY : Health.LAGGING;
            state = new State(health, lag == null ? "" : lag, state.epoch(), state.chainKnown());
        }
    }

    /** Takes it out for good, until it serves the right chain. Returns false as {@link #good} does. */
    synchronized boolean wrongChain(int epoch, String detail) {
        if (epoch != state.epoch()) {
            return false;
        }
        state = new State(Health.WRONG_CHAIN, detail, epoch + 1, false);
        return true;
    }
}
