package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.batch.BatchWindow;
import io.weir.upstream.batch.BatchWindow.Batching;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.PerLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Client for a node over HTTP/1.1. Each event loop has its own connections, so a call never changes its thread. Probes have
 * separate ones, so they never wait behind calls. Thread-safe; {@link NodeClient#ask} says on which loop to call.
 */
public final class HttpNodeClient implements NodeClient {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBE_QUEUE = 8;

    /** One connection, and a second one while the first is closing. */
    private static final int PROBE_CONNECTIONS = 2;

    /** Results in larger answers go on while they arrive: smaller ones cost less whole, and their size can be declared. */
    private static final int STREAM_FROM = 256 << 10;

    /** Connections of one event loop. Confined to it. */
    private record Connections(LoopConnections calls, LoopConnections probes) {}

    private final NodeConnector connector;
    private final PerLoop<Connections> connections;
    /** Null without batching. */
    private volatile @Nullable PerLoop<BatchWindow> windows;

    private volatile @Nullable ChainQuestion firstQuestion;

    /**
     * Creates a client. Connections are made on demand.
     *
     * @param config with an {@code http} or {@code https} URL
     * @param loops the event loops of the callers
     * @param channelType the socket type that fits these loops
     * @param bytes counts answers while they are collected; answers to probes have a separate bound
     * @param streams bounds the results that go on while they arrive
     * @param tls secures {@code https}; null for {@code http}
     * @throws IllegalArgumentException if the URL or a header is unusable; the message shows neither
     */
    public HttpNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            Budget bytes,
            StreamLimit streams,
            @Nullable Supplier<SslContext> tls) {
        this(
                config,
                loops,
                channelType,
                bytes,
                streams,
                new Setting(tls, NodeConnector.TIMEOUT_MILLIS, NodeConnector.IDLE_MILLIS, NodeConnector.RENEW_MILLIS));
    }

    HttpNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            Budget bytes,
            StreamLimit streams,
            Setting setting) {
        NodeAddress address = NodeAddress.ofHttp(config.address());
        byte[] head = RequestHead.of(address, config.headers(), config.gzip());
        connector = new NodeConnector(address, setting.tls(), channelType, setting.connectMillis());
        ConnectionLimits probes = new ConnectionLimits(
                PROBE_CONNECTIONS,
                MAX_PROBE_QUEUE,
                setting.idleMillis(),
                setting.renewMillis(),
                Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES),
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                Budget.unbounded(),
                streams);
        connections = new PerLoop<>(loops, config.maxConnections(), (loop, share) -> {
            ConnectionLimits calls = new ConnectionLimits(
                    share,
                    PerLoop.MAX_QUEUE,
                    setting.idleMillis(),
                    setting.renewMillis(),
                    // An answer that never fits is refused as too large, so that the call is not repeated.
                    (int) Math.min(config.maxResponseBytes(), bytes.max()),
                    Math.min(STREAM_FROM, config.maxResponseBytes() / 4),
                    TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis()),
                    bytes,
                    streams);
            return new Connections(
                    new LoopConnections(loop, connector, head, calls, () -> firstQuestion),
                    new LoopConnections(loop, connector, head, probes, () -> null));
        });
    }

    /**
     * TLS and times of a client. Immutable.
     *
     * @param tls secures {@code https}; null for {@code http}
     * @param connectMillis longest time until a connection can be used
     * @param idleMillis see {@link ConnectionLimits}
     * @param renewMillis see {@link ConnectionLimits}
     */
    record Setting(@Nullable Supplier<SslContext> tls, long connectMillis, long idleMillis, long renewMillis) {}

    /**
     * Sets the question that comes first on a new connection for calls after one was lost: another node may have come behind the
     * address. Thread-safe.
     */
    public HttpNodeClient asksFirst(ChainQuestion question) {
        firstQuestion = question;
        return this;
    }

    /**
     * Sends calls together if they arrive faster than the node answers. Probes and repeated calls are sent at once. To be called before the
     * first call.
     *
     * @param loops the event loops of the callers
     */
    public HttpNodeClient batches(EventLoopGroup loops, Batching batching) {
        windows = new PerLoop<>(
                loops,
                0,
                (loop, share) -> new BatchWindow(loop, connections.at(loop).calls(), batching));
        return this;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        PerLoop<BatchWindow> batched = windows;
        if (batched == null) {
            connections.of(loop).calls().ask(call, deadlineNanos, sink);
        } else {
            batched.of(loop).ask(call, deadlineNanos, sink);
        }
    }

    private void forEachWindow(Consumer<BatchWindow> action) {
        PerLoop<BatchWindow> batched = windows;
        if (batched != null) {
            batched.forEach(action);
        }
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        connections.of(loop).calls().askAnew(call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        LoopConnections probes = connections.of(loop).probes();
        probes.ask(call, deadlineNanos, outcome -> {
            if (outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                probes.askAnew(call, deadlineNanos, sink);
            } else {
                sink.accept(outcome);
            }
        });
    }

    /** Returns how many connections of a loop are open or connecting; called on that loop. */
    int openConnections(EventLoop loop) {
        Connections own = connections.of(loop);
        return own.calls().open() + own.probes().open();
    }

    @Override
    public void reset(boolean failWaiting) {
        if (failWaiting) {
            forEachWindow(BatchWindow::failUnsent);
        }
        connections.forEach(own -> {
            own.probes().abort();
            own.calls().reset(failWaiting);
        });
    }

    @Override
    public void leave(EventLoop loop, Runnable lost) {
        forEachWindow(BatchWindow::failUnsent);
        connections.forEach(own -> own.calls().reset(true));
        connections.of(loop).probes().whenLost(lost);
    }

    @Override
    public long connects() {
        return connector.made();
    }

    @Override
    public void close() {
        forEachWindow(BatchWindow::close);
        connections.forEach(own -> {
            own.calls().close();
            own.probes().close();
        });
        connector.close();
    }
}
