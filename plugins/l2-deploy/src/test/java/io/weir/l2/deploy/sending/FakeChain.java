package io.weir.l2.deploy.sending;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.deploy.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Networks whose nodes answer when and as the test says. Confined to a thread. */
public final class FakeChain implements ChainClient {
    /** A call that waits for its answer. */
    public record Sent(String network, String method, JsonNode params, CompletableFuture<JsonNode> answer) {
        void answer(String json) {
            answer.complete(Samples.json(json));
        }

        void refuse(int code, String message, @Nullable JsonNode data) {
            answer.completeExceptionally(new RpcException(code, message, data));
        }
    }

    public final Map<String, String> chains = new HashMap<>(Map.of("sepolia", Samples.SEPOLIA));
    public final List<Sent> sent = new ArrayList<>();

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        Sent one = new Sent(network, method, params, new CompletableFuture<>());
        sent.add(one);
        return one.answer();
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        throw new UnsupportedOperationException("not asked for here");
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return chains.get(network);
    }

    Sent last() {
        return sent.get(sent.size() - 1);
    }
}
