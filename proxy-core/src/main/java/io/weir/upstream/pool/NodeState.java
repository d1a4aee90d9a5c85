package io.weir.upstream.pool;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * State of one node at one moment, with the rules by which reports change it. The choice among nodes, probes, the status and the gauges
 * read the same snapshot; {@link Node} swaps it. Immutable.
 *
 * <p>Each rule is pure. It returns the state after a report, and the same object for a report that does not count. All times are nanoseconds
 * on the pool's clock.
 *
 * <p>The epoch counts how often the node went out or came back. A caller notes the epoch before it asks the node, and a report with an
 * older epoch changes nothing. So a call sent before the node came back does not affect it, nor does a probe sent before a fault.
 *
 * @param isDrained whether an operator keeps calls from the node
 * @param disputed a contradiction by other nodes that costs no calls; empty if there is none
 */
record NodeState(Standing standing, Head heads, Times times, boolean isDrained, String disputed) {

    /** Seconds without calls for a rate-limited node that names no time. */
    static final int THROTTLE_SECONDS = 1;

    /** Upper bound of the seconds that a rate-limited node may name. */
    static final int MAX_THROTTLE_SECONDS = 3600;

    /** Detail of a node that may not be probed. */
    static final String LIMITED = "is rate limited";

    private static final int WHOLE = 100;

    /** Percent of its share of calls that a node gets as soon as it came back. */
    private static final int FIRST_PERCENT = 10;

    /** Time in which the share grows to the whole: caches of a node that was restarted are warm then. */
    private static final long SLOW_START_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Health of a node with its reason.
     *
     * @param isChainKnown whether the node was seen to serve the right chain, and no other chain since
     * @param hasServed whether the node has answered a call since it last came back
     */
    record Standing(Health health, String detail, int epoch, boolean isChainKnown, boolean hasServed) {}

    /**
     * Head of a node.
     *
     * @param named the last head that the node named; -1 if it named none
     * @param believed the block up to which its heads count
     * @param namedNanos when the node last named its head or showed a higher one
     * @param outOfLine why the head does not count; null if it does
     */
    record Head(
            long named,
            long believed,
            long namedNanos,
            @Nullable String outOfLine) {}

    /**
     * Times of a node.
     *
     * @param throttledUntil when its rate limit ends
     * @param heldUntil when a good probe may bring it back
     * @param returnNanos the time in which a probe must be answered before it returns; only while it is ejected
     * @param backNanos when it came back after it was out
     */
    record Times(long throttledUntil, long heldUntil, long returnNanos, long backNanos) {}

    static NodeState unprobed(long now) {
        return new NodeState(
                new Standing(Health.UNKNOWN, "not probed yet", 0, false, false),
                new Head(-1, Long.MAX_VALUE, now, null),
                new Times(now, now, 0, now - SLOW_START_NANOS),
                false,
                "");
    }

    private NodeState with(Standing other) {
        return new NodeState(other, heads, times, isDrained, disputed);
    }

    private NodeState with(Head other) {
        return new NodeState(standing, other, times, isDrained, disputed);
    }

    private NodeState with(Times other) {
        return new NodeState(standing, heads, other, isDrained, disputed);
    }

    private Standing standing(Health health, String detail, int epoch) {
        return new Standing(health, detail, epoch, standing.isChainKnown(), standing.hasServed());
    }

    Health health() {
        return standing.health();
    }

    int epoch() {
        return standing.epoch();
    }

    /** Returns why the node is not healthy, or what other nodes contradict; empty if there is neither. */
    String detail() {
        return health() == Health.HEALTHY ? disputed : standing.detail();
    }

    /** Returns whether the node was seen to serve the right chain, and no other chain since. */
    boolean isChainKnown() {
        return standing.isChainKnown();
    }

    /** Returns the last head that the node named, as far as it is believed. */
    long head() {
        return Math.min(heads.named(), heads.believed());
    }

    /** Returns whether other heads may be compared with the node's head. */
    boolean isComparable() {
        return health() == Health.HEALTHY || health() == Health.LAGGING;
    }

    boolean isOutOfLine() {
        return health() == Health.OUT_OF_LINE;
    }

    boolean isEjected() {
        return health() == Health.EJECTED;
    }

    /** Returns whether the node went out, and only a good probe brings it back. */
    boolean isOut() {
        return health() == Health.DOWN || isEjected();
    }

    /** Returns whether no probe has shown yet what the node is, and it is not drained. */
    boolean isUnknown() {
        return health() == Health.UNKNOWN && !isDrained;
    }

    /** Returns whether the node is healthy and not drained. It may be rate limited. */
    boolean isInPool() {
        return health() == Health.HEALTHY && !isDrained;
    }

    /** Returns whether the node may receive calls without restriction. */
    boolean isReady(long now) {
        return isInPool() && throttledNanos(now) <= 0;
    }

    /** Returns the nanoseconds until the rate limit ends; 0 or less if the node may be asked. */
    long throttledNanos(long now) {
        return times.throttledUntil() - now;
    }

    /** Returns the nanoseconds that the node stays out at least; 0 or less if a good probe brings it back. */
    long heldNanos(long now) {
        return times.heldUntil() - now;
    }

    /** Returns whether a probe that took this time does not bring the node back, because it was ejected for its latency. */
    boolean isTooSlow(long nanos) {
        return isEjected() && nanos > times.returnNanos();
    }

