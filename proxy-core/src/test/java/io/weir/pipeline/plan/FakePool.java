package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.verdict.CallErrors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A pool whose nodes answer what a test has laid down, in the order in which they were added. */
final class FakePool extends FixedPool {

    final List<RpcCall> asked = new ArrayList<>();
    final List<CallCause> causes = new ArrayList<>();
    final List<Long> leastHeads = new ArrayList<>();
    final List<String> askedAnew = new ArrayList<>();
    UpstreamStatus.Health health = UpstreamStatus.Health.HEALTHY;
    /** Whether operators keep calls from all nodes, once they were chosen. */
    boolean drained;

    final Deque<Runnable> waitingForProbes = new ArrayDeque<>();
    boolean degraded;

    /** Whether nodes throw when they are asked. */
    boolean failing;

    /** Whether nodes throw when they hear that they had the data of a call. */
    boolean failingAfterwards;

    /** The id of the node whose head is the best, where the others are behind. */
    String ahead;

    /** The id of the node at which null answers are checked. */
    String checking;
    /** The nodes that were told that they lack a transaction, with the number of its block. */
    boolean mayRepeat = true;

    final List<String> missed = new ArrayList<>();
    /** The nodes that were told that others take what they refused. */
    final List<String> refused = new ArrayList<>();
    /** The nodes that were told that they lack the data of a block, with its number. */
    final List<String> lacking = new ArrayList<>();
    /** The nodes that were told that they have the data of a block, with its number. */
    final List<String> having = new ArrayList<>();
    /** The nodes that found a transaction. */
    final List<String> found = new ArrayList<>();

    FakePool() {
        super(new FakeHead(TimeUnit.MINUTES.toNanos(1)));
    }

    FakePool node(String id, NodeOutcome... outcomes) {
        nodes.add(new Node(id, new ArrayDeque<>(Arrays.asList(outcomes))));
        return this;
    }

    static NodeOutcome result(String json) {
        return new NodeOutcome.Answered(new RpcReply.Result(RawJson.of(json)));
    }

    static NodeOutcome failed(Fault fault, Executed executed) {
        return new NodeOutcome.Failed(fault, executed, "as laid down", fault == Fault.RATE_LIMITED ? 7 : 0);
    }

    static NodeOutcome error(String method, int code, String message) {
        return error(method, code, message, null);
    }

    /** A node's internal error, as a real pool gives it. */
    static NodeOutcome fault(String message) {
        RpcReply.Failure said = RpcReply.failure(new RpcError(-32603, message, null));
        return new NodeOutcome.Failed(Fault.SERVER_ERROR, Executed.MAYBE, "error -32603", 0, null, true, said);
    }

    /** As a real pool gives it: judged and cleaned. */
    static NodeOutcome error(String method, int code, String message, String data) {
        return CallErrors.judged(method, code, message, data);
    }

    @Override
    public Choice chooseAhead(RpcCall call, Upstream behind) {
        return ahead == null
                ? null
                : nodes.stream()
                        .filter(node -> node.id().equals(ahead))
                        .findFirst()
                        .map(node -> new Choice(node, false))
                        .orElse(null);
    }

    @Override
    public Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        return nodes.stream()
                .filter(node -> node.id().equals(checking) && !tried.contains(node))
                .findFirst()
                .map(node -> new Choice(node, false))
                .orElse(null);
    }

    @Override
    public Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        leastHeads.add(leastHead);
        return nodes.stream()
                .filter(node -> !tried.contains(node) && health != UpstreamStatus.Health.WRONG_CHAIN)
                .findFirst()
                .map(node -> new Choice(node, degraded))
                .orElse(null);
    }

    @Override
    public void foundTransaction(Upstream upstream, RawJson transaction) {
        found.add(upstream.id());
    }

    @Override
    public MethodCatalogue methods() {
        return MethodCatalogue.ethereum();
    }

    @Override
    public boolean usable() {
        return probed;
    }

    @Override
    public void whenProbed(EventLoop loop, long deadlineNanos, Runnable action) {
        waitingForProbes.add(action);
    }

    private final class Node implements Upstream {

        private final String id;
        private final Deque<NodeOutcome> outcomes;

        Node(String id, Deque<NodeOutcome> outcomes) {
            this.id = id;
            this.outcomes = outcomes;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            if (failing) {
                throw new IllegalStateException("of this test");
            }
            asked.add(call);
            causes.add(attempt.cause());
            NodeOutcome outcome = outcomes.poll();
            if (outcome != null) {
                attempt.end(outcome);
            }
        }

        @Override
        public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            askedAnew.add(id);
            ask(loop, call, deadlineNanos, attempt);
        }

        @Override
        public void hadData(MethodFacts facts, RpcCall call, long leastHead) {
            if (failingAfterwards) {
                throw new IllegalStateException("of this test");
            }
            having.add(id + " " + leastHead);
        }

        @Override
        public void lackedData(RpcCall call, long block) {
            lacking.add(id + " " + block);
        }

        @Override
        public void missedTransaction(EventLoop loop, RpcCall call, long block) {
            missed.add(id + " " + block);
        }

        @Override
        public boolean takeRefusalRepeat() {
            return mayRepeat;
        }

        @Override
        public void refusedParams(RpcCall call) {
            refused.add(id);
        }

        @Override
        public UpstreamStatus status() {
            String detail = health == UpstreamStatus.Health.WRONG_CHAIN ? "serves chain 5, not 1" : "";
            return new UpstreamStatus(id, 0, 1, drained, health, 1, 0, 0, detail);
        }
    }
}
