package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node of chain 1 that is always well and answers {@code trace_filter} with a text of many letters x. Thread-safe. */
public final class LargeNode implements AutoCloseable {

    private static final int PIECE = 64 * 1024;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> RESULTS =
            Map.of("eth_chainId", "\"0x1\"", "eth_blockNumber", "\"0x10\"", "eth_syncing", "false");

    private final byte[] large;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    /** Starts a node on a free port. */
    public LargeNode(int letters) throws IOException {
        large = new byte[letters];
        Arrays.fill(large, (byte) 'x');
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode call = JSON.readTree(exchange.getRequestBody().readAllBytes());
        byte[] head = ("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":").getBytes(US_ASCII);
        exchange.getResponseHeaders().set("content-type", "application/json");
        if (call.path("method").asString().equals("trace_filter")) {
            exchange.sendResponseHeaders(200, head.length + large.length + 3L);
            exchange.getResponseBody().write(head);
            exchange.getResponseBody().write('"');
            writeInPieces(exchange.getResponseBody());
            exchange.getResponseBody().write('"');
        } else {
            byte[] small = RESULTS.getOrDefault(call.path("method").asString(), "\"small\"")
                    .getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, head.length + small.length + 1L);
            exchange.getResponseBody().write(head);
            exchange.getResponseBody().write(small);
        }
        exchange.getResponseBody().write('}');
        exchange.close();
    }

    /** The server copies what is written at once: whole results would fill the heap of the test when many callers wait. */
    private void writeInPieces(OutputStream body) throws IOException {
        for (int at = 0; at < large.length; at += PIECE) {
            body.write(large, at, Math.min(PIECE, large.length - at));
        }
    }
}
