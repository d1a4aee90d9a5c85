package io.weir.testing.traffic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node that is always well. It answers calls for quantities and bytes in their form, and every other call with its own name and what
 * it was asked. Thread-safe.
 */
public final class EchoNode implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** The most calls of which it remembers the methods. */
    public static final int MAX_REMEMBERED = 10_000;

    private final String name;
    private final long chainId;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    private EchoNode(String name, long chainId, int port) {
        this.name = name;
        this.chainId = chainId;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Starts a node on a free port. */
    public static EchoNode start(String name, long chainId) {
        return new EchoNode(name, chainId, 0);
    }

    /** Starts a node on a port that must be free. */
    public static EchoNode start(String name, long chainId, int port) {
        return new EchoNode(name, chainId, port);
    }

    /** Its port. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** The methods that it was asked, probes left out, in the order in which they came. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode call = JSON.readTree(exchange.getRequestBody().readAllBytes());
        ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", call.get("id"));
        answer.set("result", result(call.path("method").asString(), call.get("params")));
        byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private JsonNode result(String method, JsonNode params) {
        switch (method) {
            case "eth_chainId":
                return JSON.valueToTree("0x" + Long.toHexString(chainId));
            case "eth_blockNumber":
                return JSON.valueToTree("0x10");
            case "eth_syncing":
                return JSON.valueToTree(false);
            case "eth_gasPrice", "eth_getBalance", "eth_getTransactionCount", "eth_estimateGas":
                remember(method);
                return JSON.valueToTree("0x7");
            case "eth_call":
                remember(method);
                return JSON.valueToTree("0x");
            case "net_version":
                remember(method);
                return JSON.valueToTree("7");
            default:
                remember(method);
                ObjectNode result = JSON.createObjectNode().put("node", name).put("method", method);
                result.set("params", params);
                return result;
        }
    }

    private void remember(String method) {
        if (asked.size() < MAX_REMEMBERED) {
            asked.add(method);
        }
    }
}
