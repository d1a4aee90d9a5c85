package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Choice among the nodes of a pool. Thread-safe.
 *
 * <p>A node is ready if it is healthy and not rate limited. Candidates are the ready nodes of the lowest tier that the call
 * has not tried yet. Two different candidates are drawn by weight. The one with fewer attempts in flight per weight is
 * taken; if both are equal, the first. An idle pool thus shares exactly by weight, and a busy one by the throughput of its
 * nodes. For a call about a certain block, only nodes with a head at least as high are candidates, over all tiers. If there
 * is none, only those with the highest head are.
 *
 * <p>An unhealthy node is asked only while the whole pool has no healthy one. A healthy node that this call tried already, or
 * that is rate limited, still counts as healthy. The call then gets no node, because a worse node could give another answer
 * than neighbouring calls get. Among unhealthy nodes the least bad comes first: lagging, then syncing, then out of line, then
 * down. Ties are broken by lower tier, higher head, and the latest good probe. Nodes on another chain, and nodes never seen on
 * the right one, are never asked.
 */
final class NodeChoice {

    private static final Comparator<PooledUpstream> LEAST_BAD = Comparator.comparingInt(
                    (PooledUpstream node) -> badness(node.health().health()))
            .thenComparingInt(PooledUpstream::tier)
            .thenComparing(Comparator.comparingLong(
                            (PooledUpstream node) -> node.health().head())
                    .reversed())
            .thenComparing((a, b) ->
                    Long.signum(b.health().lastGoodNanos() - a.health().lastGoodNanos()));

    /** Added to the rank of a node that lacks the method; larger than any tier, so such a node comes last. */
    private static final int LACKING = 1 << 24;

    private final List<PooledUpstream> nodes;
    private final IntUnaryOperator random;
    private final LongSupplier clock;

    /**
     * Creates the choice among these nodes.
     *
     * @param random returns a number from 0 to its argument, exclusive; thread-safe
     * @param clock nanoseconds, the clock of the nodes' health
     */
    NodeChoice(List<PooledUpstream> nodes, IntUnaryOperator random, LongSupplier clock) {
        this.nodes = nodes;
        this.random = random;
        this.clock = clock;
    }

    /** Rank of a node; the lowest rank is chosen. */
    private interface Rank {
        int of(PooledUpstream node);
    }

    @Nullable
    Choice choose(String method, List<Upstream> tried, long leastHead) {
        return choose(node -> 2 * node.tier() + (node.lacks(method) ? LACKING : 0), tried, leastHead);
    }

