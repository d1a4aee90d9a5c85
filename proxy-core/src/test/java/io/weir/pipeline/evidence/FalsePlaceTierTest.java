package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.TestCaller;
import io.weir.cache.tier.DiskTier;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.metrics.Meters;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.verify.ChainVectors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A false place of a transaction that is in the proxy's own files, from a time when nothing was verified. */
class FalsePlaceTierTest {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final JsonNode transaction =
            chain.at(40).block().get("transactions").get(0);
    private final String params = "[" + transaction.get("hash") + "]";

    @TempDir
    private Path folder;

    private ServingFixture open(Verify verify) throws IOException {
        DiskTier disk = DiskTier.open(folder, 1 << 20);
        Tier tier = new Tier(
                disk,
                new EntryCodec(1 << 16, 1 << 20),
                new Tier.Bounds(WAIT_NANOS, 10, 100, 1 << 20),
                new Meters(new MetricRegistry()));
        ServingFixture weir =
                new ServingFixture(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, 1, new TierStack(List.of(tier)));
        await().until(() -> disk.state().equals("up"));
        return weir;
    }

    private Answer ask(ServingFixture weir) {
        return weir.ask("eth_getTransactionByHash", params, 10_000, TestCaller.CLIENT);
    }

    private ObjectNode storeALie() throws IOException {
        ObjectNode lie = ((ObjectNode) transaction).deepCopy();
        lie.put("blockHash", chain.at(41).hash())
                .put("blockNumber", chain.at(41).number());
        try (ServingFixture weir = open(Verify.OFF)) {
            ServingFixture.serve(
                    weir.pool.a,
                    chain,
                    call -> call.method().equals("eth_getTransactionByHash") ? HandNode.result(lie.toString()) : null);
            await().until(() -> {
                weir.forget();
                ask(weir);
                return weir.memory.tiers().status().get(0).entries() > 0;
            });
        }
        return lie;
    }

    @Test
    void aFalsePlaceInTheFilesIsBelievedOnlyWhereNothingIsVerified() throws IOException {
        ObjectNode lie = storeALie();
        try (ServingFixture weir = open(Verify.OFF)) {
            ServingFixture.serve(weir.pool.a, chain);
            assertThat(ask(weir).json()).isEqualTo(lie);
        }
        for (Verify verify : List.of(Verify.BEFORE_CACHING, Verify.BEFORE_SERVING)) {
            try (ServingFixture weir = open(verify)) {
                ServingFixture.serve(weir.pool.a, chain);
                assertThat(ask(weir).json()).as(verify.name()).isEqualTo(transaction);
            }
        }
    }
}
