package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.NetworkTier.Wanted;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.ResultKind;
import io.weir.metrics.Meters;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which results go to tiers, and what a purge does to them. */
class NetworkTiersTest {

    private TierBench bench = new TierBench(false);

    @AfterEach
    void close() {
        bench.close();
    }

    private TierBench over(TierBench other) {
        bench.close();
        bench = other;
        return other;
    }

    private void keep(String method, long number) {
        bench.tiers.seen(bench.channel.eventLoop());
        CachedResult result = new CachedResult(
                RawJson.of("\"0x1\""), ResultKind.VALUE, "", new BlockRef(number, null, CachedResult.ANY_STAMP), true);
        long purges = bench.memory.store().purges();
        bench.memory
                .store()
                .put(new CallKey(TierBench.NETWORK, method, RawJson.of("[" + number + "]")), result, purges);
        bench.channel.runPendingTasks();
    }

    private void assertOffered(String tier, long times) {
        if (times == 0) {
            // Whatever is offered opens a name space first, and that leaves a record at once.
            assertThat((tier.equals("near") ? bench.near : bench.far).records)
                    .as(tier)
                    .isEmpty();
            return;
        }
        await().until(() -> bench.count("stores", tier, "stored") + bench.count("stores", tier, "dropped") >= times);
        assertThat(bench.count("stores", tier, "stored")).as(tier).isEqualTo(times);
    }

    @Test
    void aFinalResultThatMemoryKeepsGoesToEveryTier() {
        keep("eth_getBalance", 50);

        assertOffered("near", 1);
        assertOffered("far", 1);
    }

    @Test
    void aNetworkThatDoesNotVerifySharesNothing() {
        over(new TierBench(false, true, 1 << 24));
        keep("eth_getBalance", 50);
        keep("eth_getBlockByHash", 50);

        assertOffered("near", 2);
        assertOffered("far", 0);
        assertThat(bench.tiers.size()).isEqualTo(1);
    }

    @Test
    void aNetworkWhoseBlocksNoRuleProvesSharesNothing() {
        NetworkTiers zksync = NetworkTiers.of(
                NetworkSettings.of("other", "family = zksync"),
                over(new TierBench(true)).memory,
                bench.chain,
                bench.blocks,
                bench.marks,
                () -> bench.now);

        assertThat(zksync.size()).isEqualTo(1);
        assertThat(zksync.get(0).shared()).isFalse();
    }

    @Test
    void aMethodWhoseAnswersAreNeverKeptIsNotOffered() {
        keep("eth_estimateGas", 50);

        assertThat(bench.count("stores", "near", "")).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "eth_getBlockByHash, 1, 1",
        "eth_getHeaderByNumber, 1, 1",
        "eth_getTransactionByHash, 0, 0",
        "eth_getUncleByBlockHashAndIndex, 0, 0",
        "eth_getBalance, 1, 0",
        "eth_getBlockReceipts, 1, 1",
        "eth_getTransactionReceipt, 0, 0",
        "eth_getLogs, 0, 0",
        "eth_getBlockTransactionCountByHash, 0, 0"
    })
    void whereANetworkVerifiesTiersGetWhatCanBeProvenWhenItComesBack(String method, long near, long far) {
        over(new TierBench(true));
        keep(method, 50);

        assertOffered("near", near);
        assertOffered("far", far);
    }

    @Test
    void aTierThatIsDownGetsNothing() {
        bench.near.up = false;
        keep("eth_getBalance", 50);

        assertOffered("far", 1);
        assertThat(bench.count("stores", "near", "")).isZero();
    }

    @Test
    void networksShareTheResultsInATierIfTheirChainIsTheSame() {
        bench.store(0, "eth_getBalance", "[1]", "\"0x1\"");

        assertThat(isFoundBy("chain-id = 1")).isTrue();
        assertThat(isFoundBy("chain-id = 2")).isFalse();
        assertThat(isFoundBy("kind = other")).as("chain 1 of another kind").isFalse();
    }

    /** Returns whether another network, which has this setting, finds the result that this one stored. */
    private boolean isFoundBy(String setting) {
        NetworkTiers others = NetworkTiers.of(
                NetworkSettings.of("other", setting, "verify = off"),
                bench.memory,
                bench.chain,
                bench.blocks,
                bench.marks,
                () -> bench.now);
        others.seen(bench.channel.eventLoop());
        List<Boolean> found = new ArrayList<>();
        Wanted wanted = new Wanted("eth_getBalance", RawJson.of("[1]"), 1);
        others.get(0).find(wanted, TierBench.FINAL, parcel -> found.add(parcel != null));
        bench.channel.runPendingTasks();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void aPurgeEndsOnceEveryTierHasHeardOfIt() {
        keep("eth_getBalance", 50);
        assertOffered("near", 1);
        List<Boolean> done = new ArrayList<>();
        bench.tiers.renew(done::add);
        bench.channel.runPendingTasks();

        assertThat(done).containsExactly(true);
    }

    @Test
    void aPurgeThatATierDidNotHearOfIsToldToBeIncomplete() {
        keep("eth_getBalance", 50);
        assertOffered("far", 1);
        bench.far.failing = true;
        List<Boolean> done = new ArrayList<>();
        bench.tiers.renew(done::add);
        bench.channel.runPendingTasks();

        assertThat(done).containsExactly(false);
    }

    @Test
    void whereThereAreNoTiersNothingStandsBeforeTheNodes() {
        ResultMemory memory =
                ResultMemory.of(new CacheConfig(1 << 20), new Budget(1 << 20), new Meters(new MetricRegistry()));
        NetworkTiers none = NetworkTiers.of(
                TierBench.config(false), memory, bench.chain, bench.blocks, bench.marks, () -> bench.now);
        Stage next = (context, sink) -> {};
        List<Boolean> done = new ArrayList<>();
        none.renew(done::add);

        assertThat(none.before(CacheClass.BLOCK, null, null, next)).isSameAs(next);
        assertThat(none.size()).isZero();
        assertThat(done).containsExactly(true);
        memory.close();
    }
}
