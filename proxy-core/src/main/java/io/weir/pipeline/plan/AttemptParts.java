package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.limit.Budget;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.upstream.UpstreamPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parts that the attempts of all calls to one network share. Immutable; its members are thread-safe.
 *
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param bytes in flight, which count results that wait to be checked
 * @param limits the same for clients' calls and the proxy's own
 * @param judge checks each result before it counts
 * @param hedged whether a slow attempt may get a second one beside it
 */
public record AttemptParts(
        UpstreamPool pool,
        CallMeters meters,
        LongSupplier clock,
        Budget bytes,
        AttemptLimits limits,
        @Nullable ReplyCheck judge,
        boolean hedged) {

    /** Returns the parts for clients' calls. */
    public static AttemptParts ofClients(
            UpstreamPool pool, CallMeters meters, BalanceConfig config, Budget bytes, @Nullable ReplyCheck judge) {
        AttemptParts parts = ofClients(
                pool,
                meters,
                config,
                CallContext.CLOCK,
                () -> ThreadLocalRandom.current().nextDouble());
        return new AttemptParts(pool, meters, parts.clock, bytes, parts.limits, judge, true);
    }

    /** @param random returns numbers from 0 to 1, exclusive; thread-safe */
    static AttemptParts ofClients(
            UpstreamPool pool, CallMeters meters, BalanceConfig config, LongSupplier clock, DoubleSupplier random) {
        AttemptLimits limits = new AttemptLimits(pool, config, clock, random);
        return new AttemptParts(pool, meters, clock, Budget.unbounded(), limits, null, true);
    }

    /** Returns the parts for calls that the proxy makes for itself, or sends to certain nodes: no second attempts beside slow ones. */
    AttemptParts ofProxy(UpstreamPool view) {
        return new AttemptParts(view, meters, clock, bytes, limits, judge, false);
    }
}
