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
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A block and its receipts in the proxy's own files answer calls for their parts after a restart, however a call names the block. */
class BlockFromTierTest {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final VectorChain.Entry entry = chain.first(one ->
            one.block().get("transactions").size() > 1 && one.uncles().isEmpty() && Integer.decode(one.number()) < 50);
    private final JsonNode transaction = entry.block().get("transactions").get(1);

    @TempDir
    private Path folder;

    private ServingFixture open(Verify verify) throws IOException {
        DiskTier disk = DiskTier.open(folder, 1 << 22);
        Tier tier = new Tier(
                disk,
                new EntryCodec(1 << 16, 1 << 20),
                new Tier.Bounds(WAIT_NANOS, 10, 1_000, 1 << 20),
                new Meters(new MetricRegistry()));
        ServingFixture weir =
                new ServingFixture(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, 1, new TierStack(List.of(tier)));
        await().until(() -> disk.state().equals("up"));
        return weir;
    }

    private static long entries(ServingFixture weir) {
        return weir.memory.tiers().status().get(0).entries();
    }

    private Answer ask(ServingFixture weir, String method, String params) {
        Answer answer = weir.ask(method, params, 10_000, TestCaller.CLIENT);
        weir.settle();
        return answer;
    }

    /** Has the files store the block and its receipts, and nothing else about the block. */
    private void store(Verify verify, NodeOutcome receipts) throws IOException {
        try (ServingFixture weir = open(verify)) {
            ServingFixture.serve(
                    weir.pool.a, chain, call -> call.method().equals("eth_getBlockReceipts") ? receipts : null);
            ask(weir, "eth_getBlockByHash", "[\"" + entry.hash() + "\",true]");
            ask(weir, "eth_getBlockByNumber", "[\"" + entry.number() + "\",true]");
            ask(weir, "eth_getBlockReceipts", "[\"" + entry.number() + "\"]");
            // The block, its receipts, its height, and where each transaction is.
            long all = 3 + entry.block().get("transactions").size();
            await().untilAsserted(() -> assertThat(entries(weir)).isEqualTo(all));
        }
    }

    private Stream<List<String>> calls() {
        String number = "\"" + entry.number() + "\"";
        String hash = "[" + transaction.get("hash") + "]";
        return Stream.of(
                List.of("eth_getBlockByNumber", "[" + number + ",true]"),
                List.of("eth_getBlockByNumber", "[" + number + ",false]"),
                List.of("eth_getBlockByHash", "[\"" + entry.hash() + "\",false]"),
                List.of("eth_getBlockReceipts", "[" + number + "]"),
                List.of("eth_getBlockReceipts", "[\"" + entry.hash() + "\"]"),
                List.of("eth_getTransactionByHash", hash),
                List.of("eth_getTransactionReceipt", hash),
                List.of("eth_getTransactionByBlockNumberAndIndex", "[" + number + ",\"0x1\"]"),
                List.of("eth_getBlockTransactionCountByNumber", "[" + number + "]"),
                List.of("eth_getLogs", "[{\"blockHash\":\"" + entry.hash() + "\"}]"));
    }

    @ParameterizedTest
    @EnumSource(Verify.class)
    void aRestartedProxyAnswersEachCallAboutTheBlockWithoutANode(Verify verify) throws IOException {
        store(verify, null);
        for (List<String> call : calls().toList()) {
            try (ServingFixture weir = open(verify)) {
                ServingFixture.serve(weir.pool.a, chain);
                Answer answer = ask(weir, call.get(0), call.get(1));
                assertThat(answer.cache()).as("%s", call).startsWith("hit");
                assertThat(answer.upstream()).as("%s", call).isNull();
                assertThat(answer.json()).isEqualTo(chain.answer(call.get(0), VectorChain.JSON.readTree(call.get(1))));
                assertThat(answer.verified().isEmpty()).as("%s", call).isEqualTo(verify == Verify.OFF);
            }
        }
    }

    @Test
    void theProxysOwnFetchIsAnsweredByTheFilesToo() throws IOException {
        store(Verify.BEFORE_CACHING, null);
        try (ServingFixture weir = open(Verify.BEFORE_CACHING)) {
            ServingFixture.serve(weir.pool.a, chain);
            ask(weir, "eth_getTransactionByHash", "[" + transaction.get("hash") + "]");
            weir.pool.a.asked.clear();
            // A second part of the same block has its receipts fetched.
            Answer receipt = ask(weir, "eth_getTransactionReceipt", "[" + transaction.get("hash") + "]");
            assertThat(receipt.cache()).startsWith("hit");
            assertThat(weir.pool.a.asked).noneMatch(asked -> asked.text().startsWith("eth_getBlockReceipts"));
        }
    }

    @Test
    void falseReceiptsInTheFilesAreRefusedWhereReceiptsAreVerified() throws IOException {
        JsonNode lie = entry.receipts().deepCopy();
        ((ObjectNode) lie.get(1)).put("status", "0x0").put("gasUsed", "0x1");
        store(Verify.OFF, HandNode.result(lie.toString()));
        String params = "[" + transaction.get("hash") + "]";
        try (ServingFixture weir = open(Verify.OFF)) {
            ServingFixture.serve(weir.pool.a, chain);
            assertThat(ask(weir, "eth_getTransactionReceipt", params).json()).isEqualTo(lie.get(1));
        }
        for (Verify verify : List.of(Verify.BEFORE_CACHING, Verify.BEFORE_SERVING)) {
            try (ServingFixture weir = open(verify)) {
                ServingFixture.serve(weir.pool.a, chain);
                Answer answer = ask(weir, "eth_getTransactionReceipt", params);
                assertThat(answer.json()).isEqualTo(entry.receipts().get(1));
            }
        }
    }
}
