package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Budget;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.BatchWindow.Batching;
import io.weir.upstream.link.CallsInFlight.Unsolicited;
import io.weir.upstream.link.HttpConnectionHandler.HttpCodec;
import io.weir.upstream.link.NodeConnectionHandler.Codec;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import io.weir.upstream.link.WebSocketConnectionHandler.WebSocketCodec;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Client for a node over HTTP/1.1 or over WebSockets. Each event loop has its own connections, so a call never changes its thread. Probes
 * have separate ones, so they never wait behind calls, and each subscription has one. Thread-safe; {@link NodeClient#ask} says on which loop
 * to call.
 */
public final class SocketNodeClient implements NodeClient {

    private static final int MAX_PROBE_BYTES = 1 << 21;
    private static final int MAX_PROBES = 8;

    /** Without multiplexing: one connection, and a second one while the first is closing. */
    private static final int PROBE_CONNECTIONS = 2;

    /** Results in larger answers go on while they arrive: smaller ones cost less whole, and their size can be declared. */
    private static final int STREAM_FROM = 256 << 10;

    private static final long PING_MILLIS = 10_000;

    /** Calls of one loop that may wait for a connection to a node: more of them would not be answered in time. */
    static final int MAX_QUEUE = 1_024;

    /**
     * Connections of one event loop. Confined to it.
     *
     * @param window null without batches
     */
    private record Links(Link calls, Link probes, @Nullable BatchWindow window) {

        void reset(boolean failWaiting) {
            if (failWaiting && window != null) {
                window.failUnsent();
            }
            calls.reset(failWaiting);
        }
    }

    /**
     * Parts that the clients of all nodes share. Thread-safe.
     *
     * @param loops the event loops of the callers
     * @param channelType the socket type that fits these loops
     * @param bytes counts answers while they are collected; answers to probes have a separate bound
     * @param streams bounds the results that go on while they arrive
     */
    public record Resources(
            EventLoopGroup loops, Class<? extends SocketChannel> channelType, Budget bytes, StreamLimit streams) {}

    /**
     * TLS and times of a client. Immutable.
     *
     * @param tls secures the connections; null for a URL without TLS
     * @param connectMillis longest time until a connection can be used
     * @param idleMillis see {@link LinkLimits}
     */
    record Setting(
            @Nullable Supplier<SslContext> tls,
            long connectMillis,
            long idleMillis,
            long pingMillis,
            long renewMillis) {

        static Setting of(@Nullable Supplier<SslContext> tls) {
            return new Setting(
                    tls,
                    NodeConnector.TIMEOUT_MILLIS,
                    NodeConnector.IDLE_MILLIS,
                    PING_MILLIS,
                    NodeConnector.RENEW_MILLIS);
        }
    }

    private final NodeConnector connector;
    private final Codec codec;
    private final LinkLimits probes;
    private final Map<EventLoop, Links> links = new HashMap<>();
    private final boolean subscribes;
    private volatile @Nullable ChainQuestion firstQuestion;

    private SocketNodeClient(
            UpstreamConfig config,
            NodeAddress address,
            Codec codec,
            Resources resources,
            Setting setting,
            @Nullable Batching batching) {
        this.codec = codec;
        connector = new NodeConnector(
                address, setting.tls(), resources.channelType(), setting.connectMillis(), HostResolvers.ofSystem());
        subscribes = config.subscribe() && codec.isMultiplexed();
        probes = new LinkLimits(
                codec.isMultiplexed() ? 1 : PROBE_CONNECTIONS,
                codec.isMultiplexed() ? MAX_PROBES : 1,
                MAX_PROBES,
                setting.idleMillis(),
                setting.pingMillis(),
                setting.renewMillis(),
                Math.min(config.maxResponseBytes(), MAX_PROBE_BYTES),
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                Budget.unbounded(),
                resources.streams());
        List<EventLoop> loops = new ArrayList<>();
        resources.loops().forEach(loop -> loops.add((EventLoop) loop));
        for (EventLoop loop : loops) {
            // The first loops get the remainder.
            int share = (config.maxConnections() + loops.size() - 1 - links.size()) / loops.size();
            links.put(loop, links(loop, Math.max(1, share), config, resources, setting, batching));
        }
    }

    private Links links(
            EventLoop loop,
            int share,
            UpstreamConfig config,
            Resources resources,
            Setting setting,
            @Nullable Batching batching) {
        LinkLimits calls = new LinkLimits(
                codec.isMultiplexed() ? 1 : share,
                codec.isMultiplexed() ? share : 1,
                MAX_QUEUE,
                setting.idleMillis(),
                setting.pingMillis(),
                setting.renewMillis(),
                // An answer that never fits is refused as too large, so that the call is not repeated.
                (int) Math.min(config.maxResponseBytes(), resources.bytes().max()),
                Math.min(STREAM_FROM, config.maxResponseBytes() / 4),
                TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis()),
                resources.bytes(),
                resources.streams());
        Link ofCalls = new Link(loop, connector, codec, calls, true, () -> firstQuestion);
        return new Links(
                ofCalls,
                // The prober has its own pauses, and must learn at once that a node is back.
                new Link(loop, connector, codec, probes, false, () -> null),
                batching == null ? null : new BatchWindow(loop, ofCalls, batching));
    }

    /**
     * Creates a client over HTTP. Connections are made on demand.
     *
     * @param config with an {@code http} or {@code https} URL
     * @param tls secures {@code https}; null for {@code http}
     * @param batching sends calls together if they arrive faster than the node answers, but probes and repeated calls at once; null for
     *     no batches
     * @throws IllegalArgumentException if the URL or a header is unusable; the message shows neither
     */
    public static SocketNodeClient ofHttp(
            UpstreamConfig config,
            Resources resources,
            @Nullable Supplier<SslContext> tls,
            @Nullable Batching batching) {
        return ofHttp(config, resources, Setting.of(tls), batching);
    }

    static SocketNodeClient ofHttp(
            UpstreamConfig config, Resources resources, Setting setting, @Nullable Batching batching) {
        NodeAddress address = NodeAddress.ofHttp(config.address());
        Codec codec = HttpCodec.of(address, config.headers(), config.gzip());
        return new SocketNodeClient(config, address, codec, resources, setting, batching);
    }

    /**
     * Creates a client over WebSockets likewise.
     *
     * @param config with a {@code ws} or {@code wss} URL
     * @param meters count the messages that answer no call
     */
    public static SocketNodeClient ofWebSocket(
            UpstreamConfig config,
            Resources resources,
            Meters meters,
            String network,
            @Nullable Supplier<SslContext> tls) {
        ReconnectPause pause = new ReconnectPause(
                System::nanoTime, bound -> ThreadLocalRandom.current().nextInt(bound));
        return ofWebSocket(
                config, resources, Unsolicited.counters(meters, network, config.id()), pause, Setting.of(tls));
    }

    static SocketNodeClient ofWebSocket(
            UpstreamConfig config,
            Resources resources,
            EnumCounters<Unsolicited> unsolicited,
            ReconnectPause pause,
            Setting setting) {
        URI url = config.wsUrl();
        NodeAddress address = NodeAddress.ofWebSocket(url == null ? config.address() : url);
        Codec codec = new WebSocketCodec(new Handshake(address, config.headers()), pause, unsolicited);
        return new SocketNodeClient(config, address, codec, resources, setting, null);
    }

    /**
     * Sets the question that comes first on a new connection for calls after one was lost: another node may have come behind the
     * address. Thread-safe.
     */
    public SocketNodeClient asksFirst(ChainQuestion question) {
        firstQuestion = question;
        return this;
    }

    private Links of(EventLoop loop) {
        Links own = loop.inEventLoop() ? links.get(loop) : null;
        if (own == null) {
            throw new IllegalStateException("loop: " + loop + " (expected: one of the client's, and called on it)");
        }
        return own;
    }

    /** Runs an action for the connections of each loop, on it, at once or soon. */
    private void forEach(Consumer<Links> action) {
        links.forEach((loop, own) -> {
            if (loop.inEventLoop()) {
                action.accept(own);
            } else if (!loop.isShutdown()) {
                loop.execute(() -> action.accept(own));
            }
        });
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        Links own = of(loop);
        BatchWindow window = own.window();
        attempt.setCall(call);
        if (window == null) {
            own.calls().send(attempt, false, deadlineNanos);
        } else {
            window.send(attempt, deadlineNanos);
        }
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        attempt.setCall(call);
        of(loop).calls().sendAnew(attempt, deadlineNanos);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        Link own = of(loop).probes();
        own.ask(call, deadlineNanos, outcome -> {
            if (outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                attempt.setCall(call);
                own.sendAnew(attempt, deadlineNanos);
            } else {
                attempt.end(outcome);
            }
        });
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return subscribes ? new Link(loop, connector, codec, probes, true, () -> null).subscribe(listener) : null;
    }

    /** Returns how many connections of a loop are open or connecting, without those of subscriptions; called on that loop. */
    int openConnections(EventLoop loop) {
        Links own = of(loop);
        return own.calls().open() + own.probes().open();
    }

    @Override
    public void reset(boolean failWaiting) {
        forEach(own -> {
            own.probes().abort();
            own.reset(failWaiting);
        });
    }

    @Override
    public void leave(EventLoop loop, Runnable lost) {
        forEach(own -> own.reset(true));
        of(loop).probes().whenLost(lost);
    }

    @Override
    public long connects() {
        return connector.made();
    }

    @Override
    public void close() {
        forEach(own -> {
            if (own.window() != null) {
                own.window().close();
            }
            own.calls().close();
            own.probes().close();
        });
        connector.close();
    }
}
