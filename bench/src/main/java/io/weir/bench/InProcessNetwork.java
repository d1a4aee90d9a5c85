package io.weir.bench;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.cache.ResultMemory;
import io.weir.config.WeirConfig;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.load.ConfigLoader;
import io.weir.jsonrpc.RequestReader;
import io.weir.jsonrpc.text.NameTable;
import io.weir.load.Budget;
import io.weir.method.MethodCatalogue;
import io.weir.method.MethodFacts;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.NetworkAssembly;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.entry.FrontDoor;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.log.AccessLog;
import io.weir.upstream.pool.EthereumKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A network as the proxy puts it together, in front of a node in this process that answers at once, and asked without a socket.
 * To be used on its event loop only.
 */
final class InProcessNetwork implements AutoCloseable {

    private static final String CONFIG = """
            default-network = bench
            networks.bench {
              chain-id = 1
              verify = off
              upstreams.node { url = "http://127.0.0.1:1" }
            }
            access.keys.demo.sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
            """;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("bench-loop", true), NioIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final RequestReader reader = new RequestReader(
            1000,
            NameTable.of(MethodCatalogue.ethereum().all().stream()
                    .map(MethodFacts::name)
                    .toList()));
    private final AnswerSink sink = answer -> given = answer;
    private final Meters meters = new Meters(new MetricRegistry());
    private final WeirConfig config;
    private final ResultMemory memory;
    private final Network network;
    private @Nullable RequestAnswer given;

    /** Begins, and waits until the node has been found to be there. */
    InProcessNetwork() throws IOException, InvalidConfigException, InterruptedException {
        Path file = Files.createTempFile("weir-bench", ".conf");
        try {
            config =
                    ConfigLoader.load(Files.writeString(file, CONFIG), Map.of()).config();
        } finally {
            Files.delete(file);
        }
        memory = ResultMemory.of(config.cache(), Budget.unbounded(), meters);
        network = new NetworkAssembly(
                        loops, meters, (chain, upstream) -> new InProcessNode(), kind -> Map.of(), memory, 10_000)
                .assemble(Objects.requireNonNull(config.networks().get("bench")), new EthereumKind());
        network.pool().start();
        CountDownLatch probed = new CountDownLatch(1);
        loop.execute(() -> network.pool().whenProbed(loop, System.nanoTime() + 5_000_000_000L, probed::countDown));
        probed.await();
    }

    /** The one event loop: calls are made on it. */
    EventLoop loop() {
        return loop;
    }

    /** Runs a body that is answered at once. */
    RequestAnswer answer(byte[] body) {
        given = null;
        network.runner().run(reader.read(body, 0, body.length), Caller.PROXY, loop, sink);
        RequestAnswer answer = given;
        if (answer == null) {
            throw new IllegalStateException("answer: none yet (expected: at once)");
        }
        return answer;
    }

    /** A connection of a client, without a socket; behind the path {@code /v3/demo}. */
    EmbeddedChannel connection() {
        Generation generation = new Generation(
                config, HashedKeyRing.of(config.access()), Map.of(network.id().name(), network));
        FrontDoor door = FrontDoor.of(
                config.server(), new CurrentGeneration(generation), reader, Budget.unbounded(), AccessLog.OFF, meters);
        EmbeddedChannel channel = new EmbeddedChannel();
        new HttpPipeline(door, (ctx, handshake, note) -> ctx.close()).install(channel.pipeline());
        return channel;
    }

    @Override
    public void close() {
        network.pool().close();
        memory.close();
        loops.shutdownGracefully();
    }
}
