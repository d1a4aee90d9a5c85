package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.HeaderField;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.verify.ChainVectors;
import io.weir.verify.FamilyVectors;
import io.weir.verify.StateSyncBlock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results of honest nodes that proofs do not fit, and lies behind what nobody can verify. */
class ResultsInDoubtTest {

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final Entry block = chain.at(54);
    private ServingFixture weir;

    @AfterEach
    void close() {
        if (weir != null) {
            weir.close();
        }
    }

    private void start(Hashing hashing, int nodes) {
        weir = new ServingFixture(Verify.BEFORE_CACHING, hashing, Unverifiable.REFUSE, nodes);
        ServingFixture.serve(weir.pool.a, chain);
        ServingFixture.serve(weir.pool.b, chain);
    }

    private static String hashOf(ObjectNode block) {
        BlockHeaderBuilder builder = BlockHeader.builder();
        for (HeaderField field : HeaderField.values()) {
            if (block.hasNonNull(field.jsonName())) {
                builder.hex(field, block.get(field.jsonName()).stringValue());
            }
        }
        return builder.build().hash().hex();
    }

    /** A block of QBFT: its hash is that of the header whose extra data has no seals and round 0. */
    private ObjectNode qbft(String number, String extra, String hashed) {
        ObjectNode made = chain.at(1).block().deepCopy();
        made.put("number", number).put("extraData", hashed);
        made.put("hash", hashOf(made)).put("extraData", extra);
        made.get("transactions").forEach(one -> {
            ((ObjectNode) one).put("blockHash", made.get("hash").stringValue());
            ((ObjectNode) one).put("blockNumber", number);
        });
        return made;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theGenesisOfQbftShowsNoRules(int nodes) {
        start(Hashing.AUTO, nodes);
        String vanity = "00".repeat(32);
        String unsealed = "0xe5a0" + vanity + "c0c080c0";
        String sealed = "0xf868a0" + vanity + "c0c080f842b841" + "11".repeat(65);
        ObjectNode genesis = qbft("0x0", unsealed, unsealed);
        ObjectNode second = qbft("0x2", sealed, unsealed);
        Map<String, ObjectNode> blocks = Map.of("0x0", genesis, "0x2", second);
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(node, chain, call -> {
                String params = String.valueOf(call.params());
                for (Map.Entry<String, ObjectNode> one : blocks.entrySet()) {
                    if (params.contains('"' + one.getKey() + '"')) {
                        return HandNode.result(one.getValue().toString());
                    }
                }
                return HandNode.result("null");
            });
        }
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x2\",true]").reply()).isInstanceOf(RpcReply.Result.class);
        weir.ask("eth_getBlockByNumber", "[\"0x0\",true]");
        weir.forget();
        Answer after = weir.ask("eth_getBlockByNumber", "[\"0x2\",true]");
        assertThat(weir.pool.a.refuted).as("charges").noneMatch(one -> one.contains("costs"));
        assertThat(after.reply()).isInstanceOf(RpcReply.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reth and erigon: no root", "nethermind: root and status"})
    void receiptsFromBeforeByzantiumAsOtherNodesWriteThemAreServed(String vendor) {
        start(Hashing.ETHEREUM, 2);
        Entry old = chain.first(
                entry -> !entry.receipts().isEmpty() && entry.receipts().get(0).hasNonNull("root"));
        ArrayNode receipts = old.receipts().deepCopy();
        for (JsonNode receipt : receipts) {
            ((ObjectNode) receipt).put("status", "0x1");
            if (vendor.startsWith("reth")) {
                ((ObjectNode) receipt).remove("root");
            }
        }
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(
                    node,
                    chain,
                    call -> call.method().equals("eth_getBlockReceipts") ? HandNode.result(receipts.toString()) : null);
        }
        weir.ask("eth_getBlockByHash", "[\"" + old.hash() + "\",true]");
        Answer answer = weir.ask("eth_getBlockReceipts", "[\"" + old.hash() + "\"]");
        assertThat(weir.pool.a.refuted).as("charges").isEmpty();
        assertThat(answer.reply()).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void aLieWithAnUnknownMemberIsNotServed() {
        start(Hashing.ETHEREUM, 2);
        ObjectNode honest = (ObjectNode) block.block().get("transactions").get(0);
        ObjectNode lie = honest.deepCopy();
        lie.put("value", "0x777").put("foo", "0x1");
        ServingFixture.serve(
                weir.pool.a,
                chain,
                call -> call.method().equals("eth_getTransactionByHash") ? HandNode.result(lie.toString()) : null);
        Answer answer =
                weir.ask("eth_getTransactionByHash", "[\"" + honest.get("hash").stringValue() + "\"]");
        assertThat(answer.json().get("value")).isEqualTo(honest.get("value"));
    }

    @Test
    void aHeaderWithAnUnknownMemberIsNoExcuse() {
        start(Hashing.ETHEREUM, 2);
        ObjectNode lie = block.block().deepCopy();
        lie.put("stateRoot", "0x" + "7".repeat(64)).put("foo", "0x1");
        ServingFixture.serve(
                weir.pool.a,
                chain,
                call -> call.method().equals("eth_getBlockByHash") ? HandNode.result(lie.toString()) : null);
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + block.hash() + "\",true]");
        assertThat(answer.json().get("stateRoot")).isEqualTo(block.block().get("stateRoot"));
    }

    @Test
    void receiptsAfterTheirBlockWithAnUnknownTypeAreNoExcuse() {
        start(Hashing.ETHEREUM, 2);
        ArrayNode lie = block.receipts().deepCopy();
        ObjectNode first = (ObjectNode) lie.get(0);
        first.put("type", "0x63")
                .put("status", first.get("status").stringValue().equals("0x1") ? "0x0" : "0x1");
        ServingFixture.serve(
                weir.pool.a,
                chain,
                call -> call.method().equals("eth_getBlockReceipts") ? HandNode.result(lie.toString()) : null);
        weir.ask("eth_getBlockByHash", "[\"" + block.hash() + "\",true]");
        Answer answer = weir.ask("eth_getBlockReceipts", "[\"" + block.hash() + "\"]");
        assertThat(answer.json().get(0).get("status"))
                .isEqualTo(block.receipts().get(0).get("status"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"polygon-50000000"})
    void aChainThatIsKnownToHaveOtherRulesIsServed(String name) {
        weir = new ServingFixture(Verify.BEFORE_CACHING, "137");
        ObjectNode other =
                StateSyncBlock.of(FamilyVectors.read(name).completed()).block();
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(
                    node,
                    chain,
                    call -> call.method().equals("eth_getTransactionByHash")
                            ? HandNode.result(other.get("transactions")
                                    .get(StateSyncBlock.INDEX)
                                    .toString())
                            : String.valueOf(call.params())
                                            .contains(other.get("number").stringValue())
                                    ? HandNode.result(other.toString())
                                    : null);
        }
        weir.ask("eth_getBlockByNumber", "[\"0x28\",true]");
        Answer answer =
                weir.ask("eth_getBlockByNumber", "[\"" + other.get("number").stringValue() + "\",true]");
        assertThat(answer.reply()).as(String.valueOf(weir.pool.a.refuted)).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void aTransactionOfAChainWithOtherRulesIsNotLostToANodeThatLags() {
        start(Hashing.AUTO, 2);
        ObjectNode other = ((ObjectNode) block.block().get("transactions").get(0)).deepCopy();
        other.put("value", "0x777");
        ServingFixture.serve(
                weir.pool.a,
                chain,
                call -> call.method().equals("eth_getTransactionByHash") ? HandNode.result(other.toString()) : null);
        ServingFixture.serve(
                weir.pool.b,
                chain,
                call -> call.method().equals("eth_getTransactionByHash") ? HandNode.result("null") : null);
        Answer answer =
                weir.ask("eth_getTransactionByHash", "[\"" + other.get("hash").stringValue() + "\"]");
        assertThat(answer.json()).isEqualTo(other);
    }
}
