package io.weir.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.codahale.metrics.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.weir.access.HashedKeyRing;
import io.weir.access.TestAccounts;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultMemory;
import io.weir.config.AccessConfig;
import io.weir.config.AdminConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.TlsConfig;
import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.config.load.TextConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.ResultKind;
import io.weir.metrics.Meters;
import io.weir.metrics.PrometheusExposition;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.Readiness;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.plugin.HostFixture;
import io.weir.plugin.PluginException;
import io.weir.plugin.PluginHost;
import io.weir.plugin.PluginSummary;
import io.weir.testing.NetworkSettings;
import io.weir.transport.ServerBounds;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection of the admin listener's own pipeline without a socket, in front of two networks and no plugins. Confined to the
 * test's thread.
 */
final class AdminBench implements AutoCloseable {

    static final String TOKEN = "demo";
    static final String TOKEN_SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";
    static final int MAX_BODY = 256;
    private static final PluginSummary WALLET = new PluginSummary(
            "wallet", "0.9", Path.of("wallet"), List.of(), List.of(), List.of(), List.of(), List.of());
    static final Instant STARTED = Instant.parse("2026-01-10T00:00:00Z");

    final HandPool first = new HandPool();
    final HandPool second = new HandPool();
    final Meters meters = first.meters();
    final ResultMemory memory = ResultMemory.of(new CacheConfig(1 << 20), new Budget(1 << 20), meters);
    final Counter closed = new Counter();
    final AdminConnections connections = new AdminConnections(4, closed);
    final EmbeddedChannel channel;
    /** The time of the status page. */
    final AtomicReference<Instant> now = new AtomicReference<>(STARTED);

    final CurrentGeneration generation;
    final Readiness readiness;
    private final PluginHost plugins;
    private final AdminConfig admin;
    final HandReload reload = new HandReload();

    AdminBench(Path folder, String tokenSha256) {
        try {
            plugins = new HostFixture(folder).open();
        } catch (PluginException e) {
            throw new IllegalStateException(e);
        }
        admin = new AdminConfig("127.0.0.1", 9545, tokenSha256, Set.of(), Set.of(), TlsConfig.OFF, Set.of());
        generation = new CurrentGeneration(generation(first, second));
        StatusReport status = new StatusReport(
                new StatusReport.Program("1.2.3", List.of(WALLET), List::of, null),
                clock(),
                generation,
                memory,
                meters,
                reload);
        readiness = new Readiness(generation);
        readiness.serve();
        AdminRoutes routes =
                new AdminRoutes(status, readiness, new PrometheusExposition(meters, "1"), plugins.catalogue(), reload);
        InetSocketAddress local = new InetSocketAddress("127.0.0.1", 9545);
        channel = new EmbeddedChannel() {
            @Override
            public SocketAddress localAddress() {
                return local;
            }

            @Override
            public SocketAddress remoteAddress() {
                return new InetSocketAddress("192.0.2.7", 40_000);
            }
        };
        connections.add(channel);
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(),
                        new HttpServerKeepAliveHandler(),
                        new AdminListener.AdminBodyHandler(MAX_BODY),
                        new AdminRequestHandler(routes, connections));
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now.get();
            }
        };
    }

    void pass(Duration time) {
        now.set(now.get().plus(time));
    }

    /** Publishes another configuration of both networks, whose nodes are new. */
    void publish(HandPool nextFirst, HandPool nextSecond, String... settings) {
        generation.publish(generation(nextFirst, nextSecond, settings));
    }

    private Generation generation(HandPool ofFirst, HandPool ofSecond, String... settings) {
        AccessConfig access = new AccessConfig(false, new AccessConfig.RateConfig(0, 0, false), Map.of());
        WeirConfig config = TextConfig.with(Map.of(
                "server", new ServerBounds().build(), "admin", admin, "defaultNetwork", "first", "access", access));
        return new Generation(
                config,
                HashedKeyRing.of(access, TestAccounts.create()),
                Map.of("first", network("first", ofFirst, settings), "second", network("second", ofSecond)));
    }

    private Network network(String name, HandPool pool, String... settings) {
        List<String> lines = new ArrayList<>(List.of("chain-id = 1337", "verify = off", NetworkSettings.upstreams(2)));
        lines.addAll(List.of(settings));
        NetworkConfig config = NetworkSettings.of(name, lines.toArray(String[]::new));
        NetworkCache cache =
                NetworkCache.of(config, Nodes.of(pool, pool.forwarding()), memory, pool.meters(), System::nanoTime);
        return new Network(new NetworkId(name), config, null, pool, null, null, cache, Budget.unbounded());
    }

    /** Keeps a result of a block. */
    void keep(String network, long number, String hash) {
        CachedResult result = new CachedResult(
                RawJson.of("1"), ResultKind.VALUE, "", new BlockRef(number, hash, CachedResult.ANY_STAMP), true);
        CallKey key = new CallKey(network, "eth_getCode", RawJson.of("[" + number + "]"));
        memory.store().put(key, result, memory.store().purges());
    }

    /** Sends a request with some more lines in its head, and gives all that came back. */
    String ask(String method, String target, String... lines) {
        String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
        return send(method + " " + target + " HTTP/1.1\r\nHost: localhost:9545\r\n" + more + "\r\n");
    }

    /** Sends bytes, and gives all that came back. */
    String send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
        return sent();
    }

    String sent() {
        channel.runPendingTasks();
        StringBuilder sent = new StringBuilder();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            sent.append(bytes.toString(ISO_8859_1));
            bytes.release();
        }
        return sent.toString();
    }

    /** Lets time pass, and gives all that came back. */
    String sentAfter(long millis) {
        channel.freezeTime();
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.unfreezeTime();
        return sent();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
        memory.close();
        plugins.close();
    }
}
