package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.MetricRegistry;
import com.typesafe.config.ConfigFactory;
import io.netty.channel.DefaultEventLoop;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.hocon.HoconDocument;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads what the build of this checkout left in {@code plugins/}, as a start from the checkout does. */
class BuiltPluginIT {

    @TempDir
    Path temporary;

    @Test
    void theDevnetIsFoundAndAnswers() throws Exception {
        assumeThat(Path.of("../plugins/devnet/target/plugin"))
                .as("the devnet's build output: mvn package makes it")
                .exists();
        Path file = Files.writeString(temporary.resolve("weir.conf"), "");
        HoconDocument document =
                HoconDocument.read(file, Map.of(), ConfigFactory.empty().root());
        PluginsConfig config = new PluginsConfig(List.of(Path.of("../plugins")), temporary.resolve("data"), Map.of());
        Meters meters = new Meters(new MetricRegistry());
        DefaultEventLoop loop = new DefaultEventLoop();
        try (PluginHost host = PluginHost.open(new PluginHost.Setup(config, document.sources(), meters, 1_000));
                NodeClient node = host.catalogue().openNode("devnet", "default")) {
            host.start(new FakeInternalCalls(call -> RpcReply.unavailable("none")));
            assertThat(host.summaries())
                    .filteredOn(plugin -> plugin.id().equals("devnet"))
                    .singleElement()
                    .satisfies(plugin -> assertThat(plugin.schemes()).containsExactly("devnet"));
            CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
            RpcCall call = new RpcCall(RawJson.of("1"), "eth_chainId", null);
            loop.execute(
                    () -> node.ask(loop, call, System.nanoTime() + SECONDS.toNanos(60), Attempt.of(outcome::complete)));
            assertThat(outcome.get(20, SECONDS))
                    .hasToString(
                            "Answered[reply=Result[value=\"0x539\"], status=200, verdict=null, retryAfterSeconds=0]");
        } finally {
            loop.shutdownGracefully(0, 1, SECONDS);
        }
    }
}
