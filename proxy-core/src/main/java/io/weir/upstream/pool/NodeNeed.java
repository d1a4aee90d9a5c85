package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.upstream.latency.LatencyClass;
import org.jspecify.annotations.Nullable;

/**
 * A call for which a node is wanted. Immutable.
 *
 * @param call null if only its method is known
 * @param block the number of the block that it is about; 0 if unknown
 * @param checks whether the node is to check the null answers of others
 */
record NodeNeed(MethodFacts facts, String method, @Nullable RpcCall call, long block, boolean checks) {

    /** Added to the rank of a node that lacks what the call needs; larger than any tier, so such a node comes last. */
    private static final int LACKING = 1 << 24;

    /** Returns the rank of a node: by tier, but after all tiers if it lacks what the call needs. The lowest is chosen. */
    int rank(PooledUpstream node) {
        boolean old = isOldAt(node);
        int rank = 2 * node.tier() + (old ? 1 : 0);
        return (old && checks) || lacks(node) ? rank + LACKING : rank;
    }

    /** Returns whether the node lacks the method, or the data of the call. */
    boolean lacks(PooledUpstream node) {
        NodeCapabilities able = node.capabilities();
        boolean refused = call == null
                ? able.refused().isLacking(method)
                : able.refused().holds(call);
        return refused || able.lacksData(facts, block, node.health().head());
    }

    /** Returns whether the call looks up a transaction, of which the node may have forgotten the older ones. */
    private boolean isOldAt(PooledUpstream node) {
        return facts.lookup().isOfTransaction() && node.capabilities().lacksTransactions();
    }

    /** Returns the kind of call by which latencies are compared. */
    LatencyClass latencyClass() {
        return LatencyClass.of(facts);
    }
}
