package io.weir.plugin.call;

import io.weir.access.Caller;
import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.InternalCalls;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A plugin's way to the networks: trees become bytes for the gate, and bytes trees again. Thread-safe. */
public final class PluginChainClient implements ChainClient {

    /** Nobody sees it: the pipeline sends ids of its own. */
    private static final RawJson ID = RawJson.of("1");

    private final PluginRuntime quarters;
    private final NetworkAccess gates;
    private final @Nullable Caller caller;
    private final LongSupplier deadlineNanos;

    /**
     * Opens the way.
     *
     * @param caller whose rights hold, or null where none do
     * @param deadlineNanos when a call that begins now is given up, on the clock of {@link System#nanoTime}
     */
    public PluginChainClient(
            PluginRuntime quarters, NetworkAccess gates, @Nullable Caller caller, LongSupplier deadlineNanos) {
        this.quarters = quarters;
        this.gates = gates;
        this.caller = caller;
        this.deadlineNanos = deadlineNanos;
    }

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        ChainResult<JsonNode> result = new ChainResult<>(quarters.lane());
        try {
            NetworkId id = new NetworkId(network);
            checkRights(id, method);
            InternalCalls gate = gates.way();
            RpcCall call = new RpcCall(ID, method, text(params));
            if (!quarters.lane().beginOutgoing()) {
                throw new RpcException(RpcException.INTERNAL_ERROR, "too many calls of this plugin are under way");
            }
            send(gate, id, call, result);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private void send(InternalCalls gate, NetworkId network, RpcCall call, ChainResult<JsonNode> result) {
        try {
            gate.call(network, call, deadlineNanos.getAsLong(), reply -> deliver(reply, result));
        } catch (RuntimeException e) {
            quarters.lane().endOutgoing();
            throw e;
        }
    }

    private void checkRights(NetworkId network, String method) {
        if (caller != null && !(caller.mayUse(network) && caller.mayCall(method))) {
            throw new RpcException(
                    ErrorCode.FORBIDDEN.code(), ErrorCode.FORBIDDEN.error().message());
        }
    }

    private RawJson text(JsonNode params) {
        if (params == null || !params.isContainer()) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS, "params: " + params + " (expected: an array or object)");
        }
        return quarters.trees().text(params);
    }

    private void deliver(RpcReply reply, ChainResult<JsonNode> result) {
        quarters.lane().endOutgoing();
        try {
            quarters.lane().delivery().deliver(() -> complete(reply, result));
        } catch (RejectedExecutionException ignored) {
            // The plugin is closed: nobody waits any more.
        }
    }

    private void complete(RpcReply reply, ChainResult<JsonNode> result) {
        try {
            if (reply instanceof RpcReply.Result answer) {
                result.complete(quarters.trees().tree(answer.value()));
            } else if (reply instanceof RpcReply.Failure failure) {
                result.completeExceptionally(quarters.trees().exception(failure.error()));
            }
        } catch (RuntimeException e) {
            // What a node sent is well-formed, but may be beyond Jackson's bounds.
            result.completeExceptionally(new RpcException(RpcException.INTERNAL_ERROR, "the reply cannot be read"));
        }
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        NetworkId network = gates.way().networkOfChain(kind, chainId);
        if (network == null || (caller != null && !caller.mayUse(network))) {
            return null;
        }
        return network.name();
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        NetworkId id = new NetworkId(network);
        return caller != null && !caller.mayUse(id) ? null : gates.way().chainOfNetwork(id);
    }
}
