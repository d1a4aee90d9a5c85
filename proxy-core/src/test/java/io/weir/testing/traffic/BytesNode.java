package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node that is well, and gives as result or error of any other call the text that a test says. Thread-safe. */
public final class BytesNode implements AutoCloseable {

    private static final Pattern CALL = Pattern.compile("\"id\":(\\d+),\"method\":\"(\\w+)\"");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile String outcome = "\"result\":null";

    private BytesNode() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Starts it on a free port, as a node of chain 1 at block 16. */
    public static BytesNode start() {
        try {
            return new BytesNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What it says from now on: a {@code result} or an {@code error}, as a member of the answer. */
    public void says(String member) {
        outcome = member;
    }

    /** The bodies of the requests that came, those of probes left out. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Matcher call = CALL.matcher(body);
        String id = call.find() ? call.group(1) : "null";
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + said(call.group(2), body) + "}";
        byte[] bytes = answer.getBytes(UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String said(String method, String body) {
        switch (method) {
            case "eth_chainId":
                return "\"result\":\"0x1\"";
            case "eth_blockNumber":
                return "\"result\":\"0x10\"";
            case "eth_syncing":
                return "\"result\":false";
            case "eth_getBlockByNumber":
                return "\"result\":{\"number\":\"0x10\",\"hash\":\"0x" + "11".repeat(32) + "\",\"parentHash\":\"0x"
                        + "10".repeat(32) + "\",\"gasLimit\":\"0x1c9c380\"}";
            default:
                requests.add(body);
                return outcome;
        }
    }
}
