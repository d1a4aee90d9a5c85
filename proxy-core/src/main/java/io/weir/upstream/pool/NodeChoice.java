package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Choice among the nodes of a pool. Thread-safe.
 *
 * <p><b>Ready nodes.</b> A node is ready if it is healthy, and neither drained nor rate limited. Its budget of units must pay for the call.
 * Candidates are the ready nodes of the lowest tier that the call has not tried yet. Nodes that lack what the call needs come after those
 * of all tiers; those that said lately that they lack its data are no candidates. For a call about a certain block, only nodes with a head
 * at least as high are candidates, over all tiers. If there is none, only those with the highest head are. A node that came back lately is
 * left out for a shrinking share of the calls, as long as the same tier has another candidate.
 *
 * <p>Two different candidates are drawn by weight. The one with less latency times attempts in flight per weight is taken; if
 * both are equal, the first. An idle pool of nodes with similar latencies thus shares exactly by weight, and a busy one by the
 * throughput of its nodes.
 *
 * <p><b>Too few healthy nodes.</b> Others serve beside them then, since the healthy ones cannot carry the load. The least bad ones do: those
 * that lag, else those that sync, else ejected ones. They must answer probes, have the block of the call, and lack nothing that it needs. An
 * answer without a block may come from an ejected node only, since that one is not behind.
 *
 * <p><b>No ready node.</b> If the whole pool has no healthy node, the least bad one is asked: lagging, then syncing, then out of line, then
 * ejected, then down. Ties are broken by lower tier, higher head, fewer attempts in flight, and the latest good probe. Nodes on another
 * chain, nodes never seen on the right one, and drained nodes are never asked. A healthy node that this call tried already, or that is rate
 * limited, still counts as healthy. The call then gets no node, because a worse node could give another answer than neighbouring calls get;
 * except an unhealthy node that has the block of the call.
 */
final class NodeChoice {

    private static final int WHOLE = 100;

    /** Share of healthy nodes below which others serve too, in percent: one of three hardly carries the load of all. */
    private static final int MIN_HEALTHY_PERCENT = 40;

    private static final Comparator<Node> LEAST_BAD = Comparator.comparingInt(
                    (Node node) -> badness(node.state().health()))
            .thenComparingInt(Node::tier)
            .thenComparing(
                    Comparator.comparingLong((Node node) -> node.state().head()).reversed())
            // Spreads the calls over equal nodes.
            .thenComparingDouble(node -> (double) node.inFlight() / node.weight())
            .thenComparing((a, b) -> Long.signum(
                    b.state().heads().namedNanos() - a.state().heads().namedNanos()));

    private final List<Node> nodes;
    private final MethodCatalogue methods;
    private final boolean ordered;
    private final LongSupplier newest;
    private final Counter besideHealthy;
    private final IntUnaryOperator random;
    private final LongSupplier clock;

    /**
     * @param methods the facts about the methods that they serve
     * @param ordered whether the first candidate is taken, in the order of the nodes
     * @param newest returns the highest block that counts without being shown
     * @param besideHealthy counts the choices of other nodes while too few are healthy
     */
    NodeChoice(
            List<Node> nodes,
            MethodCatalogue methods,
            boolean ordered,
            LongSupplier newest,
            Counter besideHealthy,
            IntUnaryOperator random,
            LongSupplier clock) {
        this.nodes = nodes;
        this.methods = methods;
        this.ordered = ordered;
        this.newest = newest;
        this.besideHealthy = besideHealthy;
        this.random = random;
        this.clock = clock;
    }

    /**
     * A call for which a node is wanted. Immutable.
     *
     * @param block the number of the block that it is about; 0 if unknown
     * @param checks whether the node is to check the null answers of others
     */
    private record Need(MethodFacts facts, RpcCall call, long block, boolean checks) {

        /** Added to the rank of a node that lacks what the call needs; larger than any tier, so such a node comes last. */
        private static final int LACKING = 1 << 24;

        /** Added to the rank of a node that fails the calls of this class, which comes before those that lack something. */
        private static final int FAILING = LACKING / 2;

        /**
         * Returns the rank of a node: by tier, but after all tiers if it fails such calls, and last if it lacks what the call needs. The
         * lowest is chosen. To check a null answer, nodes that have all transactions come first, and then higher tiers, where archives are.
         */
        int rank(Node node) {
            TransactionHistory transactions = node.transactions();
            boolean old = facts.lookup().isOfTransaction() && transactions.isLacking();
            if (checks) {
                int rank = transactions.isWhole() ? 0 : LACKING - node.tier();
                return old || isLackedBy(node) ? rank + LACKING : rank;
            }
            boolean failing = node.faults().isLeft(LatencyClass.of(facts));
            int rank = 2 * node.tier() + (old ? 1 : 0) + (failing ? FAILING : 0);
            boolean avoided = old && transactions.isAvoided();
            return avoided || isLackedBy(node) ? rank + LACKING : rank;
        }

