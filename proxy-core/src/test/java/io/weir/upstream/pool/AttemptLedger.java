package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.pool.SimulatedCalls.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Attempts of all calls of a simulation at its nodes, held to the rules: the budgets of further attempts, one attempt at data that a
 * node lacks, and one attempt at a transaction that may have been taken. Confined to one thread.
 */
final class AttemptLedger {

    /** The budgets that the settings page names. */
    private static final double RETRY_SHARE = 0.20;

    private static final double HEDGE_SHARE = 0.05;
    private static final int RETRY_RESERVE = 100;
    private static final int RETRIES_PER_SECOND = 10;
    private static final int HEDGE_RESERVE = 1;

    private final LongSupplier clock;
    private final Map<RpcCall, Attempted> calls = new IdentityHashMap<>();
    /** The newest block of which each node said that it lacks the state. */
    private final Map<SimulatedNode, Long> saidToLack = new HashMap<>();

    final List<String> violations = new ArrayList<>();
    /** First attempts. */
    long first;

    long retries;
    long hedges;
    /** Further attempts without a budget: the node before could not have answered, or took no connection. */
    long free;

    /** Signed transactions, and their sends. */
    long transactions;

    long sends;
    /** Attempts at state that the node lacks. */
    long lacking;
    /** Those about a block for which it was clear that the node lacks the state: it said so of this block, or of a newer one. */
    long again;

    private static final class Attempted {
        private final Kind kind;
        private final long block;
        private final List<SimulatedNode> nodes = new ArrayList<>(2);
        private final Set<SimulatedNode> has = new HashSet<>();
        private int open;
        private boolean failed;
        private boolean mayBeTaken;

        private Attempted(Kind kind, long block) {
            this.kind = kind;
            this.block = block;
        }
    }

    /** @param clock nanoseconds since the simulation began */
    AttemptLedger(LongSupplier clock) {
        this.clock = clock;
    }

    /** Notes a client's call that begins. */
    void called(RpcCall call, Kind kind, long block) {
        calls.put(call, new Attempted(kind, block));
        transactions += kind == Kind.RAW ? 1 : 0;
    }

    /** Returns the block that a call is about. */
    long block(RpcCall call) {
        return calls.get(call).block;
    }

    /** Notes that a node gets a call. */
    void began(SimulatedNode node, RpcCall call) {
        Attempted attempted = calls.get(call);
        if (attempted == null) {
            // A lookup of the proxy's own.
            return;
        }
        budgeted(attempted, call);
        sends += attempted.kind == Kind.RAW ? 1 : 0;
        if (attempted.kind.isWrite()) {
            written(attempted, node, call);
        }
        if (node.lacksState(attempted.block)) {
            lacking++;
            again += attempted.block <= saidToLack.getOrDefault(node, -1L) ? 1 : 0;
        }
        attempted.nodes.add(node);
        attempted.open++;
    }

    private void budgeted(Attempted attempted, RpcCall call) {
        if (attempted.nodes.isEmpty()) {
            first++;
        } else if (attempted.open > 0) {
            hedges++;
            if (hedges > HEDGE_RESERVE + HEDGE_SHARE * first) {
                violations.add(at() + hedges + " hedges for " + first + " calls, the last of " + call.method());
            }
        } else if (attempted.failed) {
            retries++;
            double seconds = (double) clock.getAsLong() / TimeUnit.SECONDS.toNanos(1);
            if (retries > RETRY_RESERVE + RETRIES_PER_SECOND * seconds + RETRY_SHARE * first) {
                violations.add(at() + retries + " retries for " + first + " calls, the last of " + call.method());
            }
        } else {
            free++;
        }
    }

    private void written(Attempted attempted, SimulatedNode node, RpcCall call) {
        if (attempted.nodes.contains(node)) {
            violations.add(at() + call.method() + " was sent twice to " + node.id);
        }
        if (attempted.mayBeTaken) {
            violations.add(at() + call.method() + " was sent to " + node.id + " after it may have been taken");
        }
    }

    /** Lets a node take a transaction, or look for one, and returns its answer. */
    NodeOutcome take(SimulatedNode node, RpcCall call) {
        Attempted attempted = calls.get(call);
        if (attempted == null) {
            return FakeNode.answer("null");
        }
        if (!attempted.has.add(node)) {
            return new Answered(RpcReply.failure(new RpcError(-32000, "already known", null)));
        }
        return FakeNode.answer(SimulatedCalls.hash(call));
    }

    /** Notes the outcome of a call at a node. */
    void ended(SimulatedNode node, RpcCall call, NodeOutcome outcome) {
        Attempted attempted = calls.get(call);
        if (attempted == null) {
            return;
        }
        attempted.open--;
        if (outcome instanceof Failed failed) {
            attempted.failed |= failed.fault() != Fault.CONNECT;
            attempted.mayBeTaken |= failed.executed() == Executed.MAYBE;
            return;
        }
        if (((Answered) outcome).reply() instanceof RpcReply.Failure failure) {
            int code = failure.error().code();
            attempted.failed |= code == -32603 || code == -32005;
            attempted.mayBeTaken |= code == -32603;
            if (failure.error().message().startsWith("missing trie node")) {
                saidToLack.merge(node, attempted.block, Math::max);
            }
        }
    }

    /** Returns how many nodes got a call. */
    int attempts(RpcCall call) {
        return calls.get(call).nodes.size();
    }

    private String at() {
        return "at " + TimeUnit.NANOSECONDS.toMillis(clock.getAsLong()) + " ms: ";
    }
}
