package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.cache.BlockKeys;
import io.weir.config.NetworkConfig.Verify;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a block and its receipts in memory answer, and where they must not. */
class DerivedAnswersTest {

    private static final String HIT = "hit; detail=derived";

    private final VectorNode node = new VectorNode();
    private ObjectNode block;
    private String hash;
    private String number;
    private List<String> transactions;
    private CacheFixture weir;

    @BeforeEach
    void chooseABlock() {
        block = node.blockWithTransactions(20);
        hash = block.get("hash").asString();
        number = block.get("number").asString();
        transactions = VectorNode.transactions(block);
        assertThat(transactions).hasSizeGreaterThan(3);
    }

    private void start(Verify verify, int upstreams) {
        weir = new CacheFixture(node, node::head, verify, upstreams);
    }

    private boolean isKept(boolean receipts) {
        String network = CacheFixture.NETWORK.name();
        return weir.memory.store().get(receipts ? BlockKeys.receipts(network, hash) : BlockKeys.block(network, hash))
                != null;
    }

    private void assertStatus(String expected, String method, String params) {
        String answer = weir.ask(method, params);
        assertThat(VectorNode.JSON.readTree(answer))
                .isEqualTo(VectorNode.JSON.readTree(node.answer(method, VectorNode.JSON.readTree(params))));
        assertThat(weir.status()).as("%s%s", method, params).isEqualTo(expected);
    }

    @Test
    void receiptsAreKeptOnceTheirBlockIsAndProvenWithIt() {
        start(Verify.BEFORE_CACHING, 1);
        weir.ask("eth_getBlockReceipts", "[\"" + number + "\"]");
        assertThat(isKept(true)).as("receipts without their block").isFalse();
        weir.ask("eth_getBlockByNumber", "[\"" + number + "\",true]");
        await().until(() -> isKept(false));
        weir.ask("eth_getBlockReceipts", "[\"" + number + "\"]");
        await().until(() -> isKept(true));
        int before = node.asked.size();
        for (String transaction : transactions) {
            assertStatus(HIT, "eth_getTransactionReceipt", "[\"" + transaction + "\"]");
            assertStatus(HIT, "eth_getTransactionByHash", "[\"" + transaction + "\"]");
        }
        assertThat(node.asked).hasSize(before);
    }

    @Test
    void receiptsOfAnotherBlockThanTheyNameAreNotKept() {
        start(Verify.BEFORE_CACHING, 1);
        weir.ask("eth_getBlockByHash", "[\"" + hash + "\",true]");
        await().until(() -> isKept(false));
        node.chain.receipts(block).forEach(receipt -> ((ObjectNode) receipt).put("status", "0x0"));
        long wrong = weir.counter("wrong");
        weir.ask("eth_getBlockReceipts", "[\"" + hash + "\"]");
        await().until(() -> weir.counter("wrong") > wrong);
        assertThat(isKept(true)).isFalse();
    }

    @Test
    void aBlockOfWhichOnlyTheHashIsKnownAnswersForWhatIsInItAlone() {
        start(Verify.OFF, 2);
        weir.ask("eth_getBlockByHash", "[\"" + hash + "\",true]");
        weir.ask("eth_getBlockReceipts", "[\"" + hash + "\"]");
        assertThat(isKept(false)).isTrue();
        assertThat(isKept(true)).isTrue();
        assertStatus(HIT, "eth_getTransactionByBlockHashAndIndex", "[\"" + hash + "\",\"0x0\"]");
        assertStatus("hit", "eth_getBlockReceipts", "[\"" + hash + "\"]");
        assertStatus("fwd=uri-miss", "eth_getTransactionByHash", "[\"" + transactions.get(0) + "\"]");
        assertStatus("fwd=uri-miss", "eth_getTransactionReceipt", "[\"" + transactions.get(0) + "\"]");
        assertStatus("fwd=uri-miss", "eth_getBlockByNumber", "[\"" + number + "\",true]");
        assertStatus(
                "fwd=uri-miss", "eth_getBlockReceipts", "[{\"blockHash\":\"" + hash + "\",\"requireCanonical\":true}]");
    }

    @Test
    void aNodeMustHaveTheReceiptOfATransactionWhoseBlockIsInMemory() {
        List<String> needed = new ArrayList<>();
        weir = new CacheFixture(
                (context, sink) -> {
                    needed.add(context.call().method() + " " + context.route().block() + " "
                            + context.route().blockExists());
                    node.handle(context, sink);
                },
                node::head,
                Verify.OFF,
                1,
                "gather.enabled = off");
        weir.ask("eth_getTransactionReceipt", "[\"" + transactions.get(0) + "\"]");
        assertThat(needed).contains("eth_getTransactionReceipt 0 false");
        weir.ask("eth_getBlockByNumber", "[\"" + number + "\",true]");
        weir.ask("eth_getTransactionReceipt", "[\"" + transactions.get(1) + "\"]");
        assertThat(needed).contains("eth_getTransactionReceipt " + Integer.decode(number) + " true");
    }

    @Test
    void aWayWhoseBlockIsGoneLeadsNowhere() {
        start(Verify.OFF, 1);
        weir.ask("eth_getBlockByNumber", "[\"" + number + "\",true]");
        assertStatus(HIT, "eth_getTransactionByHash", "[\"" + transactions.get(1) + "\"]");
        var key = BlockKeys.block(CacheFixture.NETWORK.name(), hash);
        weir.memory.store().remove(key, weir.memory.store().get(key));
        assertStatus("fwd=uri-miss", "eth_getTransactionByHash", "[\"" + transactions.get(1) + "\"]");
    }

    @Test
    void whatABlockTakesWithItsWaysCountsInTheBound() {
        start(Verify.OFF, 1);
        weir.ask("eth_getBlockByNumber", "[\"" + number + "\",true]");
        assertThat(weir.memory.store().entries()).isEqualTo(transactions.size() + 2L);
        long least = block.toString().length() + transactions.size() * (2 * 68L);
        assertThat(weir.memory.store().bytes()).isGreaterThan(least);
        weir.memory
                .store()
                .purge(
                        CacheFixture.NETWORK.name(),
                        result -> hash.equals(result.block().hash()));
        assertThat(weir.memory.store().entries()).isZero();
        assertThat(weir.memory.store().bytes()).isZero();
    }

    @Test
    void logsThatTheBloomExcludesNeedNoReceipts() {
        start(Verify.BEFORE_CACHING, 1);
        weir.ask("eth_getBlockByHash", "[\"" + hash + "\",true]");
        await().until(() -> isKept(false));
        String filter = "[{\"blockHash\":\"" + hash + "\",\"address\":\"0x" + "77".repeat(20) + "\"}]";
        assertThat(weir.ask("eth_getLogs", filter)).isEqualTo("[]");
        assertThat(weir.status()).isEqualTo(HIT);
        assertThat(weir.last.trace().verified()).isEqualTo("header, logs");
    }
}
