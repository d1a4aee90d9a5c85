package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Family;
import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.verify.ChainVectors;
import io.weir.verify.FamilyVectors;
import io.weir.verify.StateSyncBlock;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ArrayNode;

/** Answers of chains of several families: proven ones are called verified, unprovable ones cost no node its health. */
class FamilyServingTest {

    private static final String BLOCK = "eth_getBlockByHash";
    private static final String RECEIPTS = "eth_getBlockReceipts";
    private static final ChainVectors ETHEREUM = new ChainVectors();

    /** A test of each time at which answers are verified. */
    @ParameterizedTest
    @EnumSource(
            value = Verify.class,
            names = {"BEFORE_CACHING", "BEFORE_SERVING"})
    @Retention(RetentionPolicy.RUNTIME)
    private @interface WhileVerifying {}

    private ServingFixture weir;

    @AfterEach
    void close() {
        weir.close();
    }

    private static VectorChain chain(FamilyVectors vectors) {
        ArrayNode receipts = vectors.tree().has("receipts") ? vectors.receipts() : VectorChain.JSON.createArrayNode();
        return new VectorChain(ETHEREUM).put(new VectorChain.Entry(vectors.block(), receipts, List.of()));
    }

    /** Has a node serve a chain whose newest final block is the recorded one. */
    private static void serve(HandNode node, FamilyVectors vectors) {
        VectorChain chain = chain(vectors);
        ServingFixture.serve(
                node,
                chain,
                call -> String.valueOf(call.params()).contains("finalized")
                        ? HandNode.result(vectors.block().toString())
                        : null);
    }

    private void start(Verify verify, Family family, FamilyVectors vectors) {
        weir = new ServingFixture(verify, family, 1);
        weir.pool.nodes.remove(weir.pool.b);
        serve(weir.pool.a, vectors);
    }

    private static String quoted(FamilyVectors vectors, String more) {
        return "[" + vectors.block().get("hash") + more + "]";
    }

    @ParameterizedTest
    @CsvSource({"op-mainnet-154497277, OP", "arbitrum-one-150000000, ARBITRUM", "polygon-50000000, POLYGON"})
    void answersOfAFamilyAreServedAsProven(String name, Family family) {
        FamilyVectors vectors = FamilyVectors.read(name);
        start(Verify.BEFORE_SERVING, family, vectors);
        assertThat(weir.ask(BLOCK, quoted(vectors, ",true")).verified()).isEqualTo("header, transactions");
        assertThat(weir.ask(RECEIPTS, quoted(vectors, "")).verified()).isEqualTo("receipts");
        Answer receipt = weir.ask(
                "eth_getTransactionReceipt", "[" + vectors.transaction(0).get("hash") + "]");
        assertThat(receipt.json()).isEqualTo(vectors.receipts().get(0));
        assertThat(weir.pool.a.refuted).isEmpty();
    }

    @Test
    void aLieOfAFamilysOwnTypeIsNotServed() {
        FamilyVectors honest = FamilyVectors.read("op-mainnet-154497277");
        FamilyVectors lying = FamilyVectors.read("op-mainnet-154497277");
        lying.transaction(0).put("mint", "0x7");
        weir = new ServingFixture(Verify.BEFORE_SERVING, Family.OP, 2);
        serve(weir.pool.a, lying);
        serve(weir.pool.b, honest);
        Answer answer = weir.ask(BLOCK, quoted(honest, ",true"));
        assertThat(answer.json()).isEqualTo(honest.block());
        // The proxy may have asked it for the block, too.
        assertThat(weir.pool.a.refuted).isNotEmpty().allMatch(one -> one.startsWith("FALSE_HASH costs: "));
    }

