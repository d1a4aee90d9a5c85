package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fake node: calls wait until the test ends them, probes are answered at once unless they are held. */
final class FakeNode implements NodeClient {

    String chain = "1";
    long head = 100;
    /** The highest block that it shows, if its head is higher. */
    long shown = Long.MAX_VALUE;
    /** Difference between the hashes of its blocks and those of other nodes. */
    long branch;
    /** Its block with the tags of finality; -1 if it has none. */
    long finalized = -1;

    String syncing = "false";
    long connects;
    boolean closed;
    boolean holdProbes;
    /** Whether requests for blocks wait, too. */
    boolean holdBlocks;
    /** Outcome of probes instead of an answer. */
    @Nullable
    NodeOutcome probeOutcome;
    /** Outcomes of single methods of probes. */
    final Map<String, NodeOutcome> probeOutcomes = new HashMap<>();

    /** Whether it can be asked to announce its blocks. */
    boolean hasSocket;
    /** Answer to a subscription. */
    NodeOutcome subscribed = answer("\"0x5\"");
    /** Chain of the node behind its socket. */
    String socketChain = "1";

    final List<FakeSubscription> subscriptions = new ArrayList<>();
    final List<String> probed = new ArrayList<>();
    final List<Boolean> resets = new ArrayList<>();
    final Deque<Attempt> calls = new ArrayDeque<>();
    final Deque<Runnable> heldProbes = new ArrayDeque<>();
    long lastDeadlineNanos;

    static Answered answer(String json) {
        return new Answered(new RpcReply.Result(RawJson.of(json)));
    }

    static Answered error(int code) {
        return new Answered(RpcReply.failure(new RpcError(code, "no", null)));
    }

    /** As geth says that it lacks the state of an old block. */
    static Answered lacksState() {
        return new Answered(RpcReply.failure(
                new RpcError(-32000, "missing trie node 0b6e (path ) state 0x2 is not available", null)));
    }

    static Failed failed(Fault fault) {
        return new Failed(fault, Executed.MAYBE, "saw " + fault, 0);
    }

    static Failed rateLimited(int seconds) {
        return new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", seconds);
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        lastDeadlineNanos = deadlineNanos;
        calls.add(attempt);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        probed.add(String.valueOf(call.params()).contains("latest") ? "latest" : call.method());
        if (holdProbes || (holdBlocks && call.method().startsWith("eth_"))) {
            heldProbes.add(() -> attempt.end(outcomeOf(call)));
        } else {
            attempt.end(outcomeOf(call));
        }
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        if (!hasSocket) {
            return null;
        }
        FakeSubscription made = new FakeSubscription(this, listener);
        subscriptions.add(made);
        return made;
    }

    /** Returns the newest subscription. */
    FakeSubscription subscription() {
        return subscriptions.get(subscriptions.size() - 1);
    }

    /** Announces its head to those who subscribed. */
    void announce() {
        subscriptions.forEach(one -> one.announce(own(head)));
    }

    NodeOutcome outcomeOf(RpcCall call) {
        String method = call.method();
        if (probeOutcome != null) {
            return probeOutcome;
        }
        NodeOutcome own = probeOutcomes.get(method);
        if (own != null) {
            return own;
        }
        return switch (method) {
            case "chain" -> answer('"' + chain + '"');
            case "syncing" -> answer(syncing);
            case "head" -> answer(Long.toString(head));
            case "eth_getBlockByNumber", "eth_getBlockByHash" -> block(String.valueOf(call.params()));
            default -> throw new IllegalArgumentException("method: " + method);
        };
    }

    /** Returns a block that this node has; all nodes of a branch have the same blocks. */
    private NodeOutcome block(String params) {
        if (params.contains("finalized") || params.contains("safe")) {
            return finalized < 0 ? answer("null") : answer(own(finalized));
        }
        if (params.contains("latest")) {
            return answer(own(head));
        }
        long number = Long.parseLong(params.substring(4, params.indexOf('"', 4)), 16);
        return number > Math.min(head, shown) ? answer("null") : answer(own(number));
    }

    private String own(long number) {
        return block(number, branch);
    }

    static String block(long number) {
        return block(number, 0);
    }

    private static String block(long number, long branch) {
        return "{\"number\":\"0x%x\",\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\",\"timestamp\":\"0x%x\"}"
                .formatted(number, number + branch, number - 1 + branch, 12 * number & Long.MAX_VALUE);
    }

    /** Lets the held probe call end. */
    void releaseProbe() {
        heldProbes.remove().run();
    }

    @Override
    public void reset(boolean failWaiting) {
        resets.add(failWaiting);
    }

    @Override
    public long connects() {
        return connects;
    }

    @Override
    public void close() {
        closed = true;
    }
}
