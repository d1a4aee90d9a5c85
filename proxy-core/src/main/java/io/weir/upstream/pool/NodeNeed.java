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
record NodeNeed(String method, @Nullable RpcCall call, long block, boolean checks) {

    /** Added to the rank of a node that lacks what the call needs; larger than any tier, so such a node comes last. */
    private static final int LACKING = 1 << 24;

    /** Added to the rank of a node that fails the calls of this class, which comes before those that lack something. */
    private static final int FAILING = LACKING / 2;

    /**
     * Returns the rank of a node: by tier, but after all tiers if it fails such calls, and last if it lacks what the call needs. The lowest is chosen. To check a
     * null answer, nodes that have all transactions come first, and then higher tiers, where archives are.
     *
     * @param facts of the method
     */
    int rank(Node node, MethodFacts facts) {
        NodeCapabilities able = node.capabilities();
        boolean old = facts.lookup().isOfTransaction() && able.lacksTransactions();
        if (checks) {
            int rank = able.hasAllTransactions() ? 0 : LACKING - node.tier();
            return old || lacks(node, facts) ? rank + LACKING : rank;
        }
        boolean failing = node.classFaults().isLeft(LatencyClass.of(facts));
        int rank = 2 * node.tier() + (old ? 1 : 0) + (failing ? FAILING : 0);
        boolean avoided = old && able.missedTransactions().isAvoided();
        return avoided || lacks(node, facts) ? rank + LACKING : rank;
    }

    /** Returns whether the node said lately that it lacks the data of the call, so that it is not to be asked even as the last one. */
    boolean saidToLack(Node node, MethodFacts facts) {
        return node.capabilities()
                .data()
                .saidToLack(facts, call, block, node.state().head());
    }

    /** Returns whether the node lacks the method, or the data of the call. */
    boolean lacks(Node node, MethodFacts facts) {
        NodeCapabilities able = node.capabilities();
        boolean refused = call == null ? able.lacksMethod(method) : able.refuses(call);
        return refused || able.data().lacks(facts, call, block, node.state().head());
    }
}
