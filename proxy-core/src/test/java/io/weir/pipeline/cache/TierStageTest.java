package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.access.Caller;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.watch.HandBlocks;
import io.weir.pipeline.watch.HandBlocks.Finalized;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls a tier answers, and when a node is asked instead. */
class TierStageTest {

    private static final int NEAR = 0;
    private static final int FAR = 1;
    private static final String BY_NUMBER = "eth_getBlockByNumber";
    private static final String BY_HASH = "eth_getBlockByHash";
    private static final String BALANCE = "eth_getBalance";
    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\"";

    private TierBench bench = new TierBench(false);

    @AfterEach
    void close() {
        bench.close();
    }

    private static String byNumber(long number) {
        return "[\"0x" + Long.toHexString(number) + "\",true]";
    }

    private static String byHash(String branch, long number) {
        return "[\"" + HandBlocks.hash(branch, number) + "\",true]";
    }

    private static RpcReply result(String json) {
        return new RpcReply.Result(RawJson.of(json));
    }

    private void assertFromTier(List<RpcReply> replies, String json) {
        assertThat(replies).containsExactly(result(json));
        assertThat(bench.nodes).isEmpty();
        assertThat(bench.last.trace().cacheStatus()).isEqualTo("hit");
    }

    private void assertFromNode(List<RpcReply> replies) {
        assertThat(replies).containsExactly(result("\"node\""));
        assertThat(bench.nodes).hasSize(1);
        assertThat(bench.last.trace().hit()).isFalse();
    }

    private void assertRefused(List<RpcReply> replies) {
        assertFromNode(replies);
        assertThat(bench.count("lookups", "near", "refused")).isEqualTo(1);
        assertThat(bench.count("lookups", "near", "hit")).isZero();
        assertThat(bench.memory.store().entries()).as("nothing of it is kept").isZero();
    }

