package io.weir.app.nodes;

import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.TestChain;
import io.weir.upstream.wire.RawNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Node of a chain that lies as a test says, over HTTP. It takes batches. Thread-safe. */
final class LyingNode implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    /** Answer of the node in place of the true one. */
    interface Lie {
        /** Returns the answer to a call; the true one if it is no lie. */
        ChainAnswer to(String method, JsonNode params, ChainAnswer truth);
    }

    /** Lie of a node that tells the truth. */
    static final Lie NONE = (method, params, truth) -> truth;

    private final TestChain chain;
    private final RawNode node;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private volatile Lie lie;

    LyingNode(TestChain chain, Lie lie) throws IOException {
        this.chain = chain;
        this.lie = lie;
        this.node = new RawNode(connection -> {
            while (true) {
                String answer = answer(JSON.readTree(connection.read().body()));
                connection.answer("200 OK\r\ncontent-type: application/json", answer);
            }
        });
    }

    String url() {
        return "http://127.0.0.1:" + node.port();
    }

    void lie(Lie next) {
        lie = next;
    }

    /** How often a method was called. */
    int count(String method) {
        return counts.getOrDefault(method, 0);
    }

    private String answer(JsonNode request) {
        return request.isArray()
                ? request.valueStream().map(this::one).collect(Collectors.joining(",", "[", "]"))
                : one(request);
    }

    private String one(JsonNode call) {
        String method = call.path("method").asString();
        JsonNode params = call.has("params") ? call.get("params") : JSON.createArrayNode();
        counts.merge(method, 1, Integer::sum);
        ChainAnswer truth = ChainAnswers.answer(chain.state(), method, params);
        ChainAnswer answer = lie.to(method, params, truth);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + answer.member() + "}";
    }

    @Override
    public void close() {
        node.close();
    }
}
