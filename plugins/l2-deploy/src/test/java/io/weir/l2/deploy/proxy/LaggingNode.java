package io.weir.l2.deploy.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A layer-2 node that is some blocks behind another one, whose chain it serves. It does not know newer blocks, their transactions and their
 * state. Transactions that it is given go to the other node. Thread-safe.
 */
final class LaggingNode implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> TAGS = Set.of("latest", "pending", "pre_confirmed");
    private static final Set<String> OF_TRANSACTIONS = Set.of(
            "starknet_getTransactionReceipt",
            "starknet_getTransactionByHash",
            "starknet_getTransactionStatus",
            "starknet_traceTransaction");
    private static final int BLOCK_NOT_FOUND = 24;
    private static final int UNKNOWN_HASH = 29;

    private final JsonRpcClient node;
    private final int lag;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger served = new AtomicInteger();
    private final HttpServer server;

    /**
     * Starts it.
     *
     * @param url the other node's address
     * @param lag blocks
     */
    LaggingNode(String url, int lag) {
        this.node = new JsonRpcClient(url);
        this.lag = lag;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/rpc";
    }

    /** Returns how many calls it was asked. */
    int served() {
        return served.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode body = JSON.readTree(exchange.getRequestBody());
            byte[] answer = JSON.writeValueAsBytes(body.isArray() ? answers((ArrayNode) body) : answer(body));
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private ArrayNode answers(ArrayNode calls) {
        ArrayNode answers = JsonNodeFactory.instance.arrayNode();
        calls.forEach(call -> answers.add(answer(call)));
        return answers;
    }

    private ObjectNode answer(JsonNode call) {
        served.incrementAndGet();
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        answer.set("id", call.path("id"));
        long head = Math.max(
                0,
                ask("starknet_blockNumber", JsonNodeFactory.instance.arrayNode())
                                .path("result")
                                .asLong()
                        - lag);
        JsonNode found = found(call.path("method").asString(), call.path("params"), head);
        found.properties().stream()
                .filter(member -> !answer.has(member.getKey()))
                .forEach(member -> answer.set(member.getKey(), member.getValue()));
        return answer;
    }

    private JsonNode found(String method, JsonNode params, long head) {
        if (method.equals("starknet_blockNumber")) {
            return JsonNodeFactory.instance.objectNode().put("result", head);
        }
        if (method.equals("starknet_blockHashAndNumber")) {
            JsonNode block =
                    ask("starknet_getBlockWithTxHashes", byNumber(head)).path("result");
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            ObjectNode result = answer.putObject("result").put("block_number", head);
            result.set("block_hash", block.path("block_hash"));
            return answer;
        }
        if (OF_TRANSACTIONS.contains(method) && blockOf(params) > head) {
            return error(UNKNOWN_HASH, "Transaction hash not found");
        }
        JsonNode seen = seen(params, head);
        return names(seen, head) ? error(BLOCK_NOT_FOUND, "Block not found") : ask(method, seen);
    }

    private JsonNode ask(String method, JsonNode params) {
        ObjectNode call =
                JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").put("id", 1);
        call.put("method", method).set("params", params);
        return JSON.readTree(node.post(call.toString()).body());
    }

    private static ObjectNode byNumber(long number) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.putObject("block_id").put("block_number", number);
        return params;
    }

    private static ObjectNode error(int code, String message) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("error").put("code", code).put("message", message);
        return answer;
    }

    /** Returns the block of the transaction that parameters name; that of one in no block yet is newer than all. */
    private long blockOf(JsonNode params) {
        JsonNode hash = params.isArray() ? params.path(0) : params.path("transaction_hash");
        ObjectNode named = JsonNodeFactory.instance.objectNode();
        named.set("transaction_hash", hash);
        return ask("starknet_getTransactionReceipt", named)
                .path("result")
                .path("block_number")
                .asLong(Long.MAX_VALUE);
    }

    /** Whether something in the parameters names a newer block. */
    private boolean names(JsonNode params, long head) {
        long number = params.path("block_number").asLong(-1);
        if (params.has("block_hash")) {
            ObjectNode block = JsonNodeFactory.instance.objectNode();
            block.putObject("block_id").set("block_hash", params.path("block_hash"));
            number = ask("starknet_getBlockWithTxHashes", block)
                    .path("result")
                    .path("block_number")
                    .asLong(-1);
        }
        return number > head || params.valueStream().anyMatch(value -> names(value, head));
    }

    /** Returns the parameters as the node sees them: its newest block instead of the chain's. */
    private static JsonNode seen(JsonNode params, long head) {
        if (params.isString() && TAGS.contains(params.asString())) {
            return JsonNodeFactory.instance.objectNode().put("block_number", head);
        }
        if (params.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            params.forEach(value -> list.add(seen(value, head)));
            return list;
        }
        if (params.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            params.properties().forEach(member -> object.set(member.getKey(), seen(member.getValue(), head)));
            return object;
        }
        return params;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
