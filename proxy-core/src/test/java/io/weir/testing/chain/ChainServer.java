package io.weir.testing.chain;

import io.weir.upstream.wire.RawNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A chain's only node, over HTTP; it takes batches. Thread-safe. */
public final class ChainServer implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final TestChain chain;
    private final RawNode node;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** Answers for a chain on a free port of 127.0.0.1. */
    public ChainServer(TestChain chain) {
        this.chain = chain;
        try {
            this.node = new RawNode(connection -> {
                while (true) {
                    String answer = answer(JSON.readTree(connection.read().body()));
                    connection.answer("200 OK\r\ncontent-type: application/json", answer);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + node.port();
    }

    /** How often this very call came. */
    public int count(AskedCall call) {
        return counts.getOrDefault(call.method() + JSON.readTree(call.params()), 0);
    }

    /** How often each method was called so far. */
    public Map<String, Integer> counts() {
        return counts.entrySet().stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.getKey().split("\\[", 2)[0], Collectors.summingInt(Map.Entry::getValue)));
    }

    private String answer(JsonNode request) {
        return request.isArray()
                ? request.valueStream().map(this::one).collect(Collectors.joining(",", "[", "]"))
                : one(request);
    }

    private String one(JsonNode call) {
        String method = call.path("method").asString();
        JsonNode params = call.has("params") ? call.get("params") : JSON.createArrayNode();
        counts.merge(method + params, 1, Integer::sum);
        ChainAnswer answer = ChainAnswers.answer(chain.state(), method, params);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + answer.member() + "}";
    }

    @Override
    public void close() {
        node.close();
    }
}