    /** Returns the percentage of its share of calls that the node gets. The share grows after the node came back. */
    int percent(long now) {
        long passed = now - times.backNanos();
        return passed >= SLOW_START_NANOS ? WHOLE : (int) Math.max(FIRST_PERCENT, WHOLE * passed / SLOW_START_NANOS);
    }

    NodeState withDrained(boolean keep) {
        return new NodeState(standing, heads, times, keep, disputed);
    }

    /** Notes what other nodes contradict, though it costs no calls; null if they do not. */
    NodeState withDispute(@Nullable String reason) {
        return new NodeState(standing, heads, times, isDrained, reason == null ? "" : reason);
    }

    NodeState withBelieved(long upTo) {
        return with(new Head(heads.named(), upTo, heads.namedNanos(), heads.outOfLine()));
    }

    NodeState withHead(long head, long now) {
        return with(new Head(head, heads.believed(), now, heads.outOfLine()));
    }

    /** Notes that an answer showed that the node has this block. */
    NodeState raiseHead(long block, long now) {
        return block > heads.named() ? withHead(block, now) : this;
    }

    NodeState withServed() {
        return standing.hasServed()
                ? this
                : with(new Standing(health(), standing.detail(), epoch(), standing.isChainKnown(), true));
    }

    /** Sends the node no calls for a while. It stays in the pool. A shorter time than that left changes nothing. */
    NodeState throttle(int seconds, long now) {
        int bounded = seconds <= 0 ? THROTTLE_SECONDS : Math.min(seconds, MAX_THROTTLE_SECONDS);
        long until = now + TimeUnit.SECONDS.toNanos(bounded);
        return until - times.throttledUntil() <= 0
                ? this
                : with(new Times(until, times.heldUntil(), times.returnNanos(), times.backNanos()));
    }

    NodeState hold(long until) {
        return with(new Times(times.throttledUntil(), until, times.returnNanos(), times.backNanos()));
    }

    /** Notes that the node was not probed, because it limits its rate or its budget is spent: nothing is known of it yet. */
    NodeState leaveUnprobed(int reported) {
        return reported == epoch() && health() == Health.UNKNOWN
                ? with(standing(Health.UNKNOWN, LIMITED, epoch()))
                : this;
    }

    /** Takes the node out. The reason for which it is held stays. */
    NodeState takeDown(int reported, String detail, long now) {
        boolean held = health() == Health.DOWN && heldNanos(now) > 0;
        return reported == epoch() && !held ? out(detail) : this;
    }

    /** Takes the node out and holds it, whatever happened to it in the meantime. */
    NodeState distrust(String detail, long until) {
        return hold(until).out(detail);
    }

    private NodeState out(String detail) {
        return with(standing(Health.DOWN, detail, health() == Health.DOWN ? epoch() : epoch() + 1));
    }

    /**
     * Takes a node out that answers probes.
     *
     * @param slowest time in which a probe must be answered before the node returns
     */
    NodeState eject(int reported, String detail, long slowest) {
        boolean in = isComparable() || health() == Health.SYNCING || isOutOfLine();
        return reported != epoch() || !in
                ? this
                : with(standing(Health.EJECTED, detail, epoch() + 1))
                        .with(new Times(times.throttledUntil(), times.heldUntil(), slowest, times.backNanos()));
    }

    /** Takes the node out until it serves the right chain. */
    NodeState rejectChain(int reported, String detail) {
        return reported != epoch()
                ? this
                : with(new Standing(Health.WRONG_CHAIN, detail, epoch() + 1, false, standing.hasServed()));
    }

    /**
     * Applies a good probe.
     *
     * @param lag why the node lags, or null if it does not
     */
    NodeState applyGoodProbe(int reported, long newHead, boolean syncing, @Nullable String lag, long now) {
        if (reported != epoch()) {
            return this;
        }
        boolean back = !standing.isChainKnown() || isOut();
        Times after = new Times(
                times.throttledUntil(),
                times.heldUntil(),
                times.returnNanos(),
                back && standing.isChainKnown() ? now : times.backNanos());
        Standing next = new Standing(
                Health.SYNCING,
                "says that it is syncing",
                back ? epoch() + 1 : epoch(),
                true,
                standing.hasServed() && !back);
        NodeState good = withHead(newHead, now).with(after).with(next);
        return syncing ? good : good.inPool(lag);
    }

    private NodeState inPool(@Nullable String lag) {
        if (heads.outOfLine() != null) {
            return with(standing(Health.OUT_OF_LINE, heads.outOfLine(), epoch()));
        }
        return with(lag == null ? standing(Health.HEALTHY, "", epoch()) : standing(Health.LAGGING, lag, epoch()));
    }

    /**
     * Notes whether the head that the node named counts.
     *
     * @param reason why it does not; null if it does
     */
    NodeState withOutOfLine(@Nullable String reason) {
        if (Objects.equals(reason, heads.outOfLine())) {
            return this;
        }
        NodeState noted = with(new Head(heads.named(), heads.believed(), heads.namedNanos(), reason));
        return isComparable() || isOutOfLine()
                ? noted.inPool(health() == Health.LAGGING ? standing.detail() : null)
                : noted;
    }

    /** Compares the node again after another node named its head. */
    NodeState compare(@Nullable String lag) {
        return isComparable() ? inPool(lag) : this;
    }
}
