package io.weir.testing.traffic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node that answers probes at once and holds its answer to {@code eth_getBalance} back until it is told to give it.
 * Thread-safe.
 */
public final class HeldNode implements AutoCloseable {

    /** The balance that it answers in the end. */
    public static final String BALANCE = "0x1234";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long MAX_HOLD_SECONDS = 60;
    private static final Map<String, Object> RESULTS =
            Map.of("eth_chainId", "0x1", "eth_blockNumber", "0x10", "eth_syncing", false, "eth_getBalance", BALANCE);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger balances = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    private HeldNode() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Starts a node of chain 1 on a free port. */
    public static HeldNode start() {
        try {
            return new HeldNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Waits until the call is here; false where it does not come in 30 s. */
    public boolean awaitCall() throws InterruptedException {
        return asked.await(30, TimeUnit.SECONDS);
    }

    /** How often it was asked for a balance. */
    public int balances() {
        return balances.get();
    }

    /** Gives the answer. */
    public void release() {
        released.countDown();
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode call = JSON.readTree(exchange.getRequestBody().readAllBytes());
        String method = call.path("method").asString();
        if (method.equals("eth_getBalance")) {
            balances.incrementAndGet();
            asked.countDown();
            hold();
        }
        ObjectNode answer = JSON.createObjectNode();
        answer.put("jsonrpc", "2.0").set("id", call.get("id"));
        answer.set("result", JSON.valueToTree(RESULTS.get(method)));
        byte[] body = answer.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void hold() {
        try {
            released.await(MAX_HOLD_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
