package io.weir.upstream.ws;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.NodeTls;
import io.weir.upstream.wire.PerLoop;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node over WebSockets. Each event loop has one for calls, so that a call never changes its thread, and another for
 * probes, so that these never wait behind calls. Thread-safe; see {@link NodeClient#ask} for who may ask from where.
 */
public final class WebSocketNodeClient implements NodeClient {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBES = 8;
    private static final long PING_MILLIS = 10_000;

    /** What one event loop has. */
    private record Lanes(LoopSocket calls, LoopSocket probes) {}

    private final NodeConnector connector;
    private final PerLoop<Lanes> lanes;

    /**
     * Makes a client; sockets are made when they are needed.
     *
     * @param config with a {@code ws} or {@code wss} URL as its address
     * @param loops the event loops to ask from
     * @param channelType the kind of sockets that fits these loops
     * @param bytes counts answers while they are collected; those to probes are not counted, and bounded by themselves
     * @throws IllegalArgumentException when the URL or a header cannot be used; the message shows neither
     */
    public WebSocketNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            UnsolicitedMessages unasked,
            Budget bytes) {
        this(
                config,
                loops,
                channelType,
                unasked,
                bytes,
                new Setting(
                        null,
                        PING_MILLIS,
                        System::nanoTime,
                        bound -> ThreadLocalRandom.current().nextInt(bound)));
    }

    WebSocketNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            UnsolicitedMessages unasked,
            Budget bytes,
            Setting setting) {
        NodeAddress address = NodeAddress.ofWebSocket(config.address());
        Handshake handshake = new Handshake(address, config.headers());
        connector = new NodeConnector(
                address, NodeTls.of(address, setting.trust()), channelType, config.connectTimeoutMillis());
        LoopSocket.Shared shared = new LoopSocket.Shared(
                connector, handshake, new ReconnectPause(setting.clock(), setting.random()), unasked);
        SocketLimits probes = new SocketLimits(
                MAX_PROBES,
                MAX_PROBES,
                config.idleMillis(),
                setting.pingMillis(),
                Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES),
                Budget.unbounded());
        lanes = new PerLoop<>(loops, config.maxConnections(), (loop, share) -> {
            SocketLimits calls = new SocketLimits(
                    share,
                    config.maxQueue(),
                    config.idleMillis(),
                    setting.pingMillis(),
                    // What never fits is refused as too large, so that nobody asks for it again.
                    (int) Math.min(config.maxResponseBytes(), bytes.most()),
                    bytes);
            return new Lanes(
                    new LoopSocket(loop, shared, calls, true),
                    // Whoever probes keeps pauses of its own, and must find out at once that a node is back.
                    new LoopSocket(loop, shared, probes, false));
        });
    }

    /**
     * What a client works in.
     *
     * @param trust whom to trust; null for whom the system does
     * @param pingMillis see {@link SocketLimits}
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param random gives a number from 0 up to, but without, its argument; thread-safe
     */
    record Setting(@Nullable SslContext trust, long pingMillis, LongSupplier clock, IntUnaryOperator random) {}

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes.of(loop).calls().ask(call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        lanes.of(loop).probes().ask(call, deadlineNanos, sink);
    }

    /** How many sockets of a loop are open or being made; called on it. */
    int openSockets(EventLoop loop) {
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
