package io.weir.api;

import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/** A node in this process, asked like one behind a socket. Thread-safe. */
public interface LocalNode extends AutoCloseable {

    /**
     * Answers one call. Gives the result ({@code NullNode} for null) or fails with an {@link RpcException}; any other
     * failure counts as a fault of the node. Runs on the plugin executor and may block.
     *
     * @param params an array or an object; an empty array where the client sent none
     */
    CompletionStage<JsonNode> call(String method, JsonNode params);

    @Override
    void close();
}
