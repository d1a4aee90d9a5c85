package io.weir.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A provider with narrow bounds: ten calls in a batch, 500 blocks of logs, blocks from a first one on, state of 128 blocks. It limits the
 * rate once, at receipts, and repeats its own address in an error. Thread-safe.
 */
final class LimitedProvider implements AutoCloseable {

    static final String KEY = "k3yOfTheProvider42";

    private static final JsonMapper JSON = new JsonMapper();
    private static final String NO_METHOD = error(-32601, "the method does not exist/is not available");
    private static final long OLDEST = 1_234;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String chainId;
    private final long head;
    private final AtomicBoolean limited = new AtomicBoolean();
    private volatile String version = "limited/v1.0.0";
    private final List<String> credentials = new CopyOnWriteArrayList<>();

    /** Starts one on a free port of 127.0.0.1. */
    LimitedProvider(String chainId, long head) throws IOException {
        this.chainId = chainId;
        this.head = head;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v2/" + KEY, this::serve);
        server.start();
    }

    /** Sets the answer to {@code web3_clientVersion}, in JSON's escapes. */
    void setVersion(String version) {
        this.version = version;
    }

    /** Its address, with a key in the path. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v2/" + KEY;
    }

    /** The header {@code X-Secret} of each request. */
    List<String> credentials() {
        return List.copyOf(credentials);
    }

    private void serve(HttpExchange exchange) throws IOException {
        JsonNode asked = JSON.readTree(exchange.getRequestBody().readAllBytes());
        credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Secret")));
        boolean isLimit =
                asked.path("method").asString("").equals("eth_getBlockReceipts") && limited.compareAndSet(false, true);
        String answer = isLimit ? answer(asked, error(429, "slow down")) : answers(asked);
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isLimit ? 429 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String answers(JsonNode asked) {
        if (!asked.isArray()) {
            return answer(asked, outcome(asked));
        }
        if (asked.size() > 10) {
            return "{\"jsonrpc\":\"2.0\",\"id\":null," + error(-32600, "batch of more than 10 calls") + "}";
        }
        List<String> answers = new ArrayList<>();
        asked.forEach(call -> answers.add(answer(call, outcome(call))));
        return "[" + String.join(",", answers) + "]";
    }

    private static String answer(JsonNode call, String outcome) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.path("id") + "," + outcome + "}";
    }

    private static String error(int code, String message) {
        return "\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}";
    }

    private static String result(String text) {
        return "\"result\":\"" + text + "\"";
    }

    private String outcome(JsonNode call) {
        JsonNode params = call.path("params");
        return switch (call.path("method").asString()) {
            case "eth_chainId" -> result(chainId);
            case "eth_blockNumber" -> result("0x" + Long.toHexString(head));
            case "web3_clientVersion" -> result(version);
            case "eth_getBlockByNumber" -> block(params.path(0).asString());
            case "eth_getBalance" ->
                Long.decode(params.path(1).asString()) < head - 128
                        ? error(-32000, "missing trie node 0xabc (path ) state 0xabc is not available")
                        : result("0x0");
            case "eth_getBlockReceipts" -> "\"result\":[]";
            case "eth_getLogs" -> logs(params.path(0));
            case "trace_block" -> error(-32000, "call of " + url() + " failed");
            default -> NO_METHOD;
        };
    }

    private String block(String name) {
        long number = name.equals("latest") ? head : Long.decode(name);
        return number < OLDEST
                ? "\"result\":null"
                : "\"result\":{\"number\":\"0x" + Long.toHexString(number) + "\",\"timestamp\":\"0x"
                        + Long.toHexString(Instant.now().getEpochSecond() - 7) + "\",\"transactions\":[]}";
    }

    private static String logs(JsonNode filter) {
        long length = Long.decode(filter.path("toBlock").asString())
                - Long.decode(filter.path("fromBlock").asString())
                + 1;
        return length > 500 ? error(-32602, "block range too large, at most 800 blocks") : "\"result\":[]";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