    @Test
    void aFinalBlockThatATierHasAnswersTheCallAndIsKeptInMemory() {
        String block = TierBench.block("a", 50);
        bench.store(NEAR, BY_NUMBER, byNumber(50), block);

        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), block);
        assertThat(bench.count("lookups", "near", "hit")).isEqualTo(1);
        assertThat(bench.far.asked).isZero();
        CallKey key = new CallKey(TierBench.NETWORK, BY_NUMBER, RawJson.of(byNumber(50)));
        assertThat(bench.memory.store().get(key).value()).hasToString(block);
        assertThat(bench.memory.store().get(key).lasting()).isTrue();
    }

    @Test
    void whatNoTierHasANodeIsAskedFor() {
        assertFromNode(bench.ask(BY_NUMBER, byNumber(50)));

        assertThat(bench.count("lookups", "near", "miss"))
                .as("the answer, and which block is at the height")
                .isEqualTo(2);
        assertThat(bench.count("lookups", "far", "miss")).isEqualTo(2);
    }

    @Test
    void whatTheFarTierHasIsStoredInTheNearOneToo() {
        String block = TierBench.block("a", 50);
        bench.store(FAR, BY_NUMBER, byNumber(50), block);
        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), block);

        await().until(() -> bench.count("stores", "near", "stored") == 1);
        bench.memory.store().purge(TierBench.NETWORK, one -> true);
        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), block);
        assertThat(bench.count("lookups", "near", "hit")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"99, true", "100, true", "101, false", "500, false"})
    void onlyABlockThatIsFinalIsBelieved(long number, boolean believed) {
        bench.blocks.finalized = new Finalized(false, 500, bench.blocks.hash(500));
        bench.store(NEAR, BY_HASH, byHash("a", number), TierBench.block("a", number));
        // The next start may know of fewer final blocks.
        bench.height.forget();
        bench.blocks.finalized = new Finalized(false, TierBench.FINAL, bench.blocks.hash(TierBench.FINAL));
        bench.now += TimeUnit.DAYS.toNanos(1);
        List<RpcReply> replies = bench.ask(BY_HASH, byHash("a", number));

        if (believed) {
            assertFromTier(replies, TierBench.block("a", number));
        } else {
            assertRefused(replies);
        }
    }

    /** A tier takes no result of a block that is not final. */
    @Test
    void aTraceOfATransactionIsBelieved() {
        String params = "[\"" + HandBlocks.hash("a", 7) + "\",{\"tracer\":\"callTracer\"}]";
        bench.store(NEAR, TierBench.entry("debug_traceTransaction", params, "{\"gas\":\"0x1\"}", 99, null));

        assertFromTier(bench.ask("debug_traceTransaction", params), "{\"gas\":\"0x1\"}");
    }

    @Test
    void aBlockIsNotBelievedWhereAnotherIsKnownAtItsPlace() {
        bench.know("b", 50);
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));

        assertRefused(bench.ask(BY_NUMBER, byNumber(50)));
    }

    @Test
    void aBlockIsBelievedWhereItIsTheOneThatIsKnownAtItsPlace() {
        bench.know("a", 50);
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));

        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), TierBench.block("a", 50));
    }

    @Test
    void theAnswerAboutAnotherBlockIsNotBelieved() {
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 51));

        assertRefused(bench.ask(BY_NUMBER, byNumber(50)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]", "\"0x1\"", "{\"number\":\"0x32\"}"})
    void whatIsNoBlockIsNotBelieved(String value) {
        bench.store(NEAR, BY_NUMBER, byNumber(50), value);

        assertRefused(bench.ask(BY_NUMBER, byNumber(50)));
    }

    @Test
    void anEntryThatSaysItIsOfAnotherBlockIsNotBelieved() {
        String block = TierBench.block("a", 50);
        bench.store(NEAR, TierBench.entry(BY_NUMBER, byNumber(50), block, 49, HandBlocks.hash("a", 50)));
        assertFromNode(bench.ask(BY_NUMBER, byNumber(50)));

        bench.nodes.clear();
        bench.store(NEAR, TierBench.entry(BY_NUMBER, byNumber(50), block, 50, HandBlocks.hash("b", 50)));
        assertFromNode(bench.ask(BY_NUMBER, byNumber(50)));
        assertThat(bench.count("lookups", "near", "refused")).isEqualTo(2);
    }

    @Test
    void anEntryThatIsDamagedIsNotBelieved() {
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));
        bench.near.records.values().forEach(bytes -> bytes[bytes.length - 1] ^= 1);
        bench.ask(BY_NUMBER, byNumber(50));

        assertThat(bench.nodes).hasSize(1);
        assertThat(bench.count("lookups", "near", "hit")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"50, true", "49, false"})
    void stateIsBelievedOfTheBlockThatWasAskedForAlone(long number, boolean believed) {
        String params = "[" + ACCOUNT + ",\"0x32\"]";
        bench.store(NEAR, TierBench.entry(BALANCE, params, "\"0x7\"", number, null));
        List<RpcReply> replies = bench.ask(BALANCE, params);

        if (believed) {
            assertFromTier(replies, "\"0x7\"");
        } else {
            assertRefused(replies);
        }
    }

    @Test
    void stateByABlocksHashIsBelievedOfThatBlockAlone() {
        String params = "[" + ACCOUNT + ",{\"blockHash\":\"" + HandBlocks.hash("a", 50) + "\"}]";
        String normal = normal(BALANCE, params);
        bench.store(NEAR, TierBench.entry(BALANCE, normal, "\"0x7\"", 50, HandBlocks.hash("b", 50)));
        assertRefused(bench.ask(BALANCE, params));

        bench.store(NEAR, TierBench.entry(BALANCE, normal, "\"0x8\"", 50, HandBlocks.hash("a", 50)));
        bench.nodes.clear();
        assertFromTier(bench.ask(BALANCE, params), "\"0x8\"");
    }

    /** The parameters as keys have them. */
    private String normal(String method, String params) {
        bench.near.up = false;
        bench.far.up = false;
        bench.ask(method, params);
        bench.nodes.clear();
        bench.near.up = true;
        bench.far.up = true;
        return bench.last.call().params().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "finalized", "safe", "pending", "earliest"})
    void aCallByATagIsNoQuestionForATier(String tag) {
        assertFromNode(bench.ask(BY_NUMBER, "[\"" + tag + "\",true]"));

        assertThat(bench.near.asked + bench.far.asked).isZero();
    }

    @Test
    void aBlockAboveTheFinalOneIsNotLookedFor() {
        assertFromNode(bench.ask(BY_NUMBER, byNumber(TierBench.FINAL + 1)));

        assertThat(bench.near.asked + bench.far.asked).isZero();
    }

    @Test
    void aBlockThatIsKnownToBeRecentIsNotLookedForByItsHash() {
        bench.know("a", 900);
        assertFromNode(bench.ask(BY_HASH, byHash("a", 900)));
        assertThat(bench.near.asked + bench.far.asked).isZero();
    }

    @Test
    void theProxysOwnCallsAndThosePastTheCacheGoToANode() {
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));
        assertFromNode(bench.ask(BY_NUMBER, byNumber(50), Caller.PROXY));
        bench.nodes.clear();
        assertFromNode(bench.ask(BY_NUMBER, byNumber(50), TierBench.CLIENT.fresh()));
    }

    @Test
    void aCallWhoseParametersNobodyHasCheckedGoesToANode() {
        RpcCall call = new RpcCall(RawJson.of("1"), BY_NUMBER, RawJson.of(byNumber(50)));
        bench.last = new CallContext(
                call, TierBench.CLIENT, new NetworkId(TierBench.NETWORK), bench.channel.eventLoop(), 0, Long.MAX_VALUE);

        assertFromNode(bench.begin(BY_NUMBER, bench.last));
    }

    @Test
    void aTierThatIsDownIsPassedOver() {
        String block = TierBench.block("a", 50);
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("b", 50));
        bench.store(FAR, BY_NUMBER, byNumber(50), block);
        bench.near.up = false;

        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), block);
        assertThat(bench.count("lookups", "far", "hit")).isEqualTo(1);
    }

    @Test
    void aTierThatFailsIsFollowedByTheNext() {
        bench.store(FAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));
        bench.store(NEAR, BY_NUMBER, byNumber(51), TierBench.block("a", 51));
        bench.near.failing = true;

        assertFromTier(bench.ask(BY_NUMBER, byNumber(50)), TierBench.block("a", 50));
        assertThat(bench.count("lookups", "near", "error")).isPositive();
    }

    @Test
    void aTierThatIsSlowIsWaitedForOnlySoLong() {
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));
        bench.near.holding = true;
        List<RpcReply> replies = bench.begin(BY_NUMBER, byNumber(50), TierBench.CLIENT);
        bench.pass(TierBench.WAIT_NANOS - 1);
        assertThat(replies).isEmpty();

        bench.pass(1);
        assertFromNode(replies);
        assertThat(bench.count("lookups", "near", "late")).isEqualTo(1);
        bench.near.held.forEach(Runnable::run);
        bench.settle();
        assertThat(replies).as("what comes late is for nobody").hasSize(1);
    }

    @Test
    void whatWasPurgedMeanwhileIsNotServed() {
        bench.store(NEAR, BY_NUMBER, byNumber(50), TierBench.block("a", 50));
        bench.near.holding = true;
        List<RpcReply> replies = bench.begin(BY_NUMBER, byNumber(50), TierBench.CLIENT);
        bench.memory.store().purge(TierBench.NETWORK, one -> true);
        bench.near.held.forEach(Runnable::run);
        bench.settle();

        assertRefused(replies);
    }

    @Test
    void aLargeAnswerForWhichThereIsNoRoomIsShed() {
        bench.close();
        bench = new TierBench(false, false, 1_000);
        String params = "[{},\"0x32\"]";
        bench.store(NEAR, TierBench.entry("eth_call", params, '"' + "x".repeat(20_000) + '"', 50, null));
        List<RpcReply> replies = bench.ask("eth_call", params);

        assertThat(replies).singleElement().isEqualTo(RpcReply.unavailable("overloaded: no room for the answer"));
        assertThat(bench.nodes).isEmpty();
    }
}
