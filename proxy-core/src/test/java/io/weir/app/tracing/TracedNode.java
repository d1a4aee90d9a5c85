package io.weir.app.tracing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node that keeps the headers of traces, and can fail calls of clients. Thread-safe. */
final class TracedNode implements AutoCloseable {

    /** Headers of one request. Immutable. */
    record Seen(String method, String parent, String state) {}

    private final HttpServer server;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private volatile boolean failing;

    TracedNode() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode call = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
        String method = call.path("method").asString();
        seen.add(new Seen(
                method,
                exchange.getRequestHeaders().getFirst("traceparent"),
                exchange.getRequestHeaders().getFirst("tracestate")));
        boolean refused = failing && method.equals("eth_getBalance");
        String result = method.equals("eth_chainId")
                ? "\"0x1\""
                : method.startsWith("eth_get") ? "\"0x2a\"" : method.equals("eth_blockNumber") ? "\"0x10\"" : "false";
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":" + result + "}";
        byte[] body = (refused ? "busy" : answer).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(refused ? 503 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Lets it answer calls of clients with 503. */
    void fail() {
        failing = true;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Seen> seen(String method) {
        return seen.stream().filter(one -> one.method().equals(method)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
