package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A node that answers what a test says, or, where that is nothing yet, when the test says so. Confined to one thread. */
public final class HandNode implements Upstream {

    /** What it was asked, in order. */
    public final List<Asked> asked = new ArrayList<>();
    /** What it answers at once; null keeps the call. */
    public Function<RpcCall, NodeOutcome> answers = call -> null;
    /** What the pool thinks of it. */
    public Health health = Health.HEALTHY;
    /** Time for which it stays out at least. */
    public long heldMillis;
    /** What probes and calls found, as the status shows it. */
    public volatile String detail = "";

    /** What its answers were found to be. */
    public final List<String> refuted = new ArrayList<>();

    /** Its use of a budget. */
    public BudgetStatus budget;

    private final String id;
    private boolean drained;
    private int weight = 1;

    /** A call that came. */
    public record Asked(RpcCall call, Attempt attempt) {
        /** The call as text. */
        public String text() {
            return call.method() + call.params();
        }

        /** Answers it. */
        public void answer(NodeOutcome outcome) {
            attempt.end(outcome);
        }
    }

    public HandNode(String id) {
        this.id = id;
    }

    /** A result. */
    public static NodeOutcome result(String json) {
        return new NodeOutcome.Answered(new RpcReply.Result(RawJson.of(json)));
    }

    /** An error of the node's own. */
    public static NodeOutcome error(int code, String message) {
        return new NodeOutcome.Answered(RpcReply.failure(new RpcError(code, message, null)));
    }

    /** An error with a code that does not matter. */
    public static NodeOutcome error(String message) {
        return error(ErrorCode.INVALID_INPUT.code(), message);
    }

    /** No answer in time. */
    public static NodeOutcome timeout() {
        return new NodeOutcome.Failed(Fault.TIMEOUT, Executed.MAYBE, "as laid down", 0);
    }

    /** No connection. */
    public static NodeOutcome unreachable() {
        return new NodeOutcome.Failed(Fault.CONNECT, Executed.NO, "as laid down", 0);
    }

    /** Has it give the same answer always. */
    public HandNode answering(NodeOutcome outcome) {
        answers = call -> outcome;
        return this;
    }

    /** The calls that came, as text. */
    public List<String> texts() {
        return asked.stream().map(Asked::text).toList();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        asked.add(new Asked(call, attempt));
        NodeOutcome outcome = answers.apply(call);
        if (outcome != null) {
            attempt.end(outcome);
        }
    }

    @Override
    public void refuted(NodeOutcome.Flaw flaw, String detail, boolean costs) {
        refuted.add(flaw + (costs ? " costs: " : " counts: ") + detail);
    }

    @Override
    public void drain(boolean keep) {
        drained = keep;
    }

    @Override
    public void weigh(int other) {
        weight = other;
    }

    @Override
    public BudgetStatus budget() {
        return budget;
    }

    @Override
    public UpstreamStatus status() {
        return new UpstreamStatus(id, 0, weight, drained, health, 1, 0, heldMillis, detail);
    }
}
