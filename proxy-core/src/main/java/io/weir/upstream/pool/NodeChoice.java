package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.latency.LatencyClass;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Choice among the nodes of a pool. Thread-safe.
 *
 * <p>A node is ready if it is healthy and not rate limited. Candidates are the ready nodes of the lowest tier that the call
 * has not tried yet. Nodes that lack what the call needs come after those of all tiers. Two different candidates are drawn by
 * weight. The one with less latency times attempts in flight per weight is taken; if both are equal, the first. An idle pool of
 * nodes with similar latencies thus shares exactly by weight, and a busy one by the throughput of its nodes. A node that came back
 * lately is a candidate for a growing share of calls. For a call about a certain block, only nodes with a head at least as high are candidates, over all tiers. If there
 * is none, only those with the highest head are.
 *
 * <p>An unhealthy node is asked only while the whole pool has no healthy one. A healthy node that this call tried already, or
 * that is rate limited, still counts as healthy. The call then gets no node, because a worse node could give another answer
 * than neighbouring calls get; except an unhealthy node that has the block of the call. Among unhealthy nodes the least bad comes first: lagging, then syncing, then out of line, then
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

    private static final int WHOLE = 100;

    private final List<PooledUpstream> nodes;
    private final boolean ordered;
    private final IntUnaryOperator random;
    private final LongSupplier clock;

    /**
     * Creates the choice among these nodes.
     *
     * @param ordered whether the first candidate is taken, in the order of the nodes
     * @param random returns a number from 0 to its argument, exclusive; thread-safe
     * @param clock nanoseconds, the clock of the nodes' health
     */
    NodeChoice(List<PooledUpstream> nodes, boolean ordered, IntUnaryOperator random, LongSupplier clock) {
        this.nodes = nodes;
        this.ordered = ordered;
        this.random = random;
        this.clock = clock;
    }

    @Nullable
    Choice choose(String method, List<Upstream> tried, long leastHead) {
        return choose(new Wanted(MethodCatalogue.ofName(method), method, null, leastHead, false), tried);
    }

    @Nullable
    Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return choose(new Wanted(MethodCatalogue.ofName(call.method()), call.method(), call, leastHead, false), tried);
    }

    private @Nullable Choice choose(Wanted wanted, List<Upstream> tried) {
        Choice choice = ofReady(wanted, tried, wanted.block());
        if (choice == null && wanted.block() > 0) {
            choice = ofReady(wanted, tried, highestHead(tried));
        }
        if (choice != null) {
            return choice;
        }
        return anyHealthy() ? lastResort(wanted, tried) : leastBad(wanted.method(), tried);
    }

    /**
     * A call for which a node is wanted. Immutable.
     *
     * @param call null if only its method is known
     * @param block the number of the block that it is about; 0 if unknown
     * @param checks whether the node is to check the null answers of others
     */
    private record Wanted(
            MethodFacts facts, String method, @Nullable RpcCall call, long block, boolean checks) {

        /** Returns the rank of a node; the lowest is chosen. */
        int rank(PooledUpstream node) {
            NodeCapabilities able = node.capabilities();
            boolean lacking = call == null
                    ? able.refused().isLacking(method)
                    : able.refused().holds(call);
            boolean old = facts.lookup().isOfTransaction() && able.lacksTransactions();
            int rank = 2 * node.tier() + (old ? 1 : 0);
            return lacking
                            || (old && checks)
                            || able.lacksData(facts, block, node.health().head())
                    ? rank + LACKING
                    : rank;
        }

        LatencyClass latencyClass() {
            return LatencyClass.of(facts);
        }
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
        boolean believed = empty.stream()
                .anyMatch(one -> one instanceof PooledUpstream node
                        && !node.capabilities().lacksTransactions());
        if (believed && empty.size() > 1) {
            return null;
        }
        Choice choice =
                ofReady(new Wanted(MethodCatalogue.ofName(call.method()), call.method(), call, 0, true), tried, 0);
        if (choice == null
                || !(choice.upstream() instanceof PooledUpstream other
                        && !other.capabilities().lacksTransactions())
                || !(empty.get(empty.size() - 1) instanceof PooledUpstream last
                        && last.capabilities().takeNullCheck(call))) {
            return null;
        }
        last.capabilities().countNullCheck();
        return choice;
    }

    private @Nullable Choice ofReady(Wanted wanted, List<Upstream> tried, long leastHead) {
        PooledUpstream[] ready = new PooledUpstream[nodes.size()];
        int count = 0;
        int held = 0;
        long now = clock.getAsLong();
        for (PooledUpstream node : nodes) {
            if (!node.health().ready(now)
                    || node.health().head() < leastHead
                    || tried.contains(node)
                    || !node.capabilities().serves(wanted.method())) {
                continue;
            }
            int percent = node.health().percent(now);
            if (percent < WHOLE && random.applyAsInt(WHOLE) >= percent) {
                ready[ready.length - ++held] = node;
            } else {
                ready[count++] = node;
            }
        }
        if (held > 0 && count == 0) {
            // Only nodes that came back lately are left.
            ready = Arrays.copyOfRange(ready, ready.length - held, ready.length);
            count = held;
        }
        if (count > 1) {
            count = keepLowest(wanted, ready, count);
        }
        if (count == 0) {
            return null;
        }
        return new Choice(ordered ? ready[0] : ofTwo(wanted.latencyClass(), ready, count), false);
    }

    /** Moves the nodes of the lowest rank to the front and returns their number. */
    private static int keepLowest(Wanted wanted, PooledUpstream[] ready, int count) {
        int lowest = Integer.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int rank = wanted.rank(ready[i]);
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
        return count == 0 ? null : new Choice(ofTwo(LatencyClass.LOOKUP, ahead, count), false);
    }

    private PooledUpstream ofTwo(LatencyClass latencyClass, PooledUpstream[] ready, int count) {
        if (count == 1) {
            return ready[0];
        }
        PooledUpstream first = draw(ready, count);
        PooledUpstream second = draw(ready, count - 1);
        return cost(second, latencyClass) < cost(first, latencyClass) ? second : first;
    }

    /** Returns the latency to expect. Attempts in flight count in proportion to the weight. */
    private static double cost(PooledUpstream node, LatencyClass latencyClass) {
        return node.latency().step(latencyClass) * (1 + (double) node.inFlight() / node.weight());
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

    /**
     * Chooses an unhealthy node for a call that failed at the healthy ones, or while these are rate limited. It must have the block of the call, so that its answer
     * is that of the others.
     */
    private @Nullable Choice lastResort(Wanted wanted, List<Upstream> tried) {
        if (wanted.block() <= 0) {
            return null;
        }
        long now = clock.getAsLong();
        return nodes.stream()
                .filter(node -> !node.health().ready(now)
                        && node.health().chainKnown()
                        && node.health().health() != Health.OUT_OF_LINE
                        && node.health().throttledNanos() <= 0
                        && node.health().head() >= wanted.block()
                        && wanted.rank(node) < LACKING
                        && node.capabilities().serves(wanted.method())
                        && !tried.contains(node))
                .min(LEAST_BAD)
                .map(node -> new Choice(node, true))
                .orElse(null);
    }

    private @Nullable Choice leastBad(String method, List<Upstream> tried) {
        return nodes.stream()
                .filter(node -> node.health().chainKnown()
                        && node.health().throttledNanos() <= 0
                        && node.capabilities().serves(method)
                        && !tried.contains(node))
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
