package io.weir.wallet.chain;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Asks networks and waits for the answer. Thread-safe; blocks. */
record RpcLine(ChainClient chain) {
    private static final int UNREADABLE = -32000;

    /**
     * The result of a call.
     *
     * @throws RpcException the node's error, or the proxy's where no node could answer
     */
    JsonNode ask(L2Network network, String method, JsonNode params) {
        return Waiting.forResult(askLater(network, method, params));
    }

    /** Calls a method without waiting; the stage fails like {@link #ask}. */
    CompletionStage<JsonNode> askLater(L2Network network, String method, JsonNode params) {
        return chain.call(network.name(), method, params);
    }

    /**
     * Reads a result; whatever is wrong with it is the node's fault and said so.
     *
     * @throws RpcException when the reader cannot read it
     */
    static <T> T read(String method, JsonNode result, Function<JsonNode, T> reader) {
        try {
            return reader.apply(result);
        } catch (RpcException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new RpcException(UNREADABLE, method + ": the node's answer cannot be read");
        }
    }
}
