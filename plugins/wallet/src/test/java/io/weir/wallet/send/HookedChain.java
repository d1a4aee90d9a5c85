package io.weir.wallet.send;

import io.weir.api.ChainClient;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A chain that asks a hook first. Thread-safe if the hook is.
 *
 * @param hook answers a method with its parameters, or returns null: then the chain answers
 */
record HookedChain(ChainClient chain, BiFunction<String, JsonNode, @Nullable CompletionStage<JsonNode>> hook)
        implements ChainClient {
    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        CompletionStage<JsonNode> answer = hook.apply(method, params);
        return answer == null ? chain.call(network, method, params) : answer;
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        return chain.networkOfChain(kind, chainId);
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return chain.chainOfNetwork(network);
    }
}
