package io.weir.pipeline;

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

/**
 * Nodes of one network, for calls that are safe to repeat. Thread-safe.
 *
 * @param all asks any of them
 * @param without asks any but those with these ids
 * @param only asks the one with this id, and no other
 * @param faults learns of refuted answers
 * @param states of all of them at present
 */
public record Nodes(
        NetworkHead head,
        Stage all,
        Function<Set<String>, Stage> without,
        Function<String, Stage> only,
        FaultSink faults,
        Supplier<List<UpstreamStatus>> states) {

    /** Receiver of refuted answers; see {@link Upstream#refuted}. Thread-safe. */
    @FunctionalInterface
    public interface FaultSink {
        /** Takes the flaw of an answer of the node with this id. */
        void refuted(String upstreamId, Flaw flaw, String detail, boolean costs);
    }

    /** Returns the nodes of a pool. */
    public static Nodes of(UpstreamPool pool, Forwarding forwarding) {
        return new Nodes(
                pool.head(),
                forwarding.over(pool, true),
                ids -> forwarding.over(PoolView.without(pool, ids), true),
                id -> forwarding.over(only(pool, id), true),
                pool::refuted,
                () -> pool.upstreams().stream().map(Upstream::status).toList());
    }

    private static UpstreamPool only(UpstreamPool pool, String id) {
        return pool.upstreams().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .map(one -> PoolView.only(pool, one))
                .orElse(pool);
    }
}
