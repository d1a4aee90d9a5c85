package io.weir.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.api.EthereumKind;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.HandTier;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.config.WeirConfig;
import io.weir.config.load.ConfigLoader;
import io.weir.hocon.InvalidConfigException;
import io.weir.limit.Budget;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meters;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.testing.PrintedTable;
import io.weir.upstream.NodeClient;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the plans of all methods with the table in ARCHITECTURE.md. */
@Tag("rules")
class MethodPlansTableTest {

    private static final String CONFIG = """
        default-network = all
        defaults.network { chain-id = 1, verify = before-serving }
        networks.all { methods.allow = ["*"], upstreams.node.url = "http://127.0.0.1:1" }
        networks.usual { upstreams.node.url = "http://127.0.0.1:1" }
        networks.agreeing { upstreams.node.url = "http://127.0.0.1:1", agree.methods = ["eth_*"] }
        """;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private WeirConfig config;
    private ResultMemory memory;

    @BeforeEach
    void load(@TempDir Path folder) throws IOException, InvalidConfigException {
        config = ConfigLoader.load(Files.writeString(folder.resolve("weir.conf"), CONFIG), Map.of())
                .config();
        Meters meters = new Meters(new MetricRegistry());
        Tier tier = new Tier(
                new HandTier("hand"),
                new EntryCodec(100, 1 << 20),
                new Tier.Bounds(TimeUnit.SECONDS.toNanos(1), 8, 8, 1 << 20),
                meters);
        memory = ResultMemory.of(config.cache(), Budget.unbounded(), meters, new TierStack(List.of(tier)));
    }

    @AfterEach
    void close() {
        memory.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void theTableOfPlansIsTrue() throws IOException {
        new PrintedTable("plans").assertPrinted(table());
    }

    @Test
    void nodesAgreeOnlyWhereThatIsConfigured() {
        MethodPlans agreeing = plans("agreeing", Map.of());
        assertThat(stages(agreeing, "eth_call")).endsWith(" → Proof → Agree → Forward");
        assertThat(stages(agreeing, "eth_getLogs")).endsWith(" → LogRange → Forward");
        assertThat(stages(agreeing, "eth_sendRawTransaction")).doesNotContain("Agree");
        assertThat(stages(plans("usual", Map.of()), "eth_call")).doesNotContain("Agree");
    }

    private List<String> table() {
        Stage plugin = (context, sink) -> {};
        MethodPlans all = plans("all", Map.of("plugin_method", plugin));
        MethodPlans usual = plans("usual", Map.of());
        Map<String, TreeSet<String>> methods = new TreeMap<>();
        for (MethodFacts facts : MethodCatalogue.ethereum().all()) {
            methods.computeIfAbsent(stages(all, facts.name()), stages -> new TreeSet<>())
                    .add(facts.name());
        }
        List<String> rows = new ArrayList<>(List.of("| methods | stages |", "|---|---|"));
        methods.forEach((stages, names) ->
                rows.add(row(names.stream().map(name -> '`' + name + '`').collect(Collectors.joining(", ")), stages)));
        rows.add(row("a plugin's method", stages(all, "plugin_method")));
        rows.add(row("changes the chain by hand (`evm_mine`)", stages(all, "evm_mine")));
        rows.add(row("sends a transaction, by its name (`eth_sendBundle`)", stages(all, "eth_sendBundle")));
        rows.add(row("any other that is not in the catalogue", stages(all, "unheard_of")));
        rows.add(row("denied on the network", stages(usual, "debug_traceCall")));
        return rows;
    }

    private static String row(String methods, String stages) {
        return "| " + methods + " | " + stages + " |";
    }

    private static String stages(MethodPlans plans, String method) {
        return String.join(" → ", plans.plan(method).stages());
    }

    private MethodPlans plans(String network, Map<String, Stage> handlers) {
        return new NetworkAssembly(
                        loops,
                        new Meters(new MetricRegistry()),
                        (chain, upstream) -> unasked(),
                        kind -> handlers,
                        memory,
                        config)
                .assemble(config.networks().get(network), new EthereumKind())
                .plans();
    }

    /** Returns a node that no call reaches. */
    private static NodeClient unasked() {
        return (NodeClient) Proxy.newProxyInstance(
                NodeClient.class.getClassLoader(), new Class<?>[] {NodeClient.class}, (proxy, method, arguments) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
