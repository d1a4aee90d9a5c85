package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.latency.LatencyClass;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Choice among the nodes of a pool. Thread-safe.
 *
 * <p>A node is ready if it is healthy, and neither drained nor rate limited. Its budget of units must pay for the call. Candidates are the ready nodes of the lowest tier that the call
 * has not tried yet. Nodes that lack what the call needs come after those of all tiers; those that said lately that they lack its data are
 * no candidates. For a call about a certain block, only
 * nodes with a head at least as high are candidates, over all tiers. If there is none, only those with the highest head are. A
 * node that came back lately is left out for a shrinking share of the calls, as long as the same tier has another candidate.
 *
 * <p>Two different candidates are drawn by weight. The one with less latency times attempts in flight per weight is taken; if
 * both are equal, the first. An idle pool of nodes with similar latencies thus shares exactly by weight, and a busy one by the
 * throughput of its nodes.
 *
 * <p>An unhealthy node is asked only while the whole pool has no healthy one, or too few of them; see {@link Panic}. A healthy node that this call tried already, or
 * that is rate limited, still counts as healthy. The call then gets no node, because a worse node could give another answer
 * than neighbouring calls get; except an unhealthy node that has the block of the call. See {@link LastResort}.
 */
final class NodeChoice {

    private static final int WHOLE = 100;

    private final List<Node> nodes;
    private final MethodCatalogue methods;
    private final boolean ordered;
    private final IntUnaryOperator random;
    private final LongSupplier clock;
    private final Panic panic;
    private final LastResort lastResort;

    /**
     * @param methods the facts about the methods that they serve
     * @param panic lets others serve while too few are healthy
     * @param lastResort chooses if no node is ready
     * @param ordered whether the first candidate is taken, in the order of the nodes
     * @param context has the random numbers, and the clock of the nodes' health
     */
    NodeChoice(
            List<Node> nodes,
            MethodCatalogue methods,
            Panic panic,
            LastResort lastResort,
            boolean ordered,
            PoolContext context) {
        this.nodes = nodes;
        this.methods = methods;
        this.panic = panic;
        this.ordered = ordered;
        this.lastResort = lastResort;
        this.random = context.random();
        this.clock = context.clock();
    }

    @Nullable
    Choice choose(String method, List<Upstream> tried, long leastHead) {
        return choose(new NodeNeed(method, null, leastHead, false), tried);
    }

