package io.weir.upstream.pool;

import io.weir.chain.HeadTracker.RoundResult;
import io.weir.upstream.head.HeadFeed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Current round of a pool's probes: the nodes that are asked together, and the comparison of their heads. Nodes are compared
 * only with heads that count; see {@link HeadFeed}. Confined to the monitor's event loop.
 */
final class ProbeRound {

    private final HeadMeasure measure;
    private final HeadFeed heads;
    private final List<WatchedNode> nodes;
    private final LongSupplier clock;
    private List<WatchedNode> members = List.of();
    /** Members that have not answered yet. */
    private final Set<WatchedNode> waiting = new HashSet<>();
    /** Heads of members that did not count when they were named. */
    private final Map<WatchedNode, HeadMeasure.Sample> unconfirmed = new HashMap<>();
    /** Heads that the members name. */
    private HeadFeed.Round round;
    /** Whether the last round has not settled the head. */
    private boolean unsettled;

    /**
     * @param heads receives the heads that the nodes name
     * @param nodes the pool's nodes
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    ProbeRound(HeadMeasure measure, HeadFeed heads, List<WatchedNode> nodes, LongSupplier clock) {
        this.measure = measure;
        this.heads = heads;
        this.nodes = nodes;
        this.clock = clock;
        this.round = heads.begin();
    }

    /** Begins a new round; called before the first member is asked. */
    void begin(List<WatchedNode> asked) {
        members = asked;
        waiting.clear();
        waiting.addAll(asked);
        unconfirmed.clear();
        measure.beginRound();
        round = heads.begin();
    }

    /** Returns the time between the chain's blocks in nanoseconds; 0 if it is not known. */
    long blockNanos() {
        return heads.tracker().blockNanos();
    }

    /**
     * Returns whether the nodes asked last leave the head open: they named a lower one than the known, or none for more blocks
     * than a node may be behind.
     */
    boolean leavesHeadOpen(long maxLag) {
        return unsettled || heads.tracker().isOverdue(maxLag + 1);
    }

    HeadMeasure measure() {
        return measure;
    }

    /** Returns whether a round was begun. */
    boolean hasMembers() {
        return !members.isEmpty();
    }

    /** Returns whether all members have answered. */
    boolean isComplete() {
        return waiting.isEmpty();
    }

    /** Notes the result of a probe. Returns whether the node is a member that had not answered yet. */
    boolean ended(WatchedNode watched, HealthProbe.Result result) {
        if (!waiting.remove(watched)) {
            return false;
        }
        long now = clock.getAsLong();
        if (!(result instanceof HealthProbe.Result.Good good)) {
            measure.missed();
        } else if (!good.syncing()) {
            unconfirmed.put(watched, new HeadMeasure.Sample(good.head(), now));
            takeConfirmed();
        }
        if (waiting.isEmpty() && unconfirmed.isEmpty()) {
            endMeasure();
        }
        return true;
    }

    private void takeConfirmed() {
        unconfirmed.entrySet().removeIf(one -> {
            boolean counts = heads.counts(one.getKey(), one.getValue().head());
            if (counts) {
                measure.named(one.getValue());
            }
            return counts;
        });
    }

    private void endMeasure() {
        long others = nodes.stream()
                .filter(one -> !members.contains(one) && one.state().isComparable())
                .mapToLong(one -> one.state().head())
                .max()
                .orElse(-1);
        measure.endRound(others, clock.getAsLong());
    }

    /** Compares the members that have answered with each other. */
    void compare() {
        takeConfirmed();
        compare(waiting.isEmpty() && !unconfirmed.isEmpty());
    }

    private void compare(boolean open) {
        members.stream().filter(one -> !waiting.contains(one)).forEach(one -> one.compare(measure, open));
    }

    /**
     * Forwards the head that a node named.
     *
     * @param inRound whether the node answered as a member of this round
     */
    void feed(WatchedNode watched, HealthProbe.Result result, boolean inRound) {
        if (result instanceof HealthProbe.Result.Good good) {
            if (inRound) {
                heads.named(round, watched, good.head());
            } else {
                heads.returned(watched, good.head());
            }
        }
        if (inRound && waiting.isEmpty()) {
            HeadFeed.Round ending = round;
            heads.end(ending, end -> {
                if (ending == round) {
                    unsettled = end == RoundResult.UNKNOWN || end == RoundResult.DOUBTED;
                    // A head that was checked may be the best one: until then the one before it stays.
                    takeConfirmed();
                    endMeasure();
                    compare(false);
                    members.forEach(WatchedNode::compared);
                }
            });
        }
    }
}
