package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node of chain 1 that is always well and answers {@code trace_filter} with a text of many letters x. May answer everything but
 * probes late. Thread-safe.
 */
public final class LargeResultNode implements AutoCloseable {

    private static final int PIECE = 64 * 1024;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> PROBES =
            Map.of("eth_chainId", "\"0x1\"", "eth_blockNumber", "\"0x10\"", "eth_syncing", "false");

    private final byte[] large;
    private final int delayMillis;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final HttpServer server;

    /**
     * Starts a node on a free port.
     *
     * @param letters of the large result
     * @param delayMillis before each answer but those to probes; 0 answers at once
     */
    public LargeResultNode(int letters, int delayMillis) throws IOException {
        this.large = new byte[letters + 2];
        this.delayMillis = delayMillis;
        Arrays.fill(large, (byte) 'x');
        large[0] = '"';
        large[letters + 1] = '"';
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    /** Returns its address. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        timer.shutdownNow();
        threads.shutdownNow();
    }

    private void take(HttpExchange exchange) throws IOException {
        JsonNode call = JSON.readTree(exchange.getRequestBody().readAllBytes());
        String method = call.path("method").asString();
        String probe = PROBES.get(method);
        byte[] result =
                method.equals("trace_filter") ? large : (probe == null ? "\"small\"" : probe).getBytes(US_ASCII);
        if (probe != null || delayMillis == 0) {
            answer(exchange, call, result);
        } else {
            timer.schedule(
                    () -> threads.execute(() -> answer(exchange, call, result)), delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    private static void answer(HttpExchange exchange, JsonNode call, byte[] result) {
        byte[] head = ("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":").getBytes(US_ASCII);
        try (exchange) {
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, head.length + result.length + 1L);
            OutputStream body = exchange.getResponseBody();
            body.write(head);
            writeInPieces(body, result);
            body.write('}');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server copies what is written at once: whole results would fill the heap of the test when many callers wait. */
    private static void writeInPieces(OutputStream body, byte[] result) throws IOException {
        for (int at = 0; at < result.length; at += PIECE) {
            body.write(result, at, Math.min(PIECE, result.length - at));
        }
    }
}