    @ParameterizedTest
    @CsvSource({"1, FALSE_HASH costs: ", "137, FALSE_HASH counts: "})
    void aFalseAnswerCostsNoHealthWhereTheChainIsKnownToHaveOtherRules(String chainId, String refuted) {
        FamilyVectors honest = FamilyVectors.read("hyperevm-50000");
        FamilyVectors lying = FamilyVectors.read("hyperevm-50000");
        lying.receipt(0).put("gasUsed", "0x7");
        weir = new ServingFixture(Verify.BEFORE_SERVING, chainId);
        serve(weir.pool.a, lying);
        serve(weir.pool.b, honest);
        Answer answer = weir.ask(RECEIPTS, quoted(honest, ""));
        assertThat(answer.json()).isEqualTo(honest.receipts());
        assertThat(weir.pool.a.refuted).isNotEmpty().allMatch(one -> one.startsWith(refuted));
    }

    @WhileVerifying
    void anUnprovableBlockIsServedAndKeptByItsHashWithoutAProof(Verify verify) {
        FamilyVectors vectors = FamilyVectors.read("zksync-era-35533");
        start(verify, Family.ZKSYNC, vectors);
        assertServedAndKept(vectors);
    }

    @WhileVerifying
    void aBlockWithAStateSyncSincePip74IsServedAndKeptByItsHashWithoutAProof(Verify verify) {
        FamilyVectors vectors = StateSyncBlock.of(FamilyVectors.read("polygon-50000000"));
        StateSyncBlock.makeTyped(vectors);
        start(verify, Family.POLYGON, vectors);
        assertServedAndKept(vectors);
    }

    @WhileVerifying
    void aBlockOfAChainWithoutRulesIsServedAndKeptWithoutAProof(Verify verify) {
        FamilyVectors vectors = FamilyVectors.read("hedera-97395350-unprovable");
        start(verify, Family.NONE, vectors);
        assertServedAndKept(vectors);
    }

    private void assertServedAndKept(FamilyVectors vectors) {
        for (int i = 0; i < 2; i++) {
            Answer answer = weir.ask(BLOCK, quoted(vectors, ",true"));
            assertThat(answer.json()).isEqualTo(vectors.block());
            assertThat(answer.verified()).isEmpty();
            weir.settle();
        }
        long calls = weir.calls();
        Answer kept = weir.ask(BLOCK, quoted(vectors, ",true"));
        assertThat(kept.json()).isEqualTo(vectors.block());
        assertThat(kept.verified()).isEmpty();
        assertThat(weir.calls()).isEqualTo(calls);
        assertThat(weir.pool.a.refuted).isEmpty();
    }

    @Test
    void logsAreNotSaidToBeAllWhereReceiptsMayLackThoseOfAStateSync() {
        FamilyVectors vectors = FamilyVectors.read("polygon-50000000");
        start(Verify.BEFORE_SERVING, Family.POLYGON, vectors);
        String params = "[{\"blockHash\":" + vectors.block().get("hash") + "}]";
        assertThat(weir.ask("eth_getLogs", params).verified()).isEqualTo("receipts");
        weir.settle();
        Answer kept = weir.ask("eth_getLogs", params);
        assertThat(kept.cache()).startsWith("hit");
        assertThat(kept.verified()).isEqualTo("receipts");
    }

    @Test
    void receiptsOfABlockWithAStateSyncAreServedWithoutAProof() {
        FamilyVectors vectors = StateSyncBlock.of(FamilyVectors.read("polygon-50000000"));
        StateSyncBlock.addReceipt(vectors);
        start(Verify.BEFORE_SERVING, Family.POLYGON, vectors);
        assertThat(weir.ask(BLOCK, quoted(vectors, ",true")).verified()).isEqualTo("header, transactions");
        Answer receipts = weir.ask(RECEIPTS, quoted(vectors, ""));
        assertThat(receipts.json()).isEqualTo(vectors.receipts());
        assertThat(receipts.verified()).isEmpty();
        Answer one = weir.ask(
                "eth_getTransactionReceipt",
                "[" + vectors.transaction(StateSyncBlock.INDEX).get("hash") + "]");
        assertThat(one.json()).isEqualTo(vectors.receipts().get(StateSyncBlock.INDEX));
        assertThat(one.verified()).isEmpty();
        assertThat(weir.pool.a.refuted).isEmpty();
    }
}
