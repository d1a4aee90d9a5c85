package io.weir.plugin;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.KeyAccount;
import io.weir.access.KeyBounds;
import io.weir.access.TestCaller;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.InvalidConfigException;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A host over a temporary folder of plugins, and calls of what they serve. */
public final class HostFixture implements AutoCloseable {

    public static final NetworkId NETWORK = new NetworkId("testnet");

    public final Path folder;
    public final Path data;
    public final MetricRegistry registry = new MetricRegistry();
    public final EventLoop loop = new DefaultEventLoop();
    private final List<Runnable> whenClientLeaves = new ArrayList<>();
    public String settings = "";
    public int threads = 4;
    public long maxCallMillis = 2_000;
    public Duration stepLimit = Duration.ofSeconds(20);

    public HostFixture(Path temporary) {
        try {
            folder = Files.createDirectories(temporary.resolve("plugins"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        data = temporary.resolve("data");
    }

    /** Loads, provisions and validates what is in the folder. */
    public PluginHost open() throws PluginException {
        return PluginHost.open(setup());
    }

    public PluginHost.Setup setup() {
        try {
            Path file = Files.writeString(folder.resolveSibling("weir.conf"), settings);
            HoconDocument document = HoconDocument.read(
                    file, Map.of(), com.typesafe.config.ConfigFactory.empty().root());
            Map<String, com.typesafe.config.Config> blocks = new HashMap<>();
            com.typesafe.config.Config root = document.root().toConfig();
            if (root.hasPath("plugins")) {
                root.getObject("plugins").keySet().forEach(id -> blocks.put(id, root.getConfig("plugins." + id)));
            }
            PluginsConfig config = new PluginsConfig(List.of(folder), data, blocks);
            PluginHost.Bounds bounds = new PluginHost.Bounds(stepLimit, threads, maxCallMillis);
            return new PluginHost.Setup(
                    config, document.sources(), new Meters(registry), 1_000, bounds, ConfiguredNames.NONE);
        } catch (IOException | InvalidConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens what must not open, and gives the problems. */
    public List<String> problems() {
        try {
            open().close();
        } catch (PluginException e) {
            return e.problems();
        }
        throw new AssertionError("the plugins were loaded");
    }

    /** Calls a method of the ethereum networks. */
    public CompletableFuture<RpcReply> call(PluginHost host, String method, String params) {
        return call(host.catalogue().stages("ethereum").get(method), method, params, 30_000);
    }

    /** Calls a stage; the reply comes on the loop. */
    public CompletableFuture<RpcReply> call(Stage stage, String method, String params, long millis) {
        CompletableFuture<RpcReply> reply = new CompletableFuture<>();
        RpcCall call = new RpcCall(RawJson.of("1"), method, params.isEmpty() ? null : RawJson.of(params));
        loop.execute(() -> {
            long now = System.nanoTime();
            long deadline = now + TimeUnit.MILLISECONDS.toNanos(millis);
            CallContext context =
                    new CallContext(call, caller(true), NETWORK, loop, now, deadline, whenClientLeaves::add);
            stage.handle(context, answer -> {
                if (!loop.inEventLoop() || !reply.complete(answer)) {
                    throw new AssertionError("a second answer, or one on another thread: " + answer);
                }
            });
        });
        return reply;
    }

    /** Lets the client of all calls leave. */
    public void clientLeaves() {
        loop.execute(() -> whenClientLeaves.forEach(Runnable::run));
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Returns a caller that may call all methods or none. */
    public static Caller caller(boolean mayCallAll) {
        Caller.Rights rights =
                new Caller.Rights(Set.of(NETWORK.name()), mayCallAll ? TestCaller.every() : Set.of(), false, false);
        return new Caller("tester", rights, null, KeyBounds.NONE, KeyAccount.NONE);
    }
}
