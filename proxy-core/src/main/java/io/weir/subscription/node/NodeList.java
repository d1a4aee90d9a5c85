package io.weir.subscription.node;

import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Comparator;
import java.util.List;

/** Order in which the nodes of a network are tried for a subscription. Pure. */
final class NodeList {

    private NodeList() {}

    /** Returns the healthy nodes by tier; if there are none, those that are only behind. */
    static List<Upstream> of(UpstreamPool pool) {
        List<Upstream> healthy = of(pool, List.of(Health.HEALTHY));
        return healthy.isEmpty() ? of(pool, List.of(Health.LAGGING, Health.SYNCING)) : healthy;
    }

    private static List<Upstream> of(UpstreamPool pool, List<Health> wanted) {
        return pool.upstreams().stream()
                .filter(node -> !node.status().drained()
                        && wanted.contains(node.status().health()))
                .sorted(Comparator.comparingInt(node -> node.status().tier()))
                .toList();
    }

    /** Returns whether a node is out that may be back later. */
    static boolean lacksSome(UpstreamPool pool) {
        return pool.upstreams().stream().map(Upstream::status).anyMatch(NodeList::mayBeBack);
    }

    private static boolean mayBeBack(UpstreamStatus node) {
        return node.drained() || (node.health() != Health.HEALTHY && node.health() != Health.WRONG_CHAIN);
    }
}
