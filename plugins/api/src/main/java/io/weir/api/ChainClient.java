package io.weir.api;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Calls the networks of this proxy the way a client would: with its choice of nodes, failover, cache and limits. Such a
 * call never reaches a plugin's handler. Thread-safe.
 */
public interface ChainClient {

    /**
     * Calls a method. The stage gives the result ({@code NullNode} for null) or fails with an {@link RpcException}. It is the
     * node's own error, or the proxy's where no node could answer.
     *
     * @param network the network's name in the configuration
     * @param params an array or an object
     */
    CompletionStage<JsonNode> call(String network, String method, JsonNode params);

    /** The name of the network whose chain id is this, as its kind writes chain ids, or null where there is none. */
    @Nullable
    String networkOfChain(String kind, String chainId);

    /** The chain id of the network of this name, in the normal form of its kind, or null if there is no such network. */
    @Nullable
    String chainOfNetwork(String network);
}
