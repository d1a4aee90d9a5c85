package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.TestCaller;
import io.weir.cache.tier.DiskTier;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.metrics.Meters;
import io.weir.pipeline.HandNode;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.verify.ChainVectors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State in the proxy's own files, which nothing proves, after its node was caught. */
class RevokedTierTest {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private boolean lying;

    @TempDir
    private Path folder;

    private ServingFixture open() throws IOException {
        DiskTier disk = DiskTier.open(folder, 1 << 20);
        Tier tier = new Tier(
                disk,
                new EntryCodec(1 << 16, 1 << 20),
                new Tier.Bounds(WAIT_NANOS, 10, 100, 1 << 20),
                new Meters(new MetricRegistry()));
        ServingFixture weir = new ServingFixture(3, "100 %", new TierStack(List.of(tier)));
        weir.pool.nodes.add(new HandNode("c"));
        weir.pool.nodes.forEach(node -> serve((HandNode) node));
        await().until(() -> disk.state().equals("up"));
        return weir;
    }

    private void serve(HandNode node) {
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals("eth_getBalance")
                        ? HandNode.result(lying && node.id().equals("a") ? "\"0x6\"" : "\"0x5\"")
                        : null);
    }

    private static String ask(ServingFixture weir, int account) {
        String cache = weir.ask(
                        "eth_getBalance", "[\"0x%040x\",\"0x28\"]".formatted(account), 10_000, TestCaller.CLIENT)
                .cache();
        weir.settle();
        return cache;
    }

    /** Asks until the files answer. */
    private static void awaitInFiles(ServingFixture weir, int account) {
        await().until(() -> {
            weir.forget();
            return ask(weir, account).equals("hit");
        });
    }

    @Test
    void unprovenResultsEndAndProvenOnesStayAlsoAfterARestart() throws IOException {
        try (ServingFixture weir = open()) {
            awaitInFiles(weir, 1);
            awaitInFiles(weir, 2);
            weir.pool.a.health = Health.DOWN;
            awaitInFiles(weir, 3);
            awaitBlockInFiles(weir);
            weir.pool.a.health = Health.HEALTHY;
            lying = true;
            ask(weir, 4);
            lying = false;
            assertThat(weir.pool.counter("cache_revocations", "")).isEqualTo(1);

            weir.forget();
            assertThat(ask(weir, 1)).as("of the liar").isEqualTo("fwd=uri-miss");
            assertThat(ask(weir, 3)).as("of another node").isEqualTo("fwd=uri-miss");
            assertThat(askForBlock(weir)).startsWith("hit");
            // For a while the files take no results of the liar.
            weir.pool.a.health = Health.DOWN;
            awaitInFiles(weir, 1);
        }
        try (ServingFixture weir = open()) {
            await().until(() -> askForBlock(weir).startsWith("hit"));
            assertThat(ask(weir, 1)).as("stored after the lie").isEqualTo("hit");
            assertThat(ask(weir, 2)).as("stored before the lie").isEqualTo("fwd=uri-miss");
        }
    }

    private String askForBlock(ServingFixture weir) {
        String params = "[\"" + chain.at(40).hash() + "\",true]";
        String cache = weir.ask("eth_getBlockByHash", params, 10_000, TestCaller.CLIENT)
                .cache();
        weir.settle();
        return cache;
    }

    private void awaitBlockInFiles(ServingFixture weir) {
        await().until(() -> {
            weir.forget();
            return askForBlock(weir).startsWith("hit");
        });
    }
}
