package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.verify.ChainVectors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A node says that a mined transaction has no block, where answers are verified before they are served. */
class NullPlaceTest {

    private static final ChainVectors VECTORS = new ChainVectors();
    private static final List<String> PLACE = List.of("blockHash", "blockNumber", "transactionIndex", "blockTimestamp");

    private final VectorChain chain = new VectorChain(VECTORS);
    private final ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING);
    private final Entry entry =
            chain.first(one -> one.block().get("transactions").valueStream().anyMatch(NullPlaceTest::isDynamic));
    private final JsonNode transaction = entry.block()
            .get("transactions")
            .valueStream()
            .filter(NullPlaceTest::isDynamic)
            .findFirst()
            .orElseThrow();

    @AfterEach
    void close() {
        weir.close();
    }

    private static boolean isDynamic(JsonNode transaction) {
        return transaction.path("type").asString("").equals("0x2");
    }

    private Answer lookUp(ObjectNode lie) {
        ServingFixture.serve(
                weir.pool.a,
                chain,
                call -> call.method().equals("eth_getTransactionByHash") ? HandNode.result(lie.toString()) : null);
        ServingFixture.serve(weir.pool.b, chain);
        return weir.ask("eth_getTransactionByHash", "[" + transaction.get("hash") + "]");
    }

    private ObjectNode pending() {
        ObjectNode pending = ((ObjectNode) transaction).deepCopy();
        PLACE.forEach(pending::putNull);
        return pending;
    }

    @ParameterizedTest
    @ValueSource(strings = {"blockNumber", "transactionIndex", "blockTimestamp"})
    void aPlaceWithoutABlockHashIsFalseAndCostsItsNode(String member) {
        Answer answer = lookUp(pending().put(member, "0x1").put("gasPrice", "0x7777"));
        assertThat(answer.json()).isEqualTo(transaction);
        assertThat(answer.verified()).isEqualTo("transaction, place");
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: " + member);
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @Test
    void aPendingTransactionIsServedAndNeitherCalledVerifiedNorKept() {
        ObjectNode pending = pending().put("gasPrice", "0x7777");
        for (int times = 0; times < 2; times++) {
            Answer answer = lookUp(pending);
            assertThat(answer.json()).isEqualTo(pending);
            assertThat(answer.verified()).isEmpty();
            assertThat(answer.cache()).doesNotStartWith("hit");
            weir.settle();
        }
        assertThat(weir.pool.a.refuted).isEmpty();
    }

    @Test
    void aPendingTransactionWithAnotherSignedFieldIsFalse() {
        Answer answer = lookUp(pending().put("value", "0x7777"));
        assertThat(answer.json()).isEqualTo(transaction);
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: hash");
    }
}
