package io.weir.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node of chain 1 that takes twenty milliseconds for each request with a receipt in it, single or batch, and answers batches
 * from the last call to the first. It holds all of them back until a test lets them go. Thread-safe.
 */
final class SlowBatchNode implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long MILLIS = 20;
    private static final Map<String, Object> PROBES =
            Map.of("eth_chainId", "0x1", "eth_blockNumber", "0x10000", "eth_syncing", false);

    private final List<Integer> requests = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final HttpServer server;
    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    SlowBatchNode() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many calls each request had that came since the gate was shut; probes are left out. */
    List<Integer> requests() {
        return List.copyOf(requests);
    }

    /** Begins to count, and to hold answers back. */
    void shut() {
        requests.clear();
        gate = new CompletableFuture<>();
    }

    /** Lets the answers go. */
    void open() {
        gate.complete(null);
    }

    private void take(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        if (body.isObject() && PROBES.containsKey(body.path("method").asString())) {
            send(exchange, answer(body));
            return;
        }
        requests.add(body.isArray() ? body.size() : 1);
        gate.thenRun(() -> clock.schedule(() -> send(exchange, answers(body)), MILLIS, TimeUnit.MILLISECONDS));
    }

    private static JsonNode answers(JsonNode body) {
        if (body.isObject()) {
            return answer(body);
        }
        ArrayNode answers = JSON.createArrayNode();
        for (JsonNode call : body) {
            answers.insert(0, answer(call));
        }
        return answers;
    }

    private static JsonNode answer(JsonNode call) {
        String method = call.path("method").asString();
        JsonNode probe = JSON.valueToTree(PROBES.get(method));
        ObjectNode receipt = JSON.createObjectNode().put("status", "0x1");
        receipt.set("of", call.at("/params/0"));
        receipt.set("transactionHash", call.at("/params/0"));
        if (method.equals("eth_getBlockReceipts")) {
            receipt.put("blockHash", "0x" + "b".repeat(64));
            receipt.set("blockNumber", call.at("/params/0"));
        }
        JsonNode found =
                method.equals("eth_getBlockReceipts") ? JSON.createArrayNode().add(receipt) : receipt;
        ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", call.get("id"));
        answer.set("result", probe.isNull() ? found : probe);
        return answer;
    }

    private static void send(HttpExchange exchange, JsonNode answer) {
        byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        try {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException expected) {
            // The proxy has closed the connection.
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        open();
        server.stop(0);
        clock.shutdownNow();
    }
}
