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

/**
 * A plugin's client of the networks. Converts trees to bytes for the networks, and bytes to trees. Thread-safe.
 *
 * @param caller the caller whose rights apply, or null for no restriction
 * @param deadlineNanos the deadline of a call that begins now, on the clock of {@link System#nanoTime}
 */
public record PluginChainClient(
        PluginRuntime runtime,
        NetworkAccess networks,
        @Nullable Caller caller,
        LongSupplier deadlineNanos) implements ChainClient {

    /** Not visible to any node: the pipeline sends ids of its own. */
    private static final RawJson ID = RawJson.of("1");

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        ChainResult<JsonNode> result = new ChainResult<>(runtime.bulkhead());
        try {
            NetworkId id = new NetworkId(network);
            checkRights(id, method);
            InternalCalls calls = networks.calls();
            RpcCall call = new RpcCall(ID, method, text(params));
            if (!runtime.bulkhead().beginOutgoing()) {
                throw new RpcException(RpcException.INTERNAL_ERROR, "too many calls of this plugin are under way");
            }
            send(calls, id, call, result);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private void send(InternalCalls calls, NetworkId network, RpcCall call, ChainResult<JsonNode> result) {
        try {
            calls.call(network, call, deadlineNanos.getAsLong(), reply -> deliver(reply, result));
        } catch (RuntimeException e) {
            runtime.bulkhead().endOutgoing();
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
        return runtime.trees().text(params);
    }

    private void deliver(RpcReply reply, ChainResult<JsonNode> result) {
        runtime.bulkhead().endOutgoing();
        try {
            runtime.bulkhead().delivery().deliver(() -> complete(reply, result));
        } catch (RejectedExecutionException ignored) {
            // The plugin is closed, so nobody waits for the reply.
        }
    }

    private void complete(RpcReply reply, ChainResult<JsonNode> result) {
        try {
            if (reply instanceof RpcReply.Result answer) {
                result.complete(runtime.trees().tree(answer.value()));
            } else if (reply instanceof RpcReply.Failure failure) {
                result.completeExceptionally(runtime.trees().exception(failure.error()));
            }
        } catch (RuntimeException e) {
            // A node's reply is well-formed, but may exceed Jackson's bounds.
            result.completeExceptionally(new RpcException(RpcException.INTERNAL_ERROR, "the reply cannot be read"));
        }
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        NetworkId network = networks.calls().networkOfChain(kind, chainId);
        if (network == null || (caller != null && !caller.mayUse(network))) {
            return null;
        }
        return network.name();
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        NetworkId id = new NetworkId(network);
        return caller != null && !caller.mayUse(id) ? null : networks.calls().chainOfNetwork(id);
    }
}
