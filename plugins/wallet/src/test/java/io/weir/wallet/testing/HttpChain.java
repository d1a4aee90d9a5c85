package io.weir.wallet.testing;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One network, {@code sepolia}, behind one node: what the proxy is to the plugin. Thread-safe. */
public class HttpChain implements ChainClient {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Over HTTP/2 a node that breaks a connection off would break off all other calls with it. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI node;

    public HttpChain(String url) {
        node = URI.create(url);
    }

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        try {
            return CompletableFuture.completedStage(ask(method, params));
        } catch (RpcException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private JsonNode ask(String method, JsonNode params) {
        ObjectNode call =
                MAPPER.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        call.set("params", params);
        HttpRequest request = HttpRequest.newBuilder(node)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(call.toString()))
                .build();
        JsonNode reply;
        try {
            reply = MAPPER.readTree(
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new RpcException(-32000, "no node answers");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
        JsonNode error = reply.path("error");
        if (error.isObject()) {
            throw new RpcException(
                    error.path("code").intValue(), error.path("message").stringValue());
        }
        return reply.path("result");
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        boolean ours = kind.equals("l2") && Felt.parseHex(chainId).equals(ScriptedNode.CHAIN_ID);
        return ours ? "sepolia" : null;
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return network.equals("sepolia") ? ScriptedNode.CHAIN_ID.toHex() : null;
    }
}
