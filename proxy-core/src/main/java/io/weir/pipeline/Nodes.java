package io.weir.pipeline;

import io.weir.method.params.BlockIds;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.PoolView;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one network, for calls that are safe to repeat. Thread-safe.
 *
 * @param all asks any of them
 * @param without asks any but those with these ids
 * @param only asks the one with this id, and no other
 * @param faults learns of refuted answers
 * @param states of all of them at present
 * @param picking chooses one of them without asking it
 * @param blocks how they name blocks
 */
public record Nodes(
        NetworkHead head,
        Stage all,
        Function<Set<String>, Stage> without,
        Function<String, Stage> only,
        FaultSink faults,
        Supplier<List<UpstreamStatus>> states,
        Picking picking,
        BlockIds blocks) {

    /** Receiver of refuted answers; see {@link Upstream#refuted}. Thread-safe. */
    @FunctionalInterface
    public interface FaultSink {
        /** Takes the flaw of an answer of the node with this id. */
        void refuted(String upstreamId, Flaw flaw, String detail, boolean costs);
    }

    /** Choice of nodes for stages that ask several of them on their own account. Thread-safe. */
    public interface Picking {

        /** Runs an action once it is known which nodes are healthy, at the deadline of the call at the latest; called on its loop. */
        void whenProbed(CallContext context, Runnable action);

        /**
         * Returns the id of the healthy node that a call would go to.
         *
         * @param besides the nodes that it may not go to
         * @return null if no other one is left
         */
        @Nullable
        String pick(CallContext context, Set<String> besides);
    }

    /** Returns the nodes of a pool, which name blocks as Ethereum's. */
    public static Nodes of(UpstreamPool pool, Forwarding forwarding) {
        return of(pool, forwarding, BlockIds.ETHEREUM);
    }

    /** Returns the nodes of a pool, which name blocks so. */
    public static Nodes of(UpstreamPool pool, Forwarding forwarding, BlockIds blocks) {
        return new Nodes(
                pool.head(),
                forwarding.over(pool, true),
                ids -> forwarding.over(PoolView.without(pool, ids), true),
                id -> forwarding.over(only(pool, id), true),
                pool::refuted,
                () -> pool.upstreams().stream().map(Upstream::status).toList(),
                picking(pool),
                blocks);
    }

    private static Picking picking(UpstreamPool pool) {
        return new Picking() {
            @Override
            public void whenProbed(CallContext context, Runnable action) {
                if (pool.usable() || pool.probed()) {
                    action.run();
                } else {
                    pool.whenProbed(context.loop(), context.deadlineNanos(), () -> context.step(action));
                }
            }

            @Override
            public @Nullable String pick(CallContext context, Set<String> besides) {
                UpstreamPool others = PoolView.without(pool, besides);
                UpstreamPool.Choice choice =
                        others.choose(context.call(), List.of(), context.route().block());
                return choice == null || choice.degraded()
                        ? null
                        : choice.upstream().id();
            }
        };
    }

    private static UpstreamPool only(UpstreamPool pool, String id) {
        return pool.upstreams().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .map(one -> PoolView.only(pool, one))
                .orElse(pool);
    }
}
