package io.weir.upstream.pool;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State of one node, with the rules by which it changes. Thread-safe: any loop may report a fault, only the monitor's loop
 * reports probes.
 *
 * <p>The epoch counts how often the node went out or came back. A caller notes the epoch before it asks the node, and a report with an
 * older epoch changes nothing. So a call sent before the node came back does not affect it, nor does a probe sent before a fault.
 */
final class NodeHealth {

    /** Seconds without calls for a rate-limited node that names no time. */
    static final int THROTTLE_SECONDS = 1;

    /** Upper bound of the seconds that a rate-limited node may name. */
    static final int MAX_THROTTLE_SECONDS = 3600;

    /** Detail of a node that may not be probed. */
    static final String LIMITED = "is rate limited";

    private record State(Health health, String detail, int epoch, boolean chainKnown) {}

    private final LongSupplier clock;
    private volatile State state = new State(Health.UNKNOWN, "not probed yet", 0, false);
    private volatile boolean served;
    private volatile long head = -1;
    /** The block up to which its heads count. */
    private volatile long believed = Long.MAX_VALUE;

    private volatile long headNanos;
    private @Nullable String outOfLine;
    private volatile long lastGoodNanos;
    private volatile long throttledUntilNanos;
    private volatile long heldUntilNanos;
    /** Time in which a probe must be answered before it returns; only while it is ejected. */
    private volatile long returnNanos;

    private final SlowStart slowStart = new SlowStart();
    private volatile boolean drained;

    /** A contradiction by other nodes that costs no calls; empty if there is none. */
    private volatile String disputed = "";

    /** @param clock nanoseconds */
    NodeHealth(LongSupplier clock) {
        this.clock = clock;
        this.lastGoodNanos = clock.getAsLong();
        this.throttledUntilNanos = lastGoodNanos;
        this.headNanos = lastGoodNanos;
        this.heldUntilNanos = lastGoodNanos;
    }

    Health health() {
        return state.health();
    }

    /** Returns whether other heads may be compared with the node's head. */
    boolean isComparable() {
        Health now = health();
        return now == Health.HEALTHY || now == Health.LAGGING;
    }

    /** Returns why the node is not healthy, or what other nodes contradict; empty if there is neither. */
    String detail() {
        State now = state;
        return now.health() == Health.HEALTHY ? disputed : now.detail();
    }

    /** Notes what other nodes contradict, though it costs no calls; null if they do not. */
    void disputed(@Nullable String reason) {
        disputed = reason == null ? "" : reason;
    }

    int epoch() {
        return state.epoch();
    }

    /** Returns whether the node was seen to serve the right chain, and no other chain since. */
    boolean chainKnown() {
        return state.chainKnown();
    }

    /** Returns the last head that the node named, as far as it is believed. */
    long head() {
        return Math.min(head, believed);
    }

    /** Returns the last head that the node named. */
    long namedHead() {
        return head;
    }

    long believed() {
        return believed;
    }

    /** Notes the block up to which the node's heads count. */
    void believe(long upTo) {
        believed = upTo;
    }

    /** Returns when the node last named its head or showed a higher one, on the clock. */
    long headNanos() {
        return headNanos;
    }

    /** Notes a head that the node named outside its probes. */
    synchronized void named(long newHead) {
        head = newHead;
        headNanos = clock.getAsLong();
    }

    /** Notes that an answer showed that the node has this block. */
    void seen(long block) {
        if (block > head) {
            raise(block);
        }
    }

    private synchronized void raise(long block) {
        if (block > head) {
            named(block);
        }
    }

    /** Returns when the node last answered a probe well, on the clock. */
    long lastGoodNanos() {
        return lastGoodNanos;
    }

    /** Returns the nanoseconds until the rate limit ends; 0 or less if the node may be asked. */
    long throttledNanos() {
        return throttledUntilNanos - clock.getAsLong();
    }

    /** Keeps calls from the node, whatever its health is, or allows them again. */
    void drain(boolean keep) {
        drained = keep;
    }

    boolean isDrained() {
        return drained;
    }

    /** Returns whether the node is healthy and not drained. It may be rate limited. */
    boolean isInPool() {
        return state.health() == Health.HEALTHY && !drained;
    }

    /** Returns whether the node may receive calls without restriction. */
    boolean ready() {
        return ready(clock.getAsLong());
    }

    /** Returns the same for a given time, for callers that look at many nodes at once. */
    boolean ready(long nowNanos) {
        return isInPool() && throttledUntilNanos - nowNanos <= 0;
    }

    /** Returns the percentage of its share of calls that the node gets. */
    int percent(long nowNanos) {
        return slowStart.percent(nowNanos);
    }

    /** Notes that the node was not probed, because it limits its rate or its budget is spent: nothing is known of it yet. */
    synchronized void unprobed(int epoch) {
        if (epoch == state.epoch() && state.health() == Health.UNKNOWN) {
            state = new State(Health.UNKNOWN, LIMITED, epoch, false);
        }
    }

    /** Returns whether no probe has shown yet what the node is, and it is not drained. */
    boolean isUnknown() {
        return state.health() == Health.UNKNOWN && !drained;
    }

    /** Takes the node out. The reason for which it is held stays. Returns whether it was in until now. */
    synchronized boolean down(int epoch, String detail) {
        boolean held = state.health() == Health.DOWN && heldNanos() > 0;
        return epoch == state.epoch() && !held && out(detail);
    }

