package io.weir.network;

import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.pipeline.RequestRunner;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.upstream.UpstreamPool;

/**
 * One chain as the proxy serves it. Immutable; its parts are thread-safe.
 *
 * @param plans the plans of its methods, which {@code runner} follows
 * @param runner runs request bodies for this network
 * @param cache its results in memory
 */
public record Network(
        NetworkId id,
        NetworkConfig config,
        NetworkKind kind,
        UpstreamPool pool,
        MethodPlans plans,
        RequestRunner runner,
        NetworkCache cache) {}
