package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeSubscription;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.PerLoop;
import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Client for a node over WebSockets. Each event loop has one socket for calls, so a call never changes its thread. Probes
 * have another one, so they never wait behind calls. A subscription has its own. Thread-safe; {@link NodeClient#ask} says on which loop to call.
 */
public final class WebSocketNodeClient implements NodeClient {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBES = 8;
    private static final long PING_MILLIS = 10_000;

    /** Sockets of one event loop. Confined to it. */
    private record Sockets(LoopSocket calls, LoopSocket probes) {}

    private final NodeConnector connector;
    private final PerLoop<Sockets> sockets;
    private final LoopSocket.Shared shared;
    private final SocketLimits probes;
    private final boolean subscribes;

    /**
     * Creates a client. Sockets are made on demand.
     *
     * @param config with a {@code ws} or {@code wss} URL
     * @param loops the event loops of the callers
     * @param channelType the socket type that fits these loops
     * @param bytes counts answers while they are collected; answers to probes have a separate bound
     * @param tls secures {@code wss}; null for {@code ws}
     * @throws IllegalArgumentException if the URL or a header is unusable; the message shows neither
     */
    public WebSocketNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            UnsolicitedMessages unsolicited,
            Budget bytes,
            @Nullable Supplier<SslContext> tls) {
        this(
                config,
                loops,
                channelType,
                unsolicited,
                bytes,
                new Setting(
                        tls,
                        NodeConnector.TIMEOUT_MILLIS,
                        NodeConnector.IDLE_MILLIS,
                        PING_MILLIS,
                        NodeConnector.RENEW_MILLIS,
                        System::nanoTime,
                        bound -> ThreadLocalRandom.current().nextInt(bound)));
    }

    WebSocketNodeClient(
            UpstreamConfig config,
            EventLoopGroup loops,
            Class<? extends SocketChannel> channelType,
            UnsolicitedMessages unsolicited,
            Budget bytes,
            Setting setting) {
        URI url = config.wsUrl();
        NodeAddress address = NodeAddress.ofWebSocket(url == null ? config.address() : url);
        Handshake handshake = new Handshake(address, config.headers());
        connector = new NodeConnector(address, setting.tls(), channelType, setting.connectMillis());
        shared = new LoopSocket.Shared(
                connector, handshake, new ReconnectPause(setting.clock(), setting.random()), unsolicited);
        subscribes = config.subscribe();
        probes = new SocketLimits(
                MAX_PROBES,
                MAX_PROBES,
                setting.idleMillis(),
                setting.pingMillis(),
                setting.renewMillis(),
                Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES),
                Budget.unbounded());
        sockets = new PerLoop<>(loops, config.maxConnections(), (loop, share) -> {
            SocketLimits calls = new SocketLimits(
                    share,
                    PerLoop.MAX_QUEUE,
                    setting.idleMillis(),
                    setting.pingMillis(),
                    setting.renewMillis(),
                    // An answer that never fits is refused as too large, so that the call is not repeated.
                    (int) Math.min(config.maxResponseBytes(), bytes.max()),
                    bytes);
            return new Sockets(
                    new LoopSocket(loop, shared, calls, true),
                    // The prober has its own pauses, and must learn at once that a node is back.
                    new LoopSocket(loop, shared, probes, false));
        });
    }

    /**
     * TLS, times and random numbers of a client. Immutable.
     *
     * @param tls secures {@code wss}; null for {@code ws}
     * @param connectMillis longest time until a connection can be used
     * @param idleMillis see {@link SocketLimits}
     * @param pingMillis likewise
     * @param renewMillis likewise
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param random returns a number from 0 to its argument, exclusive; thread-safe
     */
    record Setting(
            @Nullable Supplier<SslContext> tls,
            long connectMillis,
            long idleMillis,
            long pingMillis,
            long renewMillis,
            LongSupplier clock,
            IntUnaryOperator random) {}

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        sockets.of(loop).calls().ask(call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        sockets.of(loop).probes().ask(call, deadlineNanos, sink);
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return subscribes ? SubscriptionSocket.of(loop, shared, probes, listener) : null;
    }

    /** Returns how many sockets of a loop are open or in the making; called on that loop. */
    int openSockets(EventLoop loop) {
        Sockets own = sockets.of(loop);
        return own.calls().open() + own.probes().open();
    }

    @Override
    public void reset(boolean failWaiting) {
        sockets.forEach(own -> {
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
        sockets.forEach(own -> {
            own.calls().close();
            own.probes().close();
        });
        connector.close();
    }

    /** Socket for one subscription. It stays open without calls, and is not made again. Confined to its event loop. */
    private static final class SubscriptionSocket implements NodeSubscription, LoopSocket.Notifications {

        private final LoopSocket socket;
        private final Listener listener;
        private boolean over;

        private SubscriptionSocket(LoopSocket socket, Listener listener) {
            this.socket = socket;
            this.listener = listener;
        }

        /** Returns an object without a socket. */
        static SubscriptionSocket of(EventLoop loop, LoopSocket.Shared shared, SocketLimits limits, Listener listener) {
            LoopSocket socket = new LoopSocket(loop, shared, limits, true);
            SubscriptionSocket subscription = new SubscriptionSocket(socket, listener);
            socket.listen(subscription);
            return subscription;
        }

        @Override
        public void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
            socket.ask(call, deadlineNanos, sink);
        }

        @Override
        public void close() {
            over = true;
            socket.close();
        }

        @Override
        public void notified(BodyCollector message) {
            if (!over) {
                listener.notified(RawJson.slice(message.bytes(), 0, message.length()));
            }
        }

        @Override
        public void gone() {
            if (!over) {
                close();
                listener.ended();
            }
        }
    }
}