        /** Returns whether the node said lately that it lacks the data of the call, so that it is not to be asked even as the last one. */
        boolean isSaidToBeLacked(Node node) {
            return node.data().saidToLack(facts, call, block, node.state().head());
        }

        /** Returns whether the node lacks the method, or the data of the call. */
        boolean isLackedBy(Node node) {
            return node.refuses(call)
                    || node.data().lacks(facts, call, block, node.state().head());
        }
    }

    private Need need(RpcCall call, long block, boolean checks) {
        return new Need(methods.facts(call.method()), call, block, checks);
    }

    @Nullable
    Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        Need need = need(call, leastHead, false);
        Choice choice = ofReady(need, tried, need.block());
        if (choice == null && need.block() > 0) {
            choice = ofReady(need, tried, highestHead(need, tried));
        }
        if (choice != null) {
            return choice;
        }
        // A node that is alone is asked, whatever it said that it lacks.
        return anyHealthy()
                ? besideHealthy(need, tried)
                : leastBad(need, tried, node -> nodes.size() == 1 || !need.isSaidToBeLacked(node));
    }

    /** Returns whether a ready node is left that has what the call needs. */
    boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
        Need need = need(call, leastHead, false);
        long now = clock.getAsLong();
        for (Node node : nodes) {
            if (isReadyAt(node.state(), leastHead, now) && mayTake(node, need, tried) && !need.isLackedBy(node)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether each node that may ever answer the call said lately that it lacks the data. */
    boolean allLack(RpcCall call, long leastHead) {
        Need need = need(call, leastHead, false);
        List<Node> able = nodes.stream()
                .filter(node -> node.serves(call.method())
                        && node.state().isChainKnown()
                        && !node.state().isDrained())
                .toList();
        return !able.isEmpty() && able.stream().allMatch(need::isSaidToBeLacked);
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
                        one -> one instanceof Node node && !node.transactions().isLacking());
        if (believed && empty.size() > 1) {
            return null;
        }
        Choice choice = ofReady(need(call, 0, true), tried, 0);
        if (choice == null
                || !(choice.upstream() instanceof Node other
                        && !other.transactions().isLacking())
                || !(empty.get(empty.size() - 1) instanceof Node last
                        && last.transactions().takeNullCheck(call))) {
            return null;
        }
        last.transactions().countNullCheck();
        return choice;
    }

    private static boolean isReadyAt(NodeState state, long leastHead, long now) {
        return state.isReady(now) && state.head() >= leastHead;
    }

    /** Returns whether a node that did not get the call serves its method and can pay for it. */
    private static boolean mayTake(Node node, Need need, List<Upstream> tried) {
        return !tried.contains(node)
                && node.serves(need.call().method())
                && node.affords(need.call().method());
    }

    private @Nullable Choice ofReady(Need need, List<Upstream> tried, long leastHead) {
        Node[] ready = new Node[nodes.size()];
        int count = 0;
        int healthy = 0;
        int out = 0;
        long now = clock.getAsLong();
        // Nobody chooses by the data of a node that is alone.
        boolean alone = nodes.size() == 1;
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
                    && node.serves(need.call().method())
                    && (alone || !need.isSaidToBeLacked(node))) {
                if (node.affords(need.call().method())) {
                    ready[count++] = node;
                } else if (spent == null || node.tier() < spent.tier()) {
                    spent = node;
                }
            }
        }
        if (count == 0) {
            return null;
        }
        boolean tooFew = out > 0 && WHOLE * healthy < MIN_HEALTHY_PERCENT * (healthy + out);
        Choice choice = tooFew && !alone && !ordered && !need.checks()
                ? withOthers(need, tried, ready, count, now)
                : (count == 1 ? ready[0] : best(need, ready, count, now)).choice();
        if (spent != null && choice.upstream() instanceof Node chosen && spent.tier() <= chosen.tier()) {
            spent.overflowed();
        }
        return choice;
    }

    /** Returns the node to take of several ready ones. */
    private Node best(Need need, Node[] ready, int count, long now) {
        int kept = keepLowest(need, ready, count);
        if (kept > 1) {
            kept = keepStarted(ready, kept, now);
        }
        return ordered || kept == 1 ? ready[0] : ofTwo(LatencyClass.of(need.facts()), ready, kept);
    }

    /** Chooses among the ready nodes and the least bad of the others. */
    private Choice withOthers(Need need, List<Upstream> tried, Node[] ready, int count, long now) {
        int kept = keepLowest(need, ready, count);
        int all = addLeastBad(ready, kept, need, tried, now);
        Node node = all == kept ? best(need, ready, kept, now) : ofTwo(LatencyClass.of(need.facts()), ready, all);
        if (node.state().isInPool()) {
            return node.choice();
        }
        besideHealthy.inc();
        return new Choice(node, true);
    }

    /** Adds the least bad nodes to several candidates of one tier. Returns their number. */
    private int addLeastBad(Node[] candidates, int count, Need need, List<Upstream> tried, long now) {
        int tier = candidates[0].tier();
        for (Health health : List.of(Health.LAGGING, Health.SYNCING, Health.EJECTED)) {
            int joined = count;
            for (Node node : nodes) {
                boolean hasBlock = need.block() > 0 ? node.state().head() >= need.block() : health == Health.EJECTED;
                if (node.state().health() == health
                        && node.tier() <= tier
                        && hasBlock
                        && mayServeUnready(node, need, tried, now)
                        && !need.isLackedBy(node)) {
                    candidates[joined++] = node;
                }
            }
            if (joined > count) {
                return joined;
            }
        }
        return count;
    }

    /** Moves the nodes of the lowest rank to the front and returns their number. */
    private static int keepLowest(Need need, Node[] ready, int count) {
        int lowest = Integer.MAX_VALUE;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int rank = need.rank(ready[i]);
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

    private long highestHead(Need need, List<Upstream> tried) {
        long highest = 0;
        long now = clock.getAsLong();
        for (Node node : nodes) {
            if (node.state().isReady(now) && mayTake(node, need, tried) && !need.isSaidToBeLacked(node)) {
                highest = Math.max(highest, node.state().head());
            }
        }
        return highest;
    }

    /**
     * Chooses for a call that failed at the healthy nodes, or while these are rate limited. The node must have the block of the
     * call, so that its answer is that of the others. It may have got the block since it named its head: a call for state is sent
     * all the same, because a node without the block gives an error. A node that is out of line may be on a fork: it gets calls for
     * state only, after all others, and not beyond the head that counts.
     */
    private @Nullable Choice besideHealthy(Need need, List<Upstream> tried) {
        if (need.block() <= 0) {
            return null;
        }
        boolean ofState = need.facts().needsState();
        long now = clock.getAsLong();
        Choice inLine = leastBad(
                need,
                tried,
                node -> !node.state().isReady(now)
                        && !node.state().isOutOfLine()
                        && (node.state().head() >= need.block() || ofState)
                        && !need.isLackedBy(node));
        boolean left = inLine != null || anyHealthyLeft(need, tried);
        return left || !ofState || need.block() > newest.getAsLong()
                ? inLine
                : leastBad(need, tried, node -> node.state().isOutOfLine() && !need.isLackedBy(node));
    }

    /** Returns whether a healthy node may answer the call once its pause is over. */
    private boolean anyHealthyLeft(Need need, List<Upstream> tried) {
        return nodes.stream()
                .anyMatch(node -> node.state().isInPool()
                        && !tried.contains(node)
                        && node.serves(need.call().method())
                        && !need.isLackedBy(node));
    }

    private @Nullable Choice leastBad(Need need, List<Upstream> tried, Predicate<Node> fits) {
        long now = clock.getAsLong();
        return nodes.stream()
                .filter(node -> mayServeUnready(node, need, tried, now) && fits.test(node))
                .min(LEAST_BAD)
                .map(node -> new Choice(node, true))
                .orElse(null);
    }

    /** Returns whether a node that is not healthy may get a call at all. */
    private static boolean mayServeUnready(Node node, Need need, List<Upstream> tried, long now) {
        NodeState state = node.state();
        return state.isChainKnown()
                && !state.isDrained()
                && state.throttledNanos(now) <= 0
                && mayTake(node, need, tried);
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
                    && node.serves(method)
                    && node.affords(method)) {
                ahead[count++] = node;
            }
        }
        if (count == 0) {
            return null;
        }
        return (count == 1 ? ahead[0] : ofTwo(LatencyClass.LOOKUP, ahead, count)).choice();
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
