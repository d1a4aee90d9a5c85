package io.weir.upstream.http;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeOutcome;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients on event loops of their own, and what a test sets of their configuration. */
final class ClientBench implements AutoCloseable {

    final MultiThreadIoEventLoopGroup loops;
    final EventLoop loop;
    final Map<String, String> headers = new HashMap<>();
    int maxConnections = 4;
    int maxQueue = 16;
    long connectTimeoutMillis = 5_000;
    long idleMillis = 30_000;
    int maxResponseBytes = 1 << 20;

    @Nullable
    SslContext trust;

    private final List<HttpNodeClient> clients = new ArrayList<>();

    ClientBench(int threads) {
        loops = new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory());
        loop = loops.next();
    }

    UpstreamConfig config(String id, String url) {
        return new UpstreamConfig(
                id,
                URI.create(url),
                null,
                UpstreamConfig.Preference.HTTP,
                1,
                0,
                headers,
                List.of(),
                maxConnections,
                maxQueue,
                connectTimeoutMillis,
                10_000,
                idleMillis,
                maxResponseBytes);
    }

    HttpNodeClient client(String url) {
        HttpNodeClient client = new HttpNodeClient(config("node", url), loops, NioSocketChannel.class, trust);
        clients.add(client);
        return client;
    }

    HttpNodeClient client(RawNode node) {
        return client("http://127.0.0.1:" + node.port() + "/");
    }

    /** Asks, and gives the outcome to come; also fails where it comes on another thread, or twice. */
    CompletableFuture<NodeOutcome> ask(HttpNodeClient client, long timeoutMillis) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        loop.execute(() ->
                client.ask(loop, call(), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis), ended -> {
                    if (!loop.inEventLoop() || !outcome.complete(ended)) {
                        outcome.obtrudeException(new AssertionError("on another thread, or twice: " + ended));
                    }
                }));
        return outcome;
    }

    NodeOutcome outcome(HttpNodeClient client) {
        return ask(client, 10_000).orTimeout(20, TimeUnit.SECONDS).join();
    }

    static RpcCall call() {
        return new RpcCall(RawJson.of("\"theirs\""), "eth_test", RawJson.of("[\"é\",1]"));
    }

    @Override
    public void close() {
        clients.forEach(HttpNodeClient::close);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
