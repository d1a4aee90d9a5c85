package io.weir.testing.chain;

import io.weir.testing.RawNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node of a chain, over HTTP; it takes batches, and lies as a test says. Thread-safe. */
public final class ChainServer implements AutoCloseable {

    /** Lie of a node that tells the truth. */
    public static final Lie NONE = (method, params, truth) -> truth;

    private static final JsonMapper JSON = new JsonMapper();

    private final TestChain chain;
    private final RawNode node;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private volatile Lie lie;
    private volatile UnaryOperator<ChainState> view = UnaryOperator.identity();

    /** Answer of a node in place of the true one. */
    public interface Lie {
        /** Returns the answer to a call; the true one if it is no lie. */
        ChainAnswer to(String method, JsonNode params, ChainAnswer truth);
    }

    /** Returns the lie of a node whose index lacks the logs of some blocks, by their numbers. */
    public static Lie withoutLogsOf(LongPredicate lacks) {
        return (method, params, truth) -> {
            if (!method.equals("eth_getLogs")
                    || truth.text() == null
                    || !truth.text().startsWith("[")) {
                return truth;
            }
            return ChainAnswer.result(JSON.readTree(truth.text())
                    .valueStream()
                    .filter(log ->
                            !lacks.test(Long.decode(log.path("blockNumber").asString())))
                    .map(JsonNode::toString)
                    .collect(Collectors.joining(",", "[", "]")));
        };
    }

    /** Answers truly for a chain on a free port of 127.0.0.1. */
    public ChainServer(TestChain chain) {
        this(chain, NONE);
    }

    /** Answers for a chain likewise, but for a lie. */
    public ChainServer(TestChain chain, Lie lie) {
        this.chain = chain;
        this.lie = lie;
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

    /** The number of connections that it accepted. */
    public int connections() {
        return node.accepted();
    }

    /** Tells another lie from now on. */
    public void lie(Lie next) {
        lie = next;
    }

    /** Answers truly by another state of the chain from now on, as a node that is behind. */
    public ChainServer see(UnaryOperator<ChainState> next) {
        view = next;
        return this;
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
        ChainAnswer truth = ChainAnswers.answer(view.apply(chain.state()), method, params);
        ChainAnswer answer = lie.to(method, params, truth);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + answer.member() + "}";
    }

    @Override
    public void close() {
        node.close();
    }
}
