package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.weir.method.MethodFacts;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.List;

/**
 * Use of nodes that are not healthy beside the healthy ones, while these are too few to carry the load. The least bad ones serve: those
 * that lag, else those that sync, else ejected ones. They must answer probes, have the block of the call, and lack nothing that it
 * needs; an answer without a block may come from an ejected node only, since that one is not behind. Thread-safe.
 */
final class Panic {

    /** Share of healthy nodes below which others serve too, in percent: one of three hardly carries the load of all. */
    private static final int PERCENT = 40;

    private static final int WHOLE = 100;

    private final List<Node> nodes;
    private final Counter chosen;

    /** @param chosen counts the choices of such nodes */
    Panic(List<Node> nodes, Counter chosen) {
        this.nodes = nodes;
        this.chosen = chosen;
    }

    /**
     * Returns whether too few nodes are healthy.
     *
     * @param out the nodes that are neither healthy nor drained
     */
    boolean isOn(int healthy, int out) {
        return out > 0 && WHOLE * healthy < PERCENT * (healthy + out);
    }

    /** Adds the least bad nodes to several candidates of one tier. Returns their number. */
    int join(Node[] candidates, int count, NodeNeed need, MethodFacts facts, List<Upstream> tried, long now) {
        int tier = candidates[0].tier();
        for (Health health : List.of(Health.LAGGING, Health.SYNCING, Health.EJECTED)) {
            int joined = count;
            for (Node node : nodes) {
                if (node.state().health() == health
                        && node.tier() <= tier
                        && hasBlock(node, need, health)
                        && LastResort.mayServe(node, need, tried, now)
                        && !need.lacks(node, facts)) {
                    candidates[joined++] = node;
                }
            }
            if (joined > count) {
                return joined;
            }
        }
        return count;
    }

    private static boolean hasBlock(Node node, NodeNeed need, Health health) {
        return need.block() > 0 ? node.state().head() >= need.block() : health == Health.EJECTED;
    }

    /** Notes that a node was chosen which is not healthy. */
    void chosen() {
        chosen.inc();
    }
}
