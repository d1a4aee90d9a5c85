package io.weir.plugin.call;

import io.netty.channel.EventLoop;
import io.weir.api.LocalNode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The client of a plugin's node in this process, with the same contract as a client over a socket. Thread-safe. */
public final class LocalNodeClient implements NodeClient {

    private final PluginRuntime runtime;
    private final LocalNode node;
    private final Set<NodeCall> inFlight = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean nodeClosed = new AtomicBoolean();
    private volatile boolean closed;

    /** Adapts a node, which this client closes. */
    public LocalNodeClient(PluginRuntime runtime, LocalNode node) {
        this.runtime = runtime;
        this.node = node;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        if (closed) {
            attempt.end(failed(Fault.CLOSED, Executed.NO, "closed"));
            return;
        }
        NodeCall nodeCall = new NodeCall(loop, call, deadlineNanos, attempt);
        inFlight.add(nodeCall);
        nodeCall.guarded.begin();
        if (closed) {
            nodeCall.abandon();
        }
    }

    @Override
    public void close() {
        closed = true;
        inFlight.forEach(NodeCall::abandon);
        try {
            runtime.bulkhead().resume(this::closeNode);
        } catch (RejectedExecutionException ignored) {
            // The plugin is closed, and its nodes were closed before it.
        }
    }

    public boolean isClosed() {
        return nodeClosed.get();
    }

    /** Closes the node once. Runs the plugin's code and may block. */
    public void closeNode() {
        closed = true;
        if (nodeClosed.compareAndSet(false, true)) {
            try {
                node.close();
            } catch (Throwable e) {
                runtime.log().failed("closing a node", e);
            }
        }
    }

    private static NodeOutcome failed(Fault fault, Executed executed, String detail) {
        return new NodeOutcome.Failed(fault, executed, detail, 0);
    }

    private NodeOutcome outcome(NodeCall nodeCall, Ending<RawJson> ending) {
        if (ending instanceof Ending.Value<RawJson> value) {
            return new NodeOutcome.Answered(new RpcReply.Result(value.value()));
        }
        if (ending instanceof Ending.ErrorReply<RawJson> error) {
            return new NodeOutcome.Answered(RpcReply.failure(error.error()));
        }
        if (nodeCall.abandoned) {
            return failed(Fault.CLOSED, Executed.MAYBE, "closed");
        }
        if (ending instanceof Ending.Broken<RawJson> broken) {
            return failed(
                    Fault.SERVER_ERROR,
                    Executed.MAYBE,
                    broken.cause().getClass().getSimpleName());
        }
        if (ending instanceof Ending.Late<RawJson> late) {
            return failed(Fault.TIMEOUT, late.begun() ? Executed.MAYBE : Executed.NO, "no answer in time");
        }
        return failed(Fault.OVERLOADED, Executed.NO, "too many calls under way");
    }

    /** One call of the node. Confined to its event loop. */
    private final class NodeCall implements GuardedCall.Work<JsonNode, RawJson> {

        private final EventLoop loop;
        private final RpcCall call;
        private final GuardedCall<JsonNode, RawJson> guarded;
        private boolean abandoned;

        NodeCall(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            this.loop = loop;
            this.call = call;
            guarded = new GuardedCall<>(runtime, loop, this, () -> deadlineNanos, ending -> {
                inFlight.remove(this);
                attempt.end(outcome(this, ending));
            });
        }

        void abandon() {
            try {
                loop.execute(() -> {
                    abandoned = true;
                    guarded.abandon(new Ending.Late<>(true));
                });
            } catch (RejectedExecutionException ignored) {
                // The loop has shut down, and with it the receiver of the outcome.
            }
        }

        @Override
        public String name() {
            return "the node's " + call.method();
        }

        @Override
        public @Nullable CompletionStage<JsonNode> enter() {
            return node.call(call.method(), runtime.trees().params(call.params()));
        }

        @Override
        public RawJson convert(@Nullable JsonNode value) {
            return runtime.trees().text(value);
        }
    }
}
