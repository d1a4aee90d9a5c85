package io.weir.network;

import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget;
import io.weir.pipeline.RequestRunner;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import org.jspecify.annotations.Nullable;

/**
 * One chain as the proxy serves it. Immutable; its parts are thread-safe.
 *
 * @param plans the plans of its methods, which {@code runner} follows
 * @param runner runs request bodies for this network
 * @param cache its results in memory
 * @param bodies counts the request bodies that it has not answered yet, without a bound
 */
public record Network(
        NetworkId id,
        NetworkConfig config,
        NetworkKind kind,
        UpstreamPool pool,
        MethodPlans plans,
        RequestRunner runner,
        NetworkCache cache,
        Budget bodies) {

    /** Returns whether this is another network or, apart from settings that choose the network of a request, the same one. */
    public boolean serves(Network other) {
        return pool.equals(other.pool);
    }

    /** Returns the node with an id; null if there is none. */
    public @Nullable Upstream node(@Nullable String id) {
        return pool.upstreams().stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    /** Returns the same network with other settings that make the same plans. */
    public Network with(NetworkConfig other) {
        return new Network(id, other, kind, pool, plans, runner, cache, bodies);
    }
}
