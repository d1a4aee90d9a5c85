package io.weir.api;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Answers JSON-RPC methods in place of a node. Thread-safe: calls arrive on many threads of the plugin executor. */
public interface MethodHandler {

    /** A handler of one method, for networks of every kind. */
    static MethodHandler of(String method, Function<MethodCall, CompletionStage<JsonNode>> answer) {
        return new MethodHandler() {
            @Override
            public Set<String> methods() {
                return Set.of(method);
            }

            @Override
            public CompletionStage<JsonNode> handle(MethodCall call) {
                return answer.apply(call);
            }
        };
    }

    /** The exact names of the methods that it serves. Asked once. */
    Set<String> methods();

    /** The kinds of network that it serves them for, such as {@code ethereum}; empty for every kind. Asked once. */
    default Set<String> networkKinds() {
        return Set.of();
    }

    /**
     * Answers one call. The stage gives the result (JSON null is {@code NullNode}, never Java null) or fails with an
     * {@link RpcException}. Any other failure becomes an internal error of this call alone. May block: it runs on the
     * plugin executor. An answer after {@link MethodCall#deadlineNanos} is dropped.
     *
     * @throws RpcException instead of a failed stage
     */
    CompletionStage<JsonNode> handle(MethodCall call);
}
