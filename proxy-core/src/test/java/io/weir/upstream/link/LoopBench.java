package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.weir.config.BudgetConfig;
import io.weir.config.ServedData;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamTlsConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.tls.ClientCertificates;
import io.weir.tls.TlsFileException;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients on event loops of their own, with the configuration that a test sets.
 *
 * @param <C> the kind of client
 */
public abstract class LoopBench<C extends NodeClient> implements AutoCloseable {

    public final MultiThreadIoEventLoopGroup loops;
    public final EventLoop loop;
    public final Map<String, String> headers = new HashMap<>();
    public boolean subscribe = true;
    public int maxConnections = 4;
    public long connectTimeoutMillis = 60_000;
    public long idleMillis = 30_000;
    public int maxResponseBytes = 1 << 20;
    public boolean gzip;

    @Nullable
    public SslContext trust;

    /** Returns the context of a new connection. */
    protected SslContext tls() {
        return trust == null ? SystemTrust.CONTEXT : trust;
    }

    /** The trust of the system, made once. */
    private static final class SystemTrust {

        static final SslContext CONTEXT = context();

        private static SslContext context() {
            try {
                return new ClientCertificates("", UpstreamTlsConfig.SYSTEM, Clock.systemUTC()).get();
            } catch (TlsFileException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Counts answers while they are collected; replaced before a client is made. */
    public Budget bytes = new Budget(64 << 20);

    private final List<C> clients = new ArrayList<>();

    protected LoopBench(int threads) {
        loops = new MultiThreadIoEventLoopGroup(threads, NioIoHandler.newFactory());
        loop = loops.next();
    }

    /** A node's settings, with this as its HTTP URL or that of its WebSocket. */
    public UpstreamConfig config(String id, String url) {
        URI uri = URI.create(url);
        boolean socket = url.startsWith("ws");
        return new UpstreamConfig(
                id,
                socket ? null : uri,
                null,
                socket ? uri : null,
                UpstreamConfig.Preference.HTTP,
                subscribe,
                1,
                0,
                headers,
                List.of(),
                maxConnections,
                60_000,
                maxResponseBytes,
                gzip,
                100,
                new ServedData(List.of("*"), false, ServedData.LEARNED, ServedData.LEARNED),
                UpstreamConfig.Transactions.LEARNED,
                BudgetConfig.NONE,
                UpstreamTlsConfig.SYSTEM);
    }

    /** A client, which is closed at the end. */
    public C client(String url) {
        C client = open(config("node", url));
        clients.add(client);
        return client;
    }

    /** Makes a client. */
    protected abstract C open(UpstreamConfig config);

    /** Sends a call and returns its future outcome; fails if that comes on another thread, or twice. */
    public CompletableFuture<NodeOutcome> ask(C client, long timeoutMillis) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        loop.execute(() -> client.ask(loop, call(), deadline(timeoutMillis), Attempt.of(ended -> end(outcome, ended))));
        return outcome;
    }

    /** Sends a call for a holder. */
    public CompletableFuture<NodeOutcome> ask(C client, Object holder) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        Attempt attempt = Attempt.of(CallCause.OTHER, holder, ended -> end(outcome, ended));
        loop.execute(() -> client.ask(loop, call(), deadline(60_000), attempt));
        return outcome;
    }

    /** Call that the test can give up. */
    public final class Cancellable {

        /** Its outcome, which never comes once it was given up. */
        public final CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();

        private final Attempt attempt = Attempt.of(ended -> end(outcome, ended));

        /** Gives it up, and waits until that is done. */
        public void cancel() {
            loop.submit(attempt::cancel).syncUninterruptibly();
        }
    }

    /** Sends a call that the test can give up. */
    public Cancellable askCancellable(C client) {
        Cancellable call = new Cancellable();
        loop.submit(() -> client.ask(loop, call(), deadline(60_000), call.attempt))
                .syncUninterruptibly();
        return call;
    }

    /** Sends a probe likewise. */
    public CompletableFuture<NodeOutcome> probe(C client, long timeoutMillis) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        loop.execute(
                () -> client.probe(loop, call(), deadline(timeoutMillis), Attempt.of(ended -> end(outcome, ended))));
        return outcome;
    }

    private static long deadline(long timeoutMillis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    private void end(CompletableFuture<NodeOutcome> outcome, NodeOutcome ended) {
        if (!loop.inEventLoop() || !outcome.complete(ended)) {
            outcome.obtrudeException(new AssertionError("on another thread, or twice: " + ended));
        }
    }

    /** Sends a call and waits for the outcome. */
    public NodeOutcome outcome(C client) {
        return get(ask(client, 60_000));
    }

    /** Waits for an outcome. */
    public static NodeOutcome get(CompletableFuture<NodeOutcome> outcome) {
        return outcome.orTimeout(90, TimeUnit.SECONDS).join();
    }

    /** Request of the test. */
    public static RpcCall call() {
        return new RpcCall(RawJson.of("\"theirs\""), "eth_test", RawJson.of("[\"é\",1]"));
    }

    @Override
    public void close() {
        clients.forEach(NodeClient::close);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
