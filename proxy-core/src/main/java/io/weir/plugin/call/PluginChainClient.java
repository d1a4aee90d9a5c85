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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
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

    /**
     * The future of a reply to a plugin, completed by the host. Dependent code of the plugin runs in the plugin's bulkhead,
     * where it may block, and not on the host's completing thread. The same holds for dependent stages. Thread-safe.
     *
     * @param <T> the result
     */
    private static final class ChainResult<T> extends CompletableFuture<T> {

        private final Bulkhead bulkhead;
        private final Executor resume;

        ChainResult(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
            this.resume = bulkhead::resume;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new ChainResult<>(bulkhead);
        }

        @Override
        public Executor defaultExecutor() {
            return resume;
        }

        @Override
        public T join() {
            checkThread();
            return super.join();
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            checkThread();
            return super.get();
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            checkThread();
            return super.get(timeout, unit);
        }

        private void checkThread() {
            if (!isDone() && bulkhead.delivery().isCurrent()) {
                throw new IllegalStateException(
                        "waits for a reply on the thread that delivers it (expected: a callback of"
                                + " CompletableFuture.allOf or anyOf does not block)");
            }
        }

        @Override
        public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> fn) {
            return thenApplyAsync(fn, resume);
        }

        @Override
        public CompletableFuture<Void> thenAccept(Consumer<? super T> action) {
            return thenAcceptAsync(action, resume);
        }

        @Override
        public CompletableFuture<Void> thenRun(Runnable action) {
            return thenRunAsync(action, resume);
        }

        @Override
        public <U, V> CompletableFuture<V> thenCombine(
                CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
            return thenCombineAsync(other, fn, resume);
        }

        @Override
        public <U> CompletableFuture<Void> thenAcceptBoth(
                CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
            return thenAcceptBothAsync(other, action, resume);
        }

        @Override
        public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
            return runAfterBothAsync(other, action, resume);
        }

        @Override
        public <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> fn) {
            return applyToEitherAsync(other, fn, resume);
        }

        @Override
        public CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> action) {
            return acceptEitherAsync(other, action, resume);
        }

        @Override
        public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
            return runAfterEitherAsync(other, action, resume);
        }

        @Override
        public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> fn) {
            return thenComposeAsync(fn, resume);
        }

        @Override
        public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
            return whenCompleteAsync(action, resume);
        }

        @Override
        public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> fn) {
            return handleAsync(fn, resume);
        }

        @Override
        public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> fn) {
            return exceptionallyAsync(fn, resume);
        }

        @Override
        public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> fn) {
            return exceptionallyComposeAsync(fn, resume);
        }
    }
}