    @Nullable
    Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return choose(
                node -> 2 * node.tier()
                        + (node.lacksTransactions() && isOfTransaction(call) ? 1 : 0)
                        + (node.lacks(call) ? LACKING : 0),
                tried,
                leastHead);
    }

    private static boolean isOfTransaction(RpcCall call) {
        return MethodCatalogue.ofName(call.method()).lookup().isOfTransaction();
    }

    private @Nullable Choice choose(Rank rank, List<Upstream> tried, long leastHead) {
        Choice choice = ofReady(rank, tried, leastHead);
        if (choice == null && leastHead > 0) {
            choice = ofReady(rank, tried, highestHead(tried));
        }
        if (choice != null) {
            return choice;
        }
        return anyHealthy() ? null : leastBad(tried);
    }

    boolean anyHealthy() {
        for (PooledUpstream node : nodes) {
            if (node.health().health() == Health.HEALTHY) {
                return true;
            }
        }
        return false;
    }

    /** Chooses a node to check null answers; see {@link io.weir.upstream.UpstreamPool#chooseToCheck}. */
    @Nullable
    Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        boolean believed =
                empty.stream().anyMatch(one -> one instanceof PooledUpstream node && !node.lacksTransactions());
        if (believed && empty.size() > 1) {
            return null;
        }
        Choice choice = ofReady(node -> node.lacksTransactions() || node.lacks(call) ? LACKING : node.tier(), tried, 0);
        if (choice == null
                || !(choice.upstream() instanceof PooledUpstream other && !other.lacksTransactions())
                || !(empty.get(empty.size() - 1) instanceof PooledUpstream last && last.takeNullCheck(call))) {
            return null;
        }
        last.countNullCheck();
        return choice;
    }

    private @Nullable Choice ofReady(Rank ranks, List<Upstream> tried, long leastHead) {
        PooledUpstream[] ready = new PooledUpstream[nodes.size()];
        int count = 0;
        long now = clock.getAsLong();
        for (PooledUpstream node : nodes) {
            if (node.health().ready(now) && node.health().head() >= leastHead && !tried.contains(node)) {
                ready[count++] = node;
            }
        }
        if (count > 1) {
            count = keepLowest(ranks, ready, count);
        }
        return count > 0 ? new Choice(ofTwo(ready, count), false) : null;
    }

    /** Moves the nodes of the lowest rank to the front and returns their number. */
    private static int keepLowest(Rank ranks, PooledUpstream[] ready, int count) {
        int lowest = Integer.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int rank = ranks.of(ready[i]);
            if (rank < lowest) {
                lowest = rank;
                kept = 0;
            }
            if (rank == lowest) {
                ready[kept++] = ready[i];
            }
        }
        return kept;
    }

    private long highestHead(List<Upstream> tried) {
        long highest = 0;
        long now = clock.getAsLong();
        for (PooledUpstream node : nodes) {
            if (node.health().ready(now) && !tried.contains(node)) {
                highest = Math.max(highest, node.health().head());
            }
        }
        return highest;
    }

    @Nullable
    Choice chooseAhead(Upstream behind) {
        long best = -1;
        for (PooledUpstream node : nodes) {
            if (node.health().health() == Health.HEALTHY) {
                best = Math.max(best, node.health().head());
            }
        }
        if (behind.status().head() >= best) {
            return null;
        }
        PooledUpstream[] ahead = new PooledUpstream[nodes.size()];
        int count = 0;
        long now = clock.getAsLong();
        for (PooledUpstream node : nodes) {
            if (node.health().ready(now) && node.health().head() == best && node != behind) {
                ahead[count++] = node;
            }
        }
        return count == 0 ? null : new Choice(ofTwo(ahead, count), false);
    }

    private PooledUpstream ofTwo(PooledUpstream[] ready, int count) {
        if (count == 1) {
            return ready[0];
        }
        PooledUpstream first = draw(ready, count);
        PooledUpstream second = draw(ready, count - 1);
        // Multiplied crosswise to avoid fractions.
        boolean secondLess = (long) second.inFlight() * first.weight() < (long) first.inFlight() * second.weight();
        return secondLess ? second : first;
    }

    /** Draws a node by weight and moves it behind the others. */
    private PooledUpstream draw(PooledUpstream[] from, int count) {
        int weights = 0;
        for (int i = 0; i < count; i++) {
            weights += from[i].weight();
        }
        int left = random.applyAsInt(weights);
        int index = 0;
        while (left >= from[index].weight()) {
            left -= from[index++].weight();
        }
        PooledUpstream drawn = from[index];
        from[index] = from[count - 1];
        from[count - 1] = drawn;
        return drawn;
    }

    private @Nullable Choice leastBad(List<Upstream> tried) {
        return nodes.stream()
                .filter(node ->
                        node.health().chainKnown() && node.health().throttledNanos() <= 0 && !tried.contains(node))
                .min(LEAST_BAD)
                .map(node -> new Choice(node, true))
                .orElse(null);
    }

    private static int badness(Health health) {
        return switch (health) {
            case HEALTHY -> 0;
            case LAGGING -> 1;
            case SYNCING -> 2;
            case OUT_OF_LINE -> 3;
            case DOWN, UNKNOWN, WRONG_CHAIN -> 4;
        };
    }
}
