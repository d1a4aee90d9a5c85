package io.weir.upstream.http;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.batch.BatchCarrier;
import io.weir.upstream.wire.Message;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.NodeTls;
import io.weir.upstream.wire.PerLoop;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node over HTTP/1.1. Each event loop has connections of its own, so that a call never changes its thread, and others
 * for probes, so that these never wait behind calls. Thread-safe; see {@link NodeClient#ask} for who may ask from where.
 */
public final class HttpNodeClient implements BatchCarrier {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBE_QUEUE = 8;

    /** One, and one more while the one before it is still on its way out. */
    private static final int PROBE_CONNECTIONS = 2;

    /** What one event loop has. */
    private record Lanes(LoopConnections calls, LoopConnections probes) {}

    private final NodeConnector connector;
    private final PerLoop<Lanes> lanes;

    /**
     * Makes a client; connections are made when they are needed.
     *
     * @param config with an {@code http} or {@code https} URL
     * @param loops the event loops to ask from
     * @param channelType the kind of sockets that fits these loops
     * @param bytes counts answers while they are collected; those to probes are not counted, and bounded by themselves
     * @throws IllegalArgumentException when the URL or a header cannot be used; the message shows neither
     */
    public HttpNodeClient(
            UpstreamConfig config, EventLoopGroup loops, Class<? extends SocketChannel> channelType, Budget bytes) {
        this(config, loops, channelType, bytes, null);
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
            Budget bytes,
            @Nullable SslContext trust) {
        NodeAddress address = NodeAddress.ofHttp(config.address());
        RequestHead head = new RequestHead(address, config.headers());
        connector = new NodeConnector(address, NodeTls.of(address, trust), channelType, config.connectTimeoutMillis());
        ConnectionLimits probes = new ConnectionLimits(
                PROBE_CONNECTIONS,
                MAX_PROBE_QUEUE,
                config.idleMillis(),
                Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES),
                Budget.unbounded());
        lanes = new PerLoop<>(loops, config.maxConnections(), (loop, share) -> {
            ConnectionLimits calls = new ConnectionLimits(
                    share,
                    config.maxQueue(),
                    config.idleMillis(),
                    // What never fits is refused as too large, so that nobody asks for it again.
                    (int) Math.min(config.maxResponseBytes(), bytes.most()),
                    bytes);
            return new Lanes(
                    new LoopConnections(loop, connector, head, calls),
                    new LoopConnections(loop, connector, head, probes));
        });
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes.of(loop).calls().ask(call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes.of(loop).calls().askAnew(call, deadlineNanos, sink);
    }

    @Override
    public void post(EventLoop loop, Message message, boolean anew, long deadlineNanos, OutcomeSink sink) {
        lanes.of(loop).calls().ask(message, anew, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        LoopConnections probes = lanes.of(loop).probes();
        probes.ask(call, deadlineNanos, outcome -> {
            if (outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                probes.askAnew(call, deadlineNanos, sink);
            } else {
                sink.accept(outcome);
            }
        });
    }

    /** How many connections of a loop are open or being made; called on it. */
    int openConnections(EventLoop loop) {
        Lanes own = lanes.of(loop);
        return own.calls().open() + own.probes().open();
    }

    @Override
    public void reset(boolean failWaiting) {
        lanes.forEach(own -> {
            own.probes().abort();
            own.calls().reset(failWaiting);
        });
    }

    @Override
    public long connects() {
        return connector.made();
    }

    @Override
    public void close() {
        lanes.forEach(own -> {
            own.calls().close();
            own.probes().close();
        });
        connector.close();
    }
}
