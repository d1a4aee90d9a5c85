package io.weir.testing.traffic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a node, passes every call on, and keeps the node's answers to one method to itself. Thread-safe. */
public final class MuteNode implements AutoCloseable {

    private static final long MAX_SILENCE_SECONDS = 60;

    private final URI node;
    private final String method;
    private final AtomicInteger kept = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;

    private MuteNode(String nodeUrl, String method) throws IOException {
        this.node = URI.create(nodeUrl);
        this.method = method;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    /** Stands before the node at this address, mute where it is asked this method. */
    public static MuteNode before(String nodeUrl, String method) {
        try {
            return new MuteNode(nodeUrl, method);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address that stands for the node's. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many answers were kept. */
    public int kept() {
        return kept.get();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try {
            String call = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HttpRequest request = HttpRequest.newBuilder(node)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(call))
                    .build();
            byte[] answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                    .body();
            if (call.contains('"' + method + '"')) {
                kept.incrementAndGet();
                closed.await(MAX_SILENCE_SECONDS, TimeUnit.SECONDS);
            }
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }
}
