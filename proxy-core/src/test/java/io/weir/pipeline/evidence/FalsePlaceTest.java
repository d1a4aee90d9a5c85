package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A node says that a transaction that is really signed stands elsewhere than it does, where answers are verified before they are kept. */
class FalsePlaceTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final VectorChain chain = new VectorChain(VECTORS);
    private final ServingFixture weir =
            new ServingFixture(Verify.BEFORE_CACHING, Hashing.ETHEREUM, Unverifiable.REFUSE, 1);
    private final HandNode node = weir.pool.a;

    private final Entry entry = chain.first(one -> one.uncles().isEmpty()
            && one.block().get("transactions").size() > 2
            && one.block().get("transactions").valueStream().anyMatch(FalsePlaceTest::isDynamic));
    private final JsonNode transaction = entry.block()
            .get("transactions")
            .valueStream()
            .filter(FalsePlaceTest::isDynamic)
            .findFirst()
            .orElseThrow();
    private final String byHash = "[" + transaction.get("hash") + "]";

    @AfterEach
    void close() {
        weir.close();
    }

    private static boolean isDynamic(JsonNode transaction) {
        return transaction.path("type").asString("").equals("0x2");
    }

    private void lieAbout(String method, ObjectNode lie) {
        Function<RpcCall, NodeOutcome> instead =
                call -> call.method().equals(method) ? HandNode.result(lie.toString()) : null;
        ServingFixture.serve(node, chain, instead);
    }

    private ObjectNode moved(String member) {
        ObjectNode lie = ((ObjectNode) transaction).deepCopy();
        Entry other = chain.first(one -> !one.hash().equals(entry.hash()));
        switch (member) {
            case "block" -> lie.put("blockHash", other.hash()).put("blockNumber", other.number());
            case "index" -> {
                int index = Integer.decode(transaction.get("transactionIndex").stringValue());
                lie.put("transactionIndex", "0x" + Integer.toHexString(index == 0 ? 1 : 0));
            }
            case "price" -> lie.put("gasPrice", "0x1");
            default -> lie.put("blockNumber", other.number());
        }
        return lie;
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "index", "price", "number"})
    void aFalsePlaceIsNeverAnsweredFromMemory(String member) {
        ObjectNode lie = moved(member);
        lieAbout("eth_getTransactionByHash", lie);
        assertThat(weir.ask("eth_getTransactionByHash", byHash).json())
                .as("the first answer passes as it came")
                .isEqualTo(lie);
        weir.settle();
        ServingFixture.serve(node, chain);
        Answer next = weir.ask("eth_getTransactionByHash", byHash);
        assertThat(next.json()).isEqualTo(transaction);
        weir.settle();
        weir.ask("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]");
        weir.settle();
        Answer derived = weir.ask("eth_getTransactionByHash", byHash);
        assertThat(derived.json()).isEqualTo(transaction);
        assertThat(derived.cache()).isEqualTo("hit; detail=derived");
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "index", "number"})
    void aFalsePlaceCountsAgainstItsNodeOnceTheBlockIsProven(String member) {
        lieAbout("eth_getTransactionByHash", moved(member));
        weir.ask("eth_getTransactionByHash", byHash);
        weir.settle();
        assertThat(node.refuted).as("nothing contradicts it yet").isEmpty();
        ServingFixture.serve(node, chain);
        weir.ask("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]");
        weir.settle();
        assertThat(node.refuted)
                .singleElement()
                .asString()
                .startsWith("FALSE_HASH costs: transaction "
                        + transaction.get("hash").stringValue());
    }

    @Test
    void aRightPlaceCountsAgainstNobody() {
        ServingFixture.serve(node, chain);
        for (JsonNode one : entry.block().get("transactions")) {
            weir.ask("eth_getTransactionByHash", "[" + one.get("hash") + "]");
            weir.ask("eth_getTransactionReceipt", "[" + one.get("hash") + "]");
        }
        weir.ask("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]");
        weir.settle();
        assertThat(node.refuted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getTransactionByBlockHashAndIndex", "eth_getTransactionByBlockNumberAndIndex"})
    void anotherTransactionAtAnIndexIsNeverAnsweredFromMemory(String method) {
        String block = method.contains("Number") ? entry.number() : entry.hash();
        JsonNode transactions = entry.block().get("transactions");
        ObjectNode lie = ((ObjectNode) transactions.get(1)).deepCopy();
        lie.put("transactionIndex", "0x0");
        lieAbout(method, lie);
        String params = "[\"" + block + "\",\"0x0\"]";
        weir.ask(method, params);
        weir.settle();
        ServingFixture.serve(node, chain);
        assertThat(weir.ask(method, params).json()).isEqualTo(transactions.get(0));
    }

    @Test
    void aFalsePriceBesideItsProvenBlockCountsAgainstItsNode() {
        ServingFixture.serve(node, chain);
        weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]");
        weir.settle();
        // A block that was asked for by its hash alone is not known to be canonical: the node is asked for the
        // transaction.
        lieAbout("eth_getTransactionByHash", moved("price"));
        assertThat(weir.ask("eth_getTransactionByHash", byHash).cache()).startsWith("fwd");
        weir.settle();
        assertThat(node.refuted).singleElement().asString().startsWith("FALSE_HASH costs: gasPrice");
        ServingFixture.serve(node, chain);
        assertThat(weir.ask("eth_getTransactionByHash", byHash).json()).isEqualTo(transaction);
        weir.settle();
        Answer kept = weir.ask("eth_getTransactionByHash", byHash);
        assertThat(kept.cache()).isEqualTo("hit");
        assertThat(kept.verified()).isEqualTo("transaction");
    }

    @Test
    void anotherUncleThanTheOneAtTheIndexIsNeverAnsweredFromMemory() {
        Entry with = chain.first(one -> !one.uncles().isEmpty());
        Entry other = chain.first(one -> !one.uncles().isEmpty() && !one.hash().equals(with.hash()));
        String method = "eth_getUncleByBlockNumberAndIndex";
        String params = "[\"" + with.number() + "\",\"0x0\"]";
        lieAbout(method, other.uncles().get(0));
        weir.ask(method, params);
        weir.settle();
        ServingFixture.serve(node, chain);
        assertThat(weir.ask(method, params).json()).isEqualTo(with.uncles().get(0));
        askForBlock(with);
        lieAbout(method, other.uncles().get(0));
        weir.ask(method, params);
        weir.settle();
        assertThat(node.refuted).singleElement().asString().startsWith("FALSE_HASH");
        ServingFixture.serve(node, chain);
        // The place of the block was the word of this node alone, and was lost with its lie.
        askForBlock(with);
        weir.ask(method, params);
        weir.settle();
        assertThat(weir.ask(method, params).json()).isEqualTo(with.uncles().get(0));
        assertThat(weir.ask(method, params).cache()).isEqualTo("hit");
    }

    private void askForBlock(Entry with) {
        weir.ask("eth_getUncleByBlockHashAndIndex", "[\"" + with.hash() + "\",\"0x0\"]");
        weir.ask("eth_getBlockByNumber", "[\"" + with.number() + "\",true]");
        for (int i = 0; i < 5; i++) {
            // The block, its uncle, and the two together are proven one after the other.
            weir.settle();
        }
    }
}