    @Nullable
    Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return choose(new NodeNeed(call.method(), call, leastHead, false), tried);
    }

    private @Nullable Choice choose(NodeNeed need, List<Upstream> tried) {
        Choice choice = ofReady(need, tried, need.block());
        if (choice == null && need.block() > 0) {
            choice = ofReady(need, tried, highestHead(need, tried));
        }
        if (choice != null) {
            return choice;
        }
        return anyHealthy() ? lastResort.besideHealthy(need, tried) : lastResort.withoutHealthy(need, tried);
    }

    /** Returns whether a ready node is left that has what the call needs. */
    boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
        NodeNeed need = new NodeNeed(call.method(), call, leastHead, false);
        MethodFacts facts = methods.facts(call.method());
        long now = clock.getAsLong();
        for (Node node : nodes) {
            if (!tried.contains(node)
                    && isReadyAt(node.state(), leastHead, now)
                    && node.capabilities().serves(call.method())
                    && node.units().affords(call.method())
                    && !need.lacks(node, facts)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether each node that may ever answer the call said lately that it lacks the data. */
    boolean allLack(RpcCall call, long leastHead) {
        NodeNeed need = new NodeNeed(call.method(), call, leastHead, false);
        MethodFacts facts = methods.facts(call.method());
        List<Node> able = nodes.stream()
                .filter(node -> node.capabilities().serves(call.method())
                        && node.state().isChainKnown()
                        && !node.state().isDrained())
                .toList();
        return !able.isEmpty() && able.stream().allMatch(node -> need.saidToLack(node, facts));
    }

    boolean anyHealthy() {
        for (Node node : nodes) {
            if (node.state().isInPool()) {
                return true;
            }
        }
        return false;
    }

    /** Chooses a node to check null answers; see {@link io.weir.upstream.UpstreamPool#chooseToCheck}. */
    @Nullable
    Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        boolean believed = empty.stream()
                .anyMatch(
                        one -> one instanceof Node node && !node.capabilities().lacksTransactions());
        if (believed && empty.size() > 1) {
            return null;
        }
        Choice choice = ofReady(new NodeNeed(call.method(), call, 0, true), tried, 0);
        if (choice == null
                || !(choice.upstream() instanceof Node other
                        && !other.capabilities().lacksTransactions())
                || !(empty.get(empty.size() - 1) instanceof Node last
                        && last.capabilities().takeNullCheck(call))) {
            return null;
        }
        last.capabilities().countNullCheck();
        return choice;
    }

    private static boolean isReadyAt(NodeState state, long leastHead, long now) {
        return state.isReady(now) && state.head() >= leastHead;
    }

    private @Nullable Choice ofReady(NodeNeed need, List<Upstream> tried, long leastHead) {
        Node[] ready = new Node[nodes.size()];
        int count = 0;
        int healthy = 0;
        int out = 0;
        long now = clock.getAsLong();
        // Nobody chooses by the data of a node that is alone.
        MethodFacts facts = nodes.size() == 1 ? null : methods.facts(need.method());
        Node spent = null;
        for (Node node : nodes) {
            NodeState state = node.state();
            if (!state.isInPool()) {
                out += state.isDrained() ? 0 : 1;
                continue;
            }
            healthy++;
            if (isReadyAt(state, leastHead, now)
                    && !tried.contains(node)
                    && node.capabilities().serves(need.method())
                    && (facts == null || !need.saidToLack(node, facts))) {
                if (node.units().affords(need.method())) {
                    ready[count++] = node;
                } else if (spent == null || node.tier() < spent.tier()) {
                    spent = node;
                }
            }
        }
        if (count == 0) {
            return null;
        }
        Choice choice = facts != null && !ordered && !need.checks() && panic.isOn(healthy, out)
                ? inPanic(need, facts, tried, ready, count, now)
                : new Choice(facts == null || count == 1 ? ready[0] : best(need, facts, ready, count, now), false);
        if (spent != null && choice.upstream() instanceof Node chosen && spent.tier() <= chosen.tier()) {
            spent.units().overflowed();
        }
        return choice;
    }

    /** Returns the node to take of several ready ones. */
    private Node best(NodeNeed need, MethodFacts facts, Node[] ready, int count, long now) {
        int kept = keepLowest(need, facts, ready, count);
        if (kept > 1) {
            kept = keepStarted(ready, kept, now);
        }
        return ordered || kept == 1 ? ready[0] : ofTwo(LatencyClass.of(facts), ready, kept);
    }

    /** Chooses among the ready nodes and the least bad of the others. */
    private Choice inPanic(NodeNeed need, MethodFacts facts, List<Upstream> tried, Node[] ready, int count, long now) {
        int kept = keepLowest(need, facts, ready, count);
        int all = panic.join(ready, kept, need, facts, tried, now);
        Node node = all == kept ? best(need, facts, ready, kept, now) : ofTwo(LatencyClass.of(facts), ready, all);
        boolean degraded = !node.state().isInPool();
        if (degraded) {
            panic.chosen();
        }
        return new Choice(node, degraded);
    }

    /** Moves the nodes of the lowest rank to the front and returns their number. */
    private static int keepLowest(NodeNeed need, MethodFacts facts, Node[] ready, int count) {
        int lowest = Integer.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int rank = need.rank(ready[i], facts);
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

    /**
     * Moves the nodes that get this call to the front and returns their number: all but those that came back lately, which get a
     * share of the calls. If only such nodes are there, all of them get it.
     */
    private int keepStarted(Node[] ready, int count, long now) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int percent = ready[i].state().percent(now);
            if (percent == WHOLE || random.applyAsInt(WHOLE) < percent) {
                Node started = ready[i];
                ready[i] = ready[kept];
                ready[kept++] = started;
            }
        }
        return kept == 0 ? count : kept;
    }

    private long highestHead(NodeNeed need, List<Upstream> tried) {
        long highest = 0;
        MethodFacts facts = methods.facts(need.method());
        long now = clock.getAsLong();
        for (Node node : nodes) {
            if (node.state().isReady(now)
                    && !tried.contains(node)
                    && node.units().affords(need.method())
                    && !need.saidToLack(node, facts)) {
                highest = Math.max(highest, node.state().head());
            }
        }
        return highest;
    }

    @Nullable
    Choice chooseAhead(String method, Upstream behind) {
        long best = -1;
        for (Node node : nodes) {
            NodeState state = node.state();
            if (state.isInPool()) {
                best = Math.max(best, state.head());
            }
        }
        if (behind.status().head() >= best) {
            return null;
        }
        Node[] ahead = new Node[nodes.size()];
        int count = 0;
        long now = clock.getAsLong();
        for (Node node : nodes) {
            NodeState state = node.state();
            if (state.isReady(now)
                    && state.head() == best
                    && node != behind
                    && node.capabilities().serves(method)
                    && node.units().affords(method)) {
                ahead[count++] = node;
            }
        }
        if (count == 0) {
            return null;
        }
        return new Choice(count == 1 ? ahead[0] : ofTwo(LatencyClass.LOOKUP, ahead, count), false);
    }

    /** Draws two of several nodes and returns the one that promises the earlier answer. */
    private Node ofTwo(LatencyClass latencyClass, Node[] ready, int count) {
        Node first = draw(ready, count);
        Node second = draw(ready, count - 1);
        return cost(second, latencyClass) < cost(first, latencyClass) ? second : first;
    }

    /** Returns the latency to expect. Attempts in flight count in proportion to the weight. */
    private static double cost(Node node, LatencyClass latencyClass) {
        return node.latency().step(latencyClass) * (1 + (double) node.inFlight() / node.weight());
    }

    /** Draws a node by weight and moves it behind the others. */
    private Node draw(Node[] from, int count) {
        int weights = 0;
        for (int i = 0; i < count; i++) {
            weights += from[i].weight();
        }
        int left = random.applyAsInt(weights);
        int index = 0;
        // An operator may have lowered a weight since it was added up.
        while (index < count - 1 && left >= from[index].weight()) {
            left -= from[index++].weight();
        }
        Node drawn = from[index];
        from[index] = from[count - 1];
        from[count - 1] = drawn;
        return drawn;
    }
}
