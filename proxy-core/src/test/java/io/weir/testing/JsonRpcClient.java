package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Sends JSON-RPC over HTTP. Thread-safe. */
public final class JsonRpcClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    // Without HTTP/1.1 said, the first request would ask for an upgrade to HTTP/2.
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private final URI url;

    public JsonRpcClient(String url) {
        this.url = URI.create(url);
    }

    /** Calls a method and gives its result; fails on an error. */
    public JsonNode result(String method, Object... params) {
        JsonNode answer = JSON.readTree(post(call(method, params)).body());
        assertThat(answer.has("result")).as(method + ": " + answer).isTrue();
        return answer.get("result");
    }

    /**
     * Has a node send a transaction from an account of its own, and gives the receipt once there is one: nodes may make the block
     * after they have answered.
     */
    public JsonNode mined(Map<String, ?> transaction) {
        String hash = result("eth_sendTransaction", transaction).asString();
        // While geth starts, it answers with an error.
        JsonNode receipt = await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> answer("eth_getTransactionReceipt", hash), one -> one.hasNonNull("result"))
                .get("result");
        assertThat(receipt.path("transactionHash").asString()).isEqualTo(hash);
        return receipt;
    }

    /** Calls a method and gives the whole answer. */
    public JsonNode answer(String method, Object... params) {
        return JSON.readTree(post(call(method, params)).body());
    }

    /** Reads an answer. */
    public static JsonNode parsed(String answer) {
        return JSON.readTree(answer);
    }

    /** Sends a body as it is and waits for the response. */
    public HttpResponse<String> post(String body) {
        return send(request(body));
    }

    /** Sends a body as it is. */
    public CompletableFuture<HttpResponse<String>> postLater(String body) {
        return HTTP.sendAsync(request(body), HttpResponse.BodyHandlers.ofString());
    }

    /** The text of a call with the id 1. */
    public static String call(String method, Object... params) {
        ObjectNode call = JSON.createObjectNode();
        call.put("jsonrpc", "2.0").put("id", 1).put("method", method);
        call.set("params", JSON.valueToTree(params));
        return call.toString();
    }

    public static HttpResponse<String> get(String url) {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build());
    }

    private HttpRequest request(String body) {
        return HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an answer", e);
        }
    }
}
