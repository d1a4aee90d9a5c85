package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.verify.ChainVectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A node answers with another object than the one that was asked for, where answers are verified before they are kept. */
class OtherObjectTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final VectorChain chain = new VectorChain(VECTORS);
    private final ServingFixture weir = new ServingFixture(Verify.BEFORE_CACHING);
    private final HandNode node = weir.pool.a;
    private final Entry entry =
            chain.first(one -> one.block().get("transactions").size() > 1);
    private final Entry other = chain.first(
            one -> one.block().get("transactions").size() > 1 && !one.hash().equals(entry.hash()));

    OtherObjectTest() {
        ServingFixture.serve(weir.pool.b, chain);
    }

    @AfterEach
    void close() {
        weir.close();
    }

    private void askAnsweredWith(String method, String params, JsonNode answer) {
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals(method)
                                && String.valueOf(call.params()).equals(params)
                        ? HandNode.result(answer.toString())
                        : null);
        weir.ask(method, params);
        weir.settle();
    }

    private static JsonNode first(Entry entry) {
        return entry.block().get("transactions").get(0);
    }

    @Test
    void anotherBlockThanTheOneOfTheHashCountsAgainstItsNode() {
        askAnsweredWith("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]", other.block());
        assertThat(node.refuted)
                .singleElement()
                .asString()
                .startsWith("UNFIT costs: eth_getBlockByHash: of block " + other.hash());
    }

    @Test
    void anotherTransactionThanTheOneOfTheHashCountsAgainstItsNode() {
        askAnsweredWith("eth_getTransactionByHash", "[" + first(entry).get("hash") + "]", first(other));
        assertThat(node.refuted).singleElement().asString().startsWith("UNFIT costs: ");
    }

    @Test
    void theReceiptOfAnotherTransactionCountsAgainstItsNode() {
        JsonNode receipt = other.receipts().get(0);
        askAnsweredWith("eth_getTransactionReceipt", "[" + first(entry).get("hash") + "]", receipt);
        assertThat(node.refuted).singleElement().asString().startsWith("UNFIT costs: ");
    }

    @Test
    void anotherBlockThanTheOneOfTheHeightCountsAgainstItsNode() {
        askAnsweredWith("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]", other.block());
        assertThat(node.refuted).singleElement().asString().startsWith("UNFIT costs: ");
    }

    @Test
    void aBlockWithAFalseHashCountsAgainstItsNodeAlthoughNothingIsKnownOfItsPlace() {
        ObjectNode block = entry.block().deepCopy();
        block.put("hash", other.hash());
        askAnsweredWith("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]", block);
        assertThat(node.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
    }

    @Test
    void anotherTransactionOfTheRightBlockIsNotStoredAndCountsAgainstItsNode() {
        String params = "[\"" + entry.hash() + "\",\"0x1\"]";
        askAnsweredWith("eth_getTransactionByBlockHashAndIndex", params, first(entry));
        assertThat(node.refuted).singleElement().asString().startsWith("UNFIT costs: ");
        assertThat(weir.memory.store().entries()).isZero();
    }

    @Test
    void theRightObjectsCountAgainstNobody() {
        askAnsweredWith("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]", entry.block());
        askAnsweredWith("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]", entry.block());
        askAnsweredWith("eth_getTransactionByHash", "[" + first(other).get("hash") + "]", first(other));
        assertThat(node.refuted).isEmpty();
    }
}
