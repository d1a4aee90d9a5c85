package io.weir.wallet.testing;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.hash.Selector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A chain on which contracts answer calls as a test says. Thread-safe. */
public final class TokenChain implements ChainClient {
    /** Number of calls that came. */
    public final AtomicInteger calls = new AtomicInteger();

    private final Map<String, List<Felt>> answers = new ConcurrentHashMap<>();
    private final Map<String, JsonNode> classes = new ConcurrentHashMap<>();
    private volatile boolean silent;

    /** Makes a function of a contract answer this. */
    public TokenChain answer(Felt contract, String function, Felt... felts) {
        answers.put(key(contract.toHex(), Selector.of(function).toHex()), List.of(felts));
        return this;
    }

    /** Gives a contract a class with this description. */
    public TokenChain describe(Felt contract, String abi) {
        classes.put(contract.toHex(), JsonNodeFactory.instance.objectNode().put("abi", abi));
        return this;
    }

    /** From now on, no call is answered. */
    public void fallSilent() {
        silent = true;
    }

    private static String key(String contract, String selector) {
        return contract + " " + selector;
    }

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        calls.incrementAndGet();
        if (silent) {
            return new CompletableFuture<>();
        }
        if (method.equals("starknet_specVersion")) {
            return CompletableFuture.completedStage(JsonNodeFactory.instance.stringNode("0.9.0"));
        }
        if (method.equals("starknet_getClassAt")) {
            JsonNode found = classes.get(params.path("contract_address").asString());
            return found == null ? failure() : CompletableFuture.completedStage(found);
        }
        JsonNode request = params.path("request");
        List<Felt> answer = answers.get(key(
                request.path("contract_address").asString(),
                request.path("entry_point_selector").asString()));
        return answer == null ? failure() : CompletableFuture.completedStage(FeltJson.hexes(answer));
    }

    private static CompletionStage<JsonNode> failure() {
        return CompletableFuture.failedStage(new RpcException(20, "Contract not found"));
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        return "l2test";
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return null;
    }
}
