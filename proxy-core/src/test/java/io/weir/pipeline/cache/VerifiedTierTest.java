package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.cache.BlockKeys;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.verify.ChainVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What tiers are believed where a network verifies: the near one is the proxy's own, to the far one others write too. */
class VerifiedTierTest {

    private static final ObjectNode BLOCK = new ChainVectors()
            .blocks().stream()
                    .filter(one -> one.get("uncles").isEmpty()
                            && one.get("transactions").size() > 1
                            && one.get("transactions").size() < 20)
                    .findFirst()
                    .orElseThrow();
    private static final ObjectNode HEADER = BLOCK.deepCopy().without(List.of("transactions", "uncles", "size"));
    private static final String HASH = BLOCK.get("hash").stringValue();
    private static final String NUMBER = BLOCK.get("number").stringValue();
    private static final String BY_HASH = "[\"" + HASH + "\",true]";
    private static final String BY_NUMBER = "[\"" + NUMBER + "\",true]";
    private static final String BALANCE = "[\"0x" + "0".repeat(40) + "\",\"0x32\"]";
    private static final String NO_LOGS = "0x" + "0".repeat(512);
    private static final int NEAR = 0;
    private static final int FAR = 1;

    private TierBench bench = new TierBench(true);

    @AfterEach
    void close() {
        bench.close();
    }

    private static long number() {
        return Long.decode(NUMBER);
    }

    private void know(String hash) {
        BlockLink link = new BlockLink(number(), hash, BLOCK.get("parentHash").stringValue());
        bench.view.restart(List.of(link), "a");
    }

    private static RpcReply result(Object json) {
        return new RpcReply.Result(RawJson.of(json.toString()));
    }

    private static String name(int tier) {
        return tier == NEAR ? "near" : "far";
    }

    private void assertFromTier(List<RpcReply> replies, Object json, String verified) {
        assertThat(replies).containsExactly(result(json));
        assertThat(bench.nodes).isEmpty();
        assertThat(bench.last.trace().verified()).isEqualTo(verified);
    }

