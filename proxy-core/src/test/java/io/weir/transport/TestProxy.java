package io.weir.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.access.Caller;
import io.weir.access.KeyRing;
import io.weir.access.TestCaller;
import io.weir.config.AccessConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.ServerConfig;
import io.weir.config.WeirConfig;
import io.weir.config.load.TextConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.Readiness;
import io.weir.testing.NetworkSettings;
import io.weir.tls.ServerCertificates;
import io.weir.tls.TlsFileException;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http1.ListenerLimits;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.websocket.WebSocketUpgrade;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A listener before two networks, {@code main} (the default) and {@code side} (host {@code side.test}), that answer as a
 * test says. The key {@code k/ü y} may use both, {@code half} only main.
 */
final class TestProxy implements AutoCloseable {

    static final String KEY = "k%2F%C3%BC%20y";

    final FakeRunner runner = new FakeRunner("main");
    final FakeRunner sideRunner = new FakeRunner("side");
    final Meters meters = new Meters(new com.codahale.metrics.MetricRegistry());
    final CurrentGeneration current;
    final Readiness readiness;
    final @Nullable SSLContext clientTls;
    final @Nullable ServerCertificates certificates;
    final Listener listener;
    private final ServerConfig config;
    private final EventLoopGroup loops;

    /** The bytes in flight. */
    final Budget bytes;

    TestProxy() throws IOException {
        this(new ServerBounds());
    }

    TestProxy(ServerBounds bounds) throws IOException {
        this(bounds, WebSocketUpgrade::new);
    }

    /** A listener whose WebSockets end otherwise. */
    TestProxy(ServerBounds bounds, Function<ListenerContext, HttpPipeline.Upgrade> upgrade) throws IOException {
        config = bounds.build();
        current = new CurrentGeneration(generation(false));
        readiness = new Readiness(current);
        SocketTransport transport = bounds.transport;
        loops = new MultiThreadIoEventLoopGroup(1, transport.io());
        bytes = new Budget(config.load().bytes());
        ListenerContext context = within(
                ListenerContext.of(config, readiness, NameTable.EMPTY, bytes, bounds.log, meters), bounds.limits());
        clientTls = bounds.clientTls;
        certificates = certificates(config);
        listener = Listener.bind(transport, loops, context, certificates, meters, upgrade.apply(context));
    }

    /** Returns a context with other limits of each connection. */
    static ListenerContext within(ListenerContext of, ListenerLimits limits) {
        return new ListenerContext(
                of.config(),
                limits,
                of.current(),
                of.readiness(),
                of.readers(),
                of.calls(),
                of.bytes(),
                new KeyBudgets(limits.headBytesPerAddress()),
                of.rejections(),
                of.webSockets(),
                of.clients(),
                of.log(),
                of.clock());
    }

    private static @Nullable ServerCertificates certificates(ServerConfig config) {
        try {
            return config.tls().enabled()
                    ? new ServerCertificates("server.tls", config.tls(), Set.of(), true, Clock.systemUTC())
                    : null;
        } catch (TlsFileException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another generation, in which requests without a key are served, or none of the keys is known. */
    Generation generation(boolean anonymous) {
        return generation(config, anonymous, runner, sideRunner);
    }

    /** Another generation, with other settings of the listener. */
    Generation generation(ServerConfig other) {
        return generation(other, false, runner, sideRunner);
    }

    /** Another generation, with other keys and the same networks. */
    Generation generation(KeyRing keys) {
        return new Generation(current.get().config(), keys, current.get().networks());
    }

    /** Another generation, without one of the networks. */
    Generation without(String network) {
        Map<String, Network> networks = new HashMap<>(current.get().networks());
        networks.remove(network);
        return new Generation(current.get().config(), current.get().keys(), networks);
    }

    /** The networks and keys of these tests, for whatever stands before them. */
    static Generation generation(ServerConfig config, boolean anonymous, FakeRunner runner, FakeRunner sideRunner) {
        return generation(config, new Keys(anonymous), anonymous, runner, sideRunner);
    }

    private static Generation generation(
            ServerConfig config, KeyRing keys, boolean anonymous, FakeRunner runner, FakeRunner sideRunner) {
        AccessConfig.RateConfig rate = new AccessConfig.RateConfig(0, 0, false);
        WeirConfig weir = TextConfig.with(Map.of(
                "server", config, "defaultNetwork", "main", "access", new AccessConfig(anonymous, rate, Map.of())));
        return new Generation(
                weir,
                keys,
                Map.of(
                        "main",
                        network("main", "hosts = []", runner),
                        "side",
                        network("side", "hosts = [side.test]", sideRunner)));
    }

    int port() {
        return listener.localAddress().getPort();
    }

    URI uri(String path) {
        return URI.create((clientTls == null ? "http" : "https") + "://127.0.0.1:" + port() + path);
    }

    URI webSocketUri(String path) {
        return URI.create((clientTls == null ? "ws" : "wss") + "://127.0.0.1:" + port() + path);
    }

    long refused(String reason) {
        return meters.counter(Meter.REQUESTS_REFUSED, reason).getCount();
    }

    /** Returns how many HTTP/2 connections ended because of an error. */
    long http2Errors(String code) {
        return meters.counter(Meter.HTTP2_ERRORS, code).getCount();
    }

    long gauge(Meter meter) {
        return (Long) meters.registry().getGauges().get(meter.id()).getValue();
    }

    /** Has the event loop stand still until the future completes, or for a minute. What comes meanwhile comes to it at once. */
    CompletableFuture<Void> holdLoop() {
        CompletableFuture<Void> goOn = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.MINUTES);
        loops.execute(goOn::join);
        return goOn;
    }

    @Override
    public void close() {
        listener.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static Network network(String name, String hosts, FakeRunner runner) {
        NetworkConfig config = NetworkSettings.of(name, "verify = off", hosts);
        return new Network(
                new NetworkId(name),
                config,
                null,
                new FixedPool(new FakeHead(0)),
                null,
                runner,
                null,
                Budget.unbounded());
    }

    /** No call of these tests takes from a rate: their runners answer before. */
    private static Caller caller(String name, Set<String> networks) {
        return TestCaller.of(name, networks, null);
    }

    /** The keys of these tests. */
    private record Keys(boolean withoutKey) implements KeyRing {
        @Override
        public Caller find(String key) {
            return switch (key) {
                case "k/ü y" -> withoutKey ? null : caller("full", Set.of("main", "side"));
                case "half" -> withoutKey ? null : caller("half", Set.of("main"));
                default -> null;
            };
        }

        @Override
        public Caller anonymous(@Nullable InetAddress client) {
            return withoutKey ? caller("anonymous", Set.of("main", "side")) : null;
        }
    }
}
