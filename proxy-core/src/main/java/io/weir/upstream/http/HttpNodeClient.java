package io.weir.upstream.http;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.EventExecutor;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node over HTTP/1.1. Each event loop has connections of its own, so that a call never changes its thread, and others
 * for probes, so that these never wait behind calls. Thread-safe; see {@link NodeClient#ask} for who may ask from where.
 */
public final class HttpNodeClient implements NodeClient {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBE_QUEUE = 8;

    /** One, and one more while the one before it is still on its way out. */
    private static final int PROBE_CONNECTIONS = 2;

    /** What one event loop has. */
    private record Lanes(EventLoop loop, LoopConnections calls, LoopConnections probes) {}

    private final NodeConnector connector;
    private final Map<EventLoop, Lanes> lanes = new HashMap<>();

    /**
     * Makes a client; connections are made when they are needed.
     *
     * @param config with an {@code http} or {@code https} URL
     * @param loops the event loops to ask from
     * @param channelType the kind of sockets that fits these loops
     * @throws IllegalArgumentException when the URL or a header cannot be used; the message shows neither
     */
    public HttpNodeClient(UpstreamConfig config, EventLoopGroup loops, Class<? extends SocketChannel> channelType) {
        this(config, loops, channelType, null);
    }

    /**
     * Makes a client that trusts whom a test says.
     *
     * @param trust what secures {@code https}; null for what the system trusts
     */
    HttpNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            @Nullable SslContext trust) {
        NodeAddress address = NodeAddress.of(config.url());
        RequestHead head = new RequestHead(address, config.headers());
        SslContext tls = !address.tls() ? null : trust == null ? systemTrust() : trust;
        connector = new NodeConnector(address, tls, channelType, config.connectTimeoutMillis());
        int count = 0;
        for (EventExecutor ignored : loops) {
            count++;
        }
        int index = 0;
        for (EventExecutor executor : loops) {
            EventLoop loop = (EventLoop) executor;
            // What does not divide evenly goes to the first loops.
            int share = config.maxConnections() / count + (index++ < config.maxConnections() % count ? 1 : 0);
            ConnectionLimits calls = new ConnectionLimits(
                    Math.max(1, share), config.maxQueue(), config.idleMillis(), config.maxResponseBytes());
            ConnectionLimits probes = new ConnectionLimits(
                    PROBE_CONNECTIONS,
                    MAX_PROBE_QUEUE,
                    config.idleMillis(),
                    Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES));
            lanes.put(
                    loop,
                    new Lanes(
                            loop,
                            new LoopConnections(loop, connector, head, calls),
                            new LoopConnections(loop, connector, head, probes)));
        }
    }

    private static SslContext systemTrust() {
        try {
            return SslContextBuilder.forClient()
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                    .endpointIdentificationAlgorithm("HTTPS")
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("TLS: not available (expected: the system's trusted certificates)", e);
        }
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes(loop).calls().ask(call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes(loop).calls().askAnew(call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        LoopConnections probes = lanes(loop).probes();
        probes.ask(call, deadlineNanos, outcome -> {
            if (outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                probes.askAnew(call, deadlineNanos, sink);
            } else {
                sink.accept(outcome);
            }
        });
    }

    private Lanes lanes(EventLoop loop) {
        Lanes own = lanes.get(loop);
        if (own == null || !loop.inEventLoop()) {
            throw new IllegalStateException("loop: " + loop + " (expected: one of the client's, and called on it)");
        }
        return own;
    }

    /** How many connections of a loop are open or being made; called on it. */
    int openConnections(EventLoop loop) {
        Lanes own = lanes(loop);
        return own.calls().open() + own.probes().open();
    }

    @Override
    public void reset(boolean failWaiting) {
        lanes.values()
                .forEach(own -> run(own.loop(), () -> {
                    own.probes().abort();
                    own.calls().reset(failWaiting);
                }));
    }

    @Override
    public long connects() {
        return connector.made();
    }

    @Override
    public void close() {
        lanes.values()
                .forEach(own -> run(own.loop(), () -> {
                    own.calls().close();
                    own.probes().close();
                }));
        connector.close();
    }

    private static void run(EventLoop loop, Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else if (!loop.isShutdown()) {
            loop.execute(task);
        }
    }
}
