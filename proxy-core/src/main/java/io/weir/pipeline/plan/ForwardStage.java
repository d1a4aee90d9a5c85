package io.weir.pipeline.plan;

import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.limit.Budget;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Last stage of most plans: chooses a node, asks it, and moves on to another one if that is safe. The stages of one network share their
 * meters and limits, those for the proxy's own calls too. Immutable; its members are thread-safe.
 *
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param bytes in flight, which count results that wait to be checked
 * @param limits the same for clients' calls and the proxy's own
 * @param judge checks each result before it counts
 * @param hedged whether a slow attempt may get a second one beside it
 * @param repeatable whether a call of a method that may have been executed may be sent again
 */
public record ForwardStage(
        UpstreamPool pool,
        CallMeters meters,
        LongSupplier clock,
        Budget bytes,
        AttemptLimits limits,
        @Nullable ReplyCheck judge,
        boolean hedged,
        Predicate<String> repeatable)
        implements Stage, Forwarding {

    /** Returns the stage for clients' calls, in which a rule says whether calls outside the catalogue may be sent again. */
    public static ForwardStage ofClients(
            UpstreamPool pool,
            CallMeters meters,
            BalanceConfig config,
            Budget bytes,
            @Nullable ReplyCheck judge,
            Predicate<String> repeatable) {
        AttemptLimits limits = new AttemptLimits(
                pool,
                config,
                CallContext.CLOCK,
                () -> ThreadLocalRandom.current().nextDouble());
        return new ForwardStage(pool, meters, CallContext.CLOCK, bytes, limits, judge, true, repeatable);
    }

    /** Returns the same stage with another rule for which calls may be sent again. */
    ForwardStage repeating(Predicate<String> other) {
        return new ForwardStage(pool, meters, clock, bytes, limits, judge, hedged, other);
    }

    /** Returns the stage for calls that the proxy makes for itself, or sends to certain nodes: no second attempts beside slow ones. */
    @Override
    public Stage over(UpstreamPool view, boolean all) {
        return new ForwardStage(view, meters, clock, bytes, limits, judge, false, method -> all);
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        Attempts attempts = new Attempts(this, repeatable.test(context.call().method()), context, sink);
        if (pool.usable() || pool.probed()) {
            attempts.next();
        } else {
            // Right after the start no node's chain is known: the call could reach a node of another chain.
            pool.whenProbed(context.loop(), context.deadlineNanos(), () -> context.step(attempts::next));
        }
    }
}
