package io.weir.bench.head;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.bench.head.GrowingChain.Block;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node on 127.0.0.1 that serves a chain over HTTP and WebSocket, refuses signed transactions, and counts calls by method.
 * Thread-safe.
 */
public final class ScriptedNode implements AutoCloseable {

    /** Follows the method's name where whole blocks are counted; the proxy's own calls ask for none. */
    private static final String WHOLE = " whole";

    private static final int THREADS = 16;
    private static final JsonMapper JSON = new JsonMapper();

    private final GrowingChain chain;
    private final HttpServer server;
    private final AnnouncingSocket socket;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

    static {
        // As nodes do, it keeps idle connections for two minutes.
        System.setProperty("sun.net.httpserver.idleInterval", "120");
    }

    /** Serves a chain, at a free port each for HTTP and WebSocket. */
    public ScriptedNode(GrowingChain chain) throws IOException {
        this.chain = chain;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
        socket = new AnnouncingSocket(this::answer);
    }

    /** Returns the port of its WebSocket. */
    public int socketPort() {
        return socket.port();
    }

    /** Announces the newest block. */
    public void announce() {
        Block newest = chain.find("latest");
        if (newest != null) {
            socket.announce(newest.json());
        }
    }

    /** Returns the port of its HTTP server. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns how often each method was called. The names of methods that ask for a block are followed by what they ask for. */
    Map<String, Long> calls() {
        Map<String, Long> counted = new TreeMap<>();
        calls.forEach((method, count) -> counted.put(method, count.sum()));
        return counted;
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] answer = answer(exchange.getRequestBody().readAllBytes());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, answer.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
        }
    }

    private byte[] answer(byte[] request) {
        JsonNode body = JSON.readTree(request);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        if (body.isArray()) {
            String separator = "[";
            for (JsonNode call : body) {
                answer.writeBytes(separator.getBytes(UTF_8));
                answer(call, answer);
                separator = ",";
            }
            answer.write(']');
        } else {
            answer(body, answer);
        }
        return answer.toByteArray();
    }

    private void answer(JsonNode call, ByteArrayOutputStream out) {
        String method = call.get("method").asString();
        calls.computeIfAbsent(method + asked(call.path("params")), name -> new LongAdder())
                .increment();
        out.writeBytes(("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",").getBytes(UTF_8));
        switch (method) {
            case "eth_chainId" -> text("\"result\":\"0x1\"", out);
            case "eth_syncing" -> text("\"result\":false", out);
            case "eth_blockNumber" -> text("\"result\":\"0x" + Integer.toHexString(chain.head()) + '"', out);
            case "eth_getBlockByNumber", "eth_getBlockByHash" -> {
                Block block = chain.find(call.get("params").get(0).asString());
                text("\"result\":", out);
                out.writeBytes(block == null ? "null".getBytes(UTF_8) : block.json());
            }
            case "eth_getLogs" -> text("\"result\":[]", out);
            case "eth_sendTransaction" -> text("\"result\":\"0x" + "ab".repeat(32) + '"', out);
            case "eth_sendRawTransaction" -> text("\"error\":{\"code\":-32000,\"message\":\"nonce too low\"}", out);
            default -> text("\"result\":\"0x1\"", out);
        }
        out.write('}');
    }

    private static String asked(JsonNode params) {
        if (!params.path(1).isBoolean()) {
            return "";
        }
        String block = params.path(0).asString();
        return params.path(1).asBoolean() ? WHOLE : block.startsWith("0x") ? " number" : " " + block;
    }

    private static void text(String text, ByteArrayOutputStream out) {
        out.writeBytes(text.getBytes(UTF_8));
    }

    @Override
    public void close() {
        socket.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