    /** Takes the node out and holds it, whatever happened to it in the meantime. Returns whether it was in until now. */
    synchronized boolean distrust(String detail, long nanos) {
        held(clock.getAsLong() + nanos);
        return out(detail);
    }

    private boolean out(String detail) {
        boolean turned = state.health() != Health.DOWN;
        state = new State(Health.DOWN, detail, turned ? state.epoch() + 1 : state.epoch(), state.chainKnown());
        return turned;
    }

    /**
     * Takes a node out that answers probes. Returns whether it was in until now.
     *
     * @param slowest time in which a probe must be answered before the node returns
     */
    synchronized boolean eject(int epoch, String detail, long slowest) {
        boolean in = isComparable() || state.health() == Health.SYNCING || isOutOfLine();
        if (epoch != state.epoch() || !in) {
            return false;
        }
        returnNanos = slowest;
        state = new State(Health.EJECTED, detail, epoch + 1, state.chainKnown());
        return true;
    }

    boolean isEjected() {
        return state.health() == Health.EJECTED;
    }

    /** Returns whether a probe that took this time does not bring the node back, because it was ejected for its latency. */
    boolean isTooSlow(long nanos) {
        return isEjected() && nanos > returnNanos;
    }

    /** Returns whether the node went out, and only a good probe brings it back. */
    boolean isOut() {
        return state.health() == Health.DOWN || isEjected();
    }

    /** Notes until when the node stays out, on the clock. */
    void held(long untilNanos) {
        heldUntilNanos = untilNanos;
    }

    /** Returns the nanoseconds that the node stays out at least; 0 or less if a good probe brings it back. */
    long heldNanos() {
        return heldUntilNanos - clock.getAsLong();
    }

    /** Notes that a call was answered. */
    void answered() {
        if (!served) {
            served = true;
        }
    }

    /** Returns whether the node has answered a call since it last came back. */
    boolean served() {
        return served;
    }

    /** Sends the node no calls for a while. It stays in the pool. */
    synchronized void throttle(int seconds) {
        int bounded = seconds <= 0 ? THROTTLE_SECONDS : Math.min(seconds, MAX_THROTTLE_SECONDS);
        long until = clock.getAsLong() + TimeUnit.SECONDS.toNanos(bounded);
        if (until - throttledUntilNanos > 0) {
            throttledUntilNanos = until;
        }
    }

    /**
     * Applies a good probe.
     *
     * @param lag why the node lags, or null if it does not
     * @return false if the probe is older than the last fault and therefore ignored
     */
    synchronized boolean good(int epoch, long newHead, boolean syncing, @Nullable String lag) {
        if (epoch != state.epoch()) {
            return false;
        }
        named(newHead);
        lastGoodNanos = headNanos;
        boolean back = !state.chainKnown() || isOut();
        int next = back ? epoch + 1 : epoch;
        if (back) {
            served = false;
            if (state.chainKnown()) {
                slowStart.begin(lastGoodNanos);
            }
        }
        state = syncing ? new State(Health.SYNCING, "says that it is syncing", next, true) : inPool(lag, next, true);
        return true;
    }

    private State inPool(@Nullable String lag, int epoch, boolean chainKnown) {
        if (outOfLine != null) {
            return new State(Health.OUT_OF_LINE, outOfLine, epoch, chainKnown);
        }
        return lag == null
                ? new State(Health.HEALTHY, "", epoch, chainKnown)
                : new State(Health.LAGGING, lag, epoch, chainKnown);
    }

    boolean isOutOfLine() {
        return state.health() == Health.OUT_OF_LINE;
    }

    /**
     * Notes whether the head that the node named counts.
     *
     * @param reason why it does not; null if it does
     */
    synchronized void outOfLine(@Nullable String reason) {
        boolean changed = !Objects.equals(reason, outOfLine);
        outOfLine = reason;
        if (changed && (isComparable() || isOutOfLine())) {
            String lag = state.health() == Health.LAGGING ? state.detail() : null;
            state = inPool(lag, state.epoch(), state.chainKnown());
        }
    }

    /** Compares the node again after another node named its head. */
    synchronized void compared(@Nullable String lag) {
        if (isComparable()) {
            state = inPool(lag, state.epoch(), state.chainKnown());
        }
    }

    /** Takes the node out until it serves the right chain. Returns false as {@link #good} does. */
    synchronized boolean wrongChain(int epoch, String detail) {
        if (epoch != state.epoch()) {
            return false;
        }
        state = new State(Health.WRONG_CHAIN, detail, epoch + 1, false);
        return true;
    }

    /** Growth of the share of calls that a node gets after it came back. Thread-safe. */
    private static final class SlowStart {

        /** Percent of its share that it gets at once. */
        static final int FIRST_PERCENT = 10;

        private static final int WHOLE = 100;

        /** Time in which the share grows to the whole: caches of a node that was restarted are warm then. */
        private static final long NANOS = TimeUnit.SECONDS.toNanos(10);

        /** When it came back; only while {@link #starting}. */
        private volatile long backNanos;

        private volatile boolean starting;

        /** Notes that the node came back. */
        void begin(long nowNanos) {
            backNanos = nowNanos;
            starting = true;
        }

        /** Returns the percentage of its share that the node gets. */
        int percent(long nowNanos) {
            if (!starting) {
                return WHOLE;
            }
            long passed = nowNanos - backNanos;
            if (passed >= NANOS) {
                starting = false;
                return WHOLE;
            }
            return (int) Math.max(FIRST_PERCENT, WHOLE * passed / NANOS);
        }
    }
}
