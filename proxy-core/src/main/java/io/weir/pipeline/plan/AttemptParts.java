package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.upstream.UpstreamPool;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parts that the attempts of all calls to one pool share. Immutable; its members are thread-safe.
 *
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param limits null for the proxy's own calls, and in a pool of one node, where no other node can get a call
 */
record AttemptParts(
        UpstreamPool pool,
        CallMeters meters,
        LongSupplier clock,
        @Nullable AttemptLimits limits) {

    /** Returns the parts for clients' calls. */
    static AttemptParts ofClients(UpstreamPool pool, CallMeters meters, BalanceConfig config, LongSupplier clock) {
        return new AttemptParts(pool, meters, clock, pool.size() > 1 ? new AttemptLimits(pool, config, clock) : null);
    }

    /** Returns the parts for calls that the proxy makes for itself: no budget, and no second attempts beside slow ones. */
    static AttemptParts ofProxy(UpstreamPool pool, CallMeters meters) {
        return new AttemptParts(pool, meters, System::nanoTime, null);
    }
}
