package io.weir.network;

import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.pipeline.RequestRunner;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.upstream.UpstreamPool;
import java.util.concurrent.atomic.LongAdder;

/**
 * One chain as the proxy serves it. Immutable; its parts are thread-safe.
 *
 * @param plans the plans of its methods, which {@code runner} follows
 * @param runner runs request bodies for this network
 * @param cache its results in memory
 * @param use the request bodies that it has not answered yet
 */
public record Network(
        NetworkId id,
        NetworkConfig config,
        NetworkKind kind,
        UpstreamPool pool,
        MethodPlans plans,
        RequestRunner runner,
        NetworkCache cache,
        NetworkUse use) {

    public Network(
            NetworkId id,
            NetworkConfig config,
            NetworkKind kind,
            UpstreamPool pool,
            MethodPlans plans,
            RequestRunner runner,
            NetworkCache cache) {
        this(id, config, kind, pool, plans, runner, cache, new NetworkUse());
    }

    /** Returns whether this is another network or, apart from settings that choose the network of a request, the same one. */
    public boolean serves(Network other) {
        return pool.equals(other.pool);
    }

    /** Returns the same network with other settings that make the same plans. */
    public Network with(NetworkConfig other) {
        return new Network(id, other, kind, pool, plans, runner, cache, use);
    }

    /** The request bodies that a network still has to answer. Thread-safe. */
    public static final class NetworkUse {

        // Two counters that only grow: their sums can be compared while others count.
        private final LongAdder begun = new LongAdder();
        private final LongAdder ended = new LongAdder();

        /** Counts a body. */
        public void begin() {
            begun.increment();
        }

        /** Notes that a body was answered to its end, or is answered no more. */
        public void end() {
            ended.increment();
        }

        /** Returns whether no body is left. */
        public boolean isOver() {
            long before = ended.sum();
            return begun.sum() == before;
        }
    }
}
