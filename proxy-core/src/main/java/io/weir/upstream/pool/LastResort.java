package io.weir.upstream.pool;

import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Choice of a node that is not ready, for calls that no ready node can answer. Thread-safe.
 *
 * <p>The least bad comes first: lagging, then syncing, then out of line, then ejected, then down. Beside healthy nodes, one that is out of line comes last. Ties are broken by lower tier, higher head,
 * fewer attempts in flight, and the latest good probe. Nodes on another chain, nodes never seen on the right one, and drained nodes are never asked.
 */
final class LastResort {

    private static final Comparator<Node> LEAST_BAD = Comparator.comparingInt(
                    (Node node) -> badness(node.state().health()))
            .thenComparingInt(Node::tier)
            .thenComparing(
                    Comparator.comparingLong((Node node) -> node.state().head()).reversed())
            // Spreads the calls over equal nodes.
            .thenComparingDouble(node -> (double) node.inFlight() / node.weight())
            .thenComparing((a, b) -> Long.signum(
                    b.state().times().goodNanos() - a.state().times().goodNanos()));

    private final List<Node> nodes;
    private final MethodCatalogue methods;
    private final LongSupplier newest;
    private final LongSupplier clock;

    /**
     * @param newest returns the highest block that counts without being shown
     * @param clock nanoseconds, the clock of the nodes' health
     */
    LastResort(List<Node> nodes, MethodCatalogue methods, LongSupplier newest, LongSupplier clock) {
        this.newest = newest;
        this.nodes = nodes;
        this.methods = methods;
        this.clock = clock;
    }

    /**
     * Chooses for a call that failed at the healthy nodes, or while these are rate limited. The node must have the block of the
     * call, so that its answer is that of the others. It may have got the block since it named its head: a call for state is sent
     * all the same, because a node without the block gives an error. A node that is out of line may be on a fork: it gets calls for
     * state only, after all others, and not beyond the head that counts.
     */
    @Nullable
    Choice besideHealthy(NodeNeed need, List<Upstream> tried) {
        if (need.block() <= 0) {
            return null;
        }
        MethodFacts facts = methods.facts(need.method());
        long now = clock.getAsLong();
        Choice inLine = leastBad(
                need,
                tried,
                node -> !node.state().isReady(now)
                        && !node.state().isOutOfLine()
                        && (node.state().head() >= need.block() || facts.needsState())
                        && !need.lacks(node, facts));
        boolean left = inLine != null || anyHealthyLeft(need, facts, tried);
        return left || !facts.needsState() || need.block() > newest.getAsLong()
                ? inLine
                : leastBad(need, tried, node -> node.state().isOutOfLine() && !need.lacks(node, facts));
    }

    /** Returns whether a healthy node may answer the call once its pause is over. */
    private boolean anyHealthyLeft(NodeNeed need, MethodFacts facts, List<Upstream> tried) {
        return nodes.stream()
                .anyMatch(node -> node.state().isInPool()
                        && !tried.contains(node)
                        && node.capabilities().serves(need.method())
                        && !need.lacks(node, facts));
    }

    /** Chooses while the pool has no healthy node. */
    @Nullable
    Choice withoutHealthy(NodeNeed need, List<Upstream> tried) {
        MethodFacts facts = methods.facts(need.method());
        return leastBad(need, tried, node -> nodes.size() == 1 || !need.saidToLack(node, facts));
    }

    private @Nullable Choice leastBad(NodeNeed need, List<Upstream> tried, Predicate<Node> fits) {
        long now = clock.getAsLong();
        return nodes.stream()
                .filter(node -> mayServe(node, need, tried, now) && fits.test(node))
                .min(LEAST_BAD)
                .map(node -> new Choice(node, true))
                .orElse(null);
    }

    /** Returns whether a node that is not healthy may get a call at all. */
    static boolean mayServe(Node node, NodeNeed need, List<Upstream> tried, long now) {
        NodeState state = node.state();
        return state.isChainKnown()
                && !state.isDrained()
                && state.throttledNanos(now) <= 0
                && node.units().affords(need.method())
                && node.capabilities().serves(need.method())
                && !tried.contains(node);
    }

    private static int badness(Health health) {
        return switch (health) {
            case HEALTHY -> 0;
            case LAGGING -> 1;
            case SYNCING -> 2;
            case OUT_OF_LINE -> 3;
            case EJECTED -> 4;
            case DOWN, UNKNOWN, WRONG_CHAIN -> 5;
        };
    }
}
