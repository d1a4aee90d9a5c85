package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node that takes its time, but for probes; its answers to {@code trace_filter} are large. Thread-safe. */
public final class LateNode implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LATE_MILLIS = 20;
    private static final Map<String, String> PROBES =
            Map.of("eth_chainId", "\"0x1\"", "eth_blockNumber", "\"0x10\"", "eth_syncing", "false");

    private final String large;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final HttpServer server;

    /** Starts a node of chain 1 on a free port. */
    public LateNode(int letters) throws IOException {
        large = "\"" + "x".repeat(letters) + "\"";
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    /** Its address. */
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
        if (probe != null) {
            answer(exchange, call, probe);
            return;
        }
        String result = method.equals("trace_filter") ? large : "\"late\"";
        timer.schedule(() -> threads.execute(() -> answer(exchange, call, result)), LATE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void answer(HttpExchange exchange, JsonNode call, String result) {
        byte[] body =
                ("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":" + result + "}").getBytes(US_ASCII);
        try (exchange) {
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