    private void assertFromNode(List<RpcReply> replies) {
        assertThat(replies).containsExactly(result("\"node\""));
        assertThat(bench.memory.store().entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {NEAR, FAR})
    void aBlockByItsHashIsProvenAgainAndToldToBe(int tier) {
        bench.store(tier, "eth_getBlockByHash", BY_HASH, BLOCK.toString());

        assertFromTier(bench.ask("eth_getBlockByHash", BY_HASH), BLOCK, "header, transactions");
    }

    @ParameterizedTest
    @CsvSource({"0, gasUsed", "0, stateRoot", "1, gasUsed", "1, timestamp"})
    void aBlockThatIsFalseIsRefused(int tier, String member) {
        ObjectNode lie = BLOCK.deepCopy();
        lie.put(member, member.endsWith("Root") ? "0x" + "1".repeat(64) : "0x1");
        bench.store(tier, "eth_getBlockByHash", BY_HASH, lie.toString());

        assertFromNode(bench.ask("eth_getBlockByHash", BY_HASH));
        assertThat(bench.count("lookups", name(tier), "refused")).isEqualTo(1);
    }

    @Test
    void anotherProvenBlockIsNoAnswer() {
        ObjectNode other = new ChainVectors()
                .blocks().stream()
                        .filter(one -> !one.get("hash").stringValue().equals(HASH))
                        .findFirst()
                        .orElseThrow();
        bench.store(NEAR, "eth_getBlockByHash", BY_HASH, other.toString());

        assertFromNode(bench.ask("eth_getBlockByHash", BY_HASH));
        assertThat(bench.count("lookups", "near", "refused")).isEqualTo(1);
    }

    @Test
    void aSharedTierIsNotAskedForABlockWhosePlaceIsNotKnown() {
        bench.store(FAR, "eth_getBlockByNumber", BY_NUMBER, BLOCK.toString());
        int before = bench.far.asked;

        assertFromNode(bench.ask("eth_getBlockByNumber", BY_NUMBER));
        assertThat(bench.far.asked).isEqualTo(before);
    }

    @Test
    void aSharedTierIsBelievedABlockThatStandsWhereTheViewHasIt() {
        know(HASH);
        bench.store(FAR, "eth_getBlockByNumber", BY_NUMBER, BLOCK.toString());

        assertFromTier(bench.ask("eth_getBlockByNumber", BY_NUMBER), BLOCK, "header, transactions");
    }

    @Test
    void aSharedTierIsNotBelievedABlockThatTheViewHasElsewhere() {
        know("0x" + "ab".repeat(32));
        bench.store(FAR, "eth_getBlockByNumber", BY_NUMBER, BLOCK.toString());

        assertFromNode(bench.ask("eth_getBlockByNumber", BY_NUMBER));
        assertThat(bench.count("lookups", "far", "refused")).isEqualTo(1);
    }

    @Test
    void aBlockWhosePlaceBecameUnknownWhileTheTierWasAskedIsNotBelieved() {
        know(HASH);
        bench.store(FAR, "eth_getBlockByNumber", BY_NUMBER, BLOCK.toString());
        bench.far.holding = true;
        List<RpcReply> replies = bench.begin("eth_getBlockByNumber", BY_NUMBER, TierBench.CLIENT);
        bench.know("b", 900);
        bench.far.held.forEach(Runnable::run);
        bench.settle();

        assertFromNode(replies);
        assertThat(bench.count("lookups", "far", "refused")).isEqualTo(1);
    }

    @Test
    void theProxysOwnTierIsBelievedABlocksPlaceAndNothingIsToldToBeProven() {
        bench.store(NEAR, "eth_getBlockByNumber", BY_NUMBER, BLOCK.toString());

        assertFromTier(bench.ask("eth_getBlockByNumber", BY_NUMBER), BLOCK, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {NEAR, FAR})
    void noTierIsBelievedATransactionWhosePlaceItAloneWouldTell(int tier) {
        var transaction = BLOCK.get("transactions").get(0);
        String params = "[\"" + transaction.get("hash").stringValue() + "\"]";
        bench.store(tier, "eth_getTransactionByHash", params, transaction.toString());

        assertFromNode(bench.ask("eth_getTransactionByHash", params));
        assertThat(bench.count("lookups", "", "hit") + bench.count("lookups", "", "refused"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {NEAR, FAR})
    void whatOnlyItsWholeBlockProvesIsAskedOfNodes(int tier) {
        String receipts = "[\"" + HASH + "\"]";
        bench.store(tier, "eth_getBlockReceipts", receipts, "[{\"transactionHash\":\"0x1\"}]");

        assertFromNode(bench.ask("eth_getBlockReceipts", receipts));
        assertThat(bench.count("lookups", "", "hit")).isZero();
    }

    @Test
    void aSharedTierLoadsABlockThatStandsWhereTheViewHasItAndItsReceipts() {
        JsonNode receipts = new ChainVectors().receipts(BLOCK);
        storeBlock(FAR, BLOCK, receipts);
        know(HASH);
        bench.ask("eth_getBlockReceipts", "[\"" + NUMBER + "\"]");

        assertThat(bench.memory.store().get(BlockKeys.block(TierBench.NETWORK, HASH)))
                .extracting(CachedResult::proven)
                .isEqualTo("header, transactions");
        assertThat(bench.memory.store().get(BlockKeys.receipts(TierBench.NETWORK, HASH)))
                .extracting(CachedResult::proven)
                .isEqualTo("receipts");
    }

    /** Returns a block with logs whose transactions create no contract: its address would follow from the sender. */
    private static ObjectNode withLogs() {
        return new ChainVectors()
                .blocks().stream()
                        .filter(one -> !one.get("logsBloom").stringValue().equals(NO_LOGS)
                                && one.get("uncles").isEmpty()
                                && one.get("transactions").valueStream().allMatch(sent -> sent.hasNonNull("to")))
                        .findFirst()
                        .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {NEAR, FAR})
    void logsNeedNoSendersOfTheirBlock(int tier) {
        ObjectNode block = withLogs();
        JsonNode receipts = new ChainVectors().receipts(block);
        Stream.concat(block.get("transactions").valueStream(), receipts.valueStream())
                .forEach(one -> ((ObjectNode) one).put("from", "0x" + "1".repeat(40)));
        String hash = storeBlock(tier, block, receipts);
        bench.ask("eth_getLogs", "[{\"blockHash\":\"" + hash + "\"}]");

        assertThat(kept(BlockKeys.logs(TierBench.NETWORK, hash)))
                .extracting(CachedResult::proven)
                .isEqualTo("receipts");
        bench.nodes.clear();
        bench.ask("eth_getBlockReceipts", "[\"" + hash + "\"]");
        assertThat(bench.nodes).hasSize(1);
        assertThat(kept(BlockKeys.block(TierBench.NETWORK, hash))).isNull();
        assertThat(kept(BlockKeys.receipts(TierBench.NETWORK, hash))).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, data", "1, data", "0, transactionHash", "1, logIndex", "0, blockHash"})
    void logsThatAreFalseAreRefused(int tier, String member) {
        ObjectNode block = withLogs();
        JsonNode receipts = new ChainVectors().receipts(block);
        receipts.valueStream()
                .flatMap(one -> one.get("logs").valueStream())
                .forEach(log ->
                        ((ObjectNode) log).put(member, member.equals("logIndex") ? "0x77" : "0x" + "1".repeat(64)));
        String hash = storeBlock(tier, block, receipts);

        bench.ask("eth_getLogs", "[{\"blockHash\":\"" + hash + "\"}]");
        assertThat(bench.nodes).hasSize(1);
        assertThat(kept(BlockKeys.logs(TierBench.NETWORK, hash))).isNull();
        assertThat(kept(BlockKeys.receipts(TierBench.NETWORK, hash))).isNull();
    }

    private CachedResult kept(CallKey key) {
        return bench.memory.store().get(key);
    }

    /** Stores a block and its receipts; returns its hash. */
    private String storeBlock(int tier, JsonNode block, JsonNode receipts) {
        String hash = block.get("hash").stringValue();
        long number = Long.decode(block.get("number").stringValue());
        String ofReceipts = "[\"" + hash + "\"]";
        bench.store(
                tier, TierBench.entry("eth_getBlockByHash", "[\"" + hash + "\",true]", block.toString(), number, hash));
        bench.store(tier, TierBench.entry("eth_getBlockReceipts", ofReceipts, receipts.toString(), number, hash));
        return hash;
    }

    @Test
    void aSharedTierDoesNotTellWhereATransactionIs() {
        String hash = BLOCK.get("transactions").get(0).get("hash").stringValue();
        CallKey place = BlockKeys.transaction(TierBench.NETWORK, hash);
        bench.store(
                FAR,
                TierBench.entry(
                        place.method(), place.params().toString(), "[\"" + HASH + "\",\"0x0\"]", number(), HASH));
        int before = bench.far.asked;

        assertFromNode(bench.ask("eth_getTransactionReceipt", "[\"" + hash + "\"]"));
        assertThat(bench.far.asked).isEqualTo(before);
    }

    @Test
    void stateIsBelievedOfTheProxysOwnTierAlone() {
        bench.store(FAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x7\"", 50, null));
        assertFromNode(bench.ask("eth_getBalance", BALANCE));

        bench.nodes.clear();
        bench.store(NEAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x8\"", 50, null));
        assertFromTier(bench.ask("eth_getBalance", BALANCE), "\"0x8\"", "");
    }

    @Test
    void whatASharedTierProvesGoesToNearerOnes() {
        bench.store(FAR, "eth_getBlockByHash", BY_HASH, BLOCK.toString());
        assertFromTier(bench.ask("eth_getBlockByHash", BY_HASH), BLOCK, "header, transactions");

        await().until(() -> bench.count("stores", "near", "stored") > 0);
        bench.memory.store().purge(TierBench.NETWORK, one -> true);
        assertFromTier(bench.ask("eth_getBlockByHash", BY_HASH), BLOCK, "header, transactions");
        assertThat(bench.count("lookups", "near", "hit")).isEqualTo(1);
    }

    @Test
    void onceANodeWasCaughtOnlyWhatIsProvenCounts() {
        know(HASH);
        bench.store(NEAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x8\"", 50, null));
        bench.store(NEAR, "eth_getBlockByHash", BY_HASH, BLOCK.toString());
        bench.store(NEAR, "eth_getHeaderByNumber", "[\"" + NUMBER + "\"]", HEADER.toString());
        bench.tiers.abandonUnproven("a");

        assertFromTier(bench.ask("eth_getBlockByHash", BY_HASH), BLOCK, "header, transactions");
        assertFromTier(bench.ask("eth_getHeaderByNumber", "[\"" + NUMBER + "\"]"), HEADER, "header");
        bench.memory.store().purge(TierBench.NETWORK, one -> true);
        assertFromNode(bench.ask("eth_getBalance", BALANCE));
        assertThat(bench.count("lookups", "near", "refused")).isEqualTo(1);
        assertThat(bench.near.discarded).isEqualTo(1);
    }

    @Test
    void aNodeThatIsCaughtAgainAndAgainEmptiesTheTiersOnce() {
        bench.tiers.abandonUnproven("a");
        bench.store(NEAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x8\"", 50, null));
        bench.tiers.abandonUnproven("a");
        bench.ask("eth_getBalance", BALANCE);
        assertThat(bench.count("lookups", "near", "hit")).isEqualTo(1);
    }

    @Test
    void aPlaceThatOnlyTheTierKnowsDoesNotCountOnceANodeWasCaught() {
        String params = "[\"" + NUMBER + "\"]";
        bench.store(NEAR, "eth_getHeaderByNumber", params, HEADER.toString());
        assertFromTier(bench.ask("eth_getHeaderByNumber", params), HEADER, "");
        bench.memory.store().purge(TierBench.NETWORK, one -> true);
        bench.tiers.abandonUnproven("a");

        assertFromNode(bench.ask("eth_getHeaderByNumber", params));
    }

    @Test
    void whatWasLoadedFromATierIsWorthlessOnceAnyNodeIsCaught() {
        bench.store(NEAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x8\"", 50, null));
        bench.store(NEAR, "eth_getBlockByHash", BY_HASH, BLOCK.toString());
        bench.ask("eth_getBalance", BALANCE);
        bench.ask("eth_getBlockByHash", BY_HASH);
        bench.marks.revoke("b");

        assertThat(isValid("eth_getBalance", BALANCE)).isFalse();
        assertThat(isValid("eth_getBlockByHash", BY_HASH)).isTrue();
    }

    private boolean isValid(String method, String params) {
        CachedResult kept = bench.memory.store().get(new CallKey(TierBench.NETWORK, method, RawJson.of(params)));
        return bench.marks.isValid(kept.source());
    }

    @Test
    void anAnswerOfATierIsNotServedIfANodeIsCaughtMeanwhile() {
        bench.store(NEAR, TierBench.entry("eth_getBalance", BALANCE, "\"0x8\"", 50, null));
        bench.near.holding = true;
        List<RpcReply> replies = bench.begin("eth_getBalance", BALANCE, TierBench.CLIENT);
        bench.marks.revoke("a");
        bench.tiers.abandonUnproven("a");
        bench.marks.revoke("a");
        bench.near.held.forEach(Runnable::run);
        bench.settle();

        assertFromNode(replies);
    }
}
