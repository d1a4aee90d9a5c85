package io.weir.app.nodes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A node of chain 1, with 64 blocks unless a test says otherwise, whose answers a test makes up. Takes batches too. Thread-safe. */
final class MadeNode implements AutoCloseable {

    static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int USUAL_HEAD = 0x40;

    /** The answers of a node. */
    interface Answers {
        /** The member {@code result} or {@code error} of the answer to a call; may take its time. */
        Map.Entry<String, ?> to(String method, JsonNode params);
    }

    private final Map<String, Object> probes;
    private final Answers answers;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    /** The HTTP status of errors. */
    int errorStatus = 200;

    MadeNode(Answers answers) throws IOException {
        this(USUAL_HEAD, answers);
    }

    MadeNode(int head, Answers answers) throws IOException {
        this(
                Map.of("eth_chainId", "0x1", "eth_blockNumber", "0x" + Integer.toHexString(head), "eth_syncing", false),
                answers);
    }

    /** @param probes the results of methods that are always the same */
    MadeNode(Map<String, Object> probes, Answers answers) throws IOException {
        this.probes = probes;
        this.answers = answers;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    static Map.Entry<String, ?> result(Object result) {
        return new java.util.AbstractMap.SimpleEntry<>("result", result);
    }

    /** Returns the made-up hash of the block with this number. */
    static String hash(long number) {
        return "0x%064x".formatted(number + 1);
    }

    /** The member {@code result} with a made-up block. */
    static Map.Entry<String, ?> block(long number) {
        return result(Map.of(
                "number",
                "0x" + Long.toHexString(number),
                "hash",
                hash(number),
                "parentHash",
                hash(number - 1),
                "transactions",
                List.of()));
    }

    static Map.Entry<String, ?> error(int code, String message) {
        return Map.entry("error", Map.of("code", code, "message", message));
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many calls of a method came. */
    long asked(String method) {
        return asked.stream().filter(method::equals).count();
    }

    private void take(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        JsonNode answer;
        if (body.isArray()) {
            ArrayNode batch = JSON.createArrayNode();
            body.forEach(call -> batch.add(answer(call)));
            answer = batch;
        } else {
            answer = answer(body);
        }
        byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        try {
            exchange.sendResponseHeaders(answer.has("error") ? errorStatus : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException expected) {
            // The proxy has closed the connection.
        } finally {
            exchange.close();
        }
    }

    private ObjectNode answer(JsonNode call) {
        String method = call.path("method").asString();
        asked.add(method);
        Map.Entry<String, ?> member =
                probes.containsKey(method) ? result(probes.get(method)) : answers.to(method, call.path("params"));
        ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", call.get("id"));
        answer.set(member.getKey(), JSON.valueToTree(member.getValue()));
        return answer;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
