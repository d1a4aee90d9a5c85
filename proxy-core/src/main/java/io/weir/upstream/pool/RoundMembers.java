package io.weir.upstream.pool;

import io.weir.config.NetworkConfig.HealthConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Choice of the nodes that a round of probes asks. Each round asks the nodes of the tiers in use, and the others once in the idle
 * interval. Confined to the monitor's event loop.
 *
 * <p>The lowest tier with a node that may get calls is in use, and so are tiers whose nodes got calls since the last round. All
 * tiers are asked if those in use leave the head open: if they name a lower one than the known, or none for too long.
 */
final class RoundMembers {

    private final List<WatchedNode> nodes;
    private final long idleNanos;
    private final LongSupplier clock;

    /**
     * Chooses among these nodes.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    RoundMembers(HealthConfig config, List<WatchedNode> nodes, LongSupplier clock) {
        this.nodes = nodes;
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(config.idleIntervalMillis());
        this.clock = clock;
    }

    /** Returns whether a node got a call since the last round began. */
    boolean isCalled() {
        return nodes.stream().anyMatch(one -> one.node().use().isCalled());
    }

    /** Lets the next call of any node begin a round. */
    void rest() {
        nodes.forEach(one -> one.node().use().tierInUse(false));
    }

    /**
     * Begins a round.
     *
     * @param first whether it is the first one
     * @param allTiers whether the tiers in use leave the head open
     */
    List<WatchedNode> next(boolean first, boolean allTiers) {
        Set<Integer> inUse = tiersInUse();
        long now = clock.getAsLong();
        List<WatchedNode> members = new ArrayList<>();
        for (WatchedNode one : nodes) {
            boolean used = inUse.isEmpty() || inUse.contains(one.tier());
            boolean due = used || allTiers || now - one.startedNanos() >= idleNanos;
            one.node().use().tierInUse(used);
            if (due && isReachable(one, first) && !one.probing()) {
                members.add(one);
            }
        }
        return members;
    }

    private Set<Integer> tiersInUse() {
        Set<Integer> tiers = new HashSet<>();
        int lowest = Integer.MAX_VALUE;
        for (WatchedNode one : nodes) {
            if (one.ready()) {
                lowest = Math.min(lowest, one.tier());
            }
            if (one.node().use().takeCalled()) {
                tiers.add(one.tier());
            }
        }
        if (lowest < Integer.MAX_VALUE) {
            tiers.add(lowest);
        }
        return tiers;
    }

    private static boolean isReachable(WatchedNode one, boolean first) {
        boolean reachable = switch (one.health().health()) {
            case HEALTHY, LAGGING, SYNCING, OUT_OF_LINE, EJECTED -> true;
            case UNKNOWN -> first;
            case DOWN, WRONG_CHAIN -> false;
        };
        return reachable && one.health().throttledNanos() <= 0;
    }
}
