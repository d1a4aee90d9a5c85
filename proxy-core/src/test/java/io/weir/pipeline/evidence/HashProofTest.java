package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadMoment;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results that are proven by hashes before they are served, where answers are verified before they are cached. */
class HashProofTest {

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final Entry block = chain.at(54);
    private ServingFixture weir;

    @AfterEach
    void close() {
        weir.close();
    }

    private void start(Hashing hashing, int nodes) {
        weir = new ServingFixture(Verify.BEFORE_CACHING, hashing, Unverifiable.REFUSE, nodes);
        ServingFixture.serve(weir.pool.a, chain);
        ServingFixture.serve(weir.pool.b, chain);
    }

    private void lie(HandNode node, UnaryOperator<ObjectNode> lie) {
        ServingFixture.serve(
                node,
                chain,
                call -> isOfBlock(call) ? result(lie.apply(block.block().deepCopy())) : null);
    }

    /** Has a node lie about every block, those that the proxy asks for by itself included. */
    private void lieAlways(HandNode node) {
        NodeOutcome lie = result(falseMember(block.block().deepCopy(), "stateRoot"));
        ServingFixture.serve(node, chain, call -> call.method().startsWith("eth_getBlockBy") ? lie : null);
    }

    private static boolean isOfBlock(RpcCall call) {
        return call.method().startsWith("eth_getBlockBy")
                && !String.valueOf(call.params()).contains("finalized");
    }

    private static NodeOutcome result(ObjectNode answer) {
        return HandNode.result(answer.toString());
    }

    private static ObjectNode falseMember(ObjectNode answer, String name) {
        return answer.put(name, name.equals("gasUsed") ? "0x7" : "0x" + "7".repeat(64));
    }

    private Answer ask() {
        return weir.ask("eth_getBlockByNumber", "[\"" + block.number() + "\",true]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash", "stateRoot", "gasUsed", "parentHash"})
    void anotherNodeIsAskedIfAHeaderContradictsItsHash(String member) {
        start(Hashing.ETHEREUM, 2);
        lie(weir.pool.a, answer -> falseMember(answer, member));
        assertThat(ask().json()).isEqualTo(block.block());
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "nonce", "input", "gas", "hash"})
    void anotherNodeIsAskedIfATransactionOfABlockIsNotInTheRoot(String member) {
        start(Hashing.ETHEREUM, 2);
        lie(weir.pool.a, answer -> {
            falsify((ObjectNode) answer.get("transactions").get(0), member);
            return answer;
        });
        assertThat(ask().json()).isEqualTo(block.block());
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
    }

    @Test
    void aHeaderHasNoListsAndIsProvenByItsHash() {
        start(Hashing.ETHEREUM, 2);
        ObjectNode header = block.block().deepCopy();
        header.remove(List.of("transactions", "uncles", "withdrawals", "size"));
        String params = "[\"" + header.get("hash").stringValue() + "\"]";
        AtomicReference<ObjectNode> given = new AtomicReference<>(header);
        ServingFixture.serve(
                weir.pool.a, chain, call -> call.method().equals("eth_getHeaderByHash") ? result(given.get()) : null);
        ServingFixture.serve(
                weir.pool.b, chain, call -> call.method().equals("eth_getHeaderByHash") ? result(header) : null);

        assertThat(weir.ask("eth_getHeaderByHash", params).json()).isEqualTo(header);
        assertThat(weir.pool.a.refuted).isEmpty();

        given.set(falseMember(header.deepCopy(), "stateRoot"));
        weir.forget();
        assertThat(weir.ask("eth_getHeaderByHash", params).json()).isEqualTo(header);
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
    }

    @Test
    void anotherNodeIsAskedIfABlockLacksATransaction() {
        start(Hashing.ETHEREUM, 2);
        lie(weir.pool.a, answer -> {
            ((ArrayNode) answer.get("transactions")).remove(0);
            return answer;
        });
        assertThat(ask().json()).isEqualTo(block.block());
        assertThat(weir.pool.a.refuted).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "nonce", "input", "gas", "from"})
    void anotherNodeIsAskedIfATransactionContradictsItsHashOrItsSignature(String member) {
        start(Hashing.ETHEREUM, 2);
        ObjectNode transaction = (ObjectNode) block.block().get("transactions").get(0);
        ServingFixture.serve(weir.pool.a, chain, call -> {
            if (!call.method().equals("eth_getTransactionByHash")) {
                return null;
            }
            ObjectNode other = transaction.deepCopy();
            falsify(other, member);
            return result(other);
        });
        String hash = transaction.get("hash").stringValue();

        assertThat(weir.ask("eth_getTransactionByHash", "[\"" + hash + "\"]").json())
                .isEqualTo(transaction);
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
    }

    /** Puts another value of the same form. */
    private static void falsify(ObjectNode object, String member) {
        String value = object.get(member).asString();
        char last = value.charAt(value.length() - 1);
        object.put(
                member,
                value.equals("0x") ? "0x77" : value.substring(0, value.length() - 1) + (last == '7' ? '8' : '7'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'hash':null}", "{'hash':null,'number':null}", "{}"})
    void anotherNodeIsAskedIfABlockThatIsNotPendingHasNoHash(String members) {
        start(Hashing.ETHEREUM, 2);
        ObjectNode without = (ObjectNode) VectorChain.JSON.readTree(members.replace('\'', '"'));
        lie(weir.pool.a, answer -> {
            answer.setAll(without);
            return without.isEmpty() ? without : answer;
        });
        assertThat(ask().json()).isEqualTo(block.block());
        assertThat(weir.pool.a.refuted).singleElement().asString().containsAnyOf("hash", "another form");
    }

    @Test
    void anotherNodeIsAskedIfTheBlockIsOfAnotherHeight() {
        start(Hashing.ETHEREUM, 2);
        ObjectNode other = chain.at(53).block();
        lie(weir.pool.a, answer -> other);
        assertThat(ask().json()).isEqualTo(block.block());
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("UNFIT costs: ");
    }

    @Test
    void anotherNodeIsAskedIfTheBlockHasAnotherHashThanTheOneAskedFor() {
        start(Hashing.ETHEREUM, 2);
        ObjectNode other = chain.at(53).block();
        lie(weir.pool.a, answer -> other);
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + block.hash() + "\",false]");
        assertThat(answer.json().get("hash").stringValue()).isEqualTo(block.hash());
    }

    private void show(String... nodes) {
        for (String node : nodes) {
            String parent = block.block().get("parentHash").stringValue();
            weir.onLoop(loop -> weir.pool.head.show(new BlockLink(54, block.hash(), parent), node));
        }
    }

    /** Has nodes name block 54, which is final, and the first one turn to another block 54. */
    private void turn(String... nodes) {
        show(nodes);
        ask();
        weir.settle();
        // Its finality is known by now.
        show(nodes);
        turn();
    }

    private void turn() {
        weir.forget();
        ServingFixture.serve(weir.pool.a, new VectorChain(new ChainVectors()).put(AnchorsTest.forge(block)));
    }

    @Test
    void anotherNodeIsAskedIfTheBlockIsNotTheFinalOneThatTwoNodesNamed() {
        start(Hashing.ETHEREUM, 2);
        turn("a", "b");
        HeadMoment before = weir.pool.head.tracker().now();
        Answer answer = ask();
        assertThat(answer.json()).isEqualTo(block.block());
        assertThat(answer.upstream()).isEqualTo("b");
        assertThat(weir.pool.head.tracker().covers(before))
                .as("the chain counts as checked")
                .isFalse();
    }

    @Test
    void anotherBlockThanTheOneThatASingleNodeNamedIsServed() {
        start(Hashing.ETHEREUM, 2);
        ServingFixture.serve(weir.pool.b, chain, call -> isOfBlock(call) ? HandNode.unreachable() : null);
        turn("a");
        ServingFixture.serve(weir.pool.b, chain);
        assertThat(ask().upstream()).isEqualTo("a");
    }

    @Test
    void anotherBlockThanOneThatMayHaveBeenReplacedBeforeItsHeightBecameFinalCostsItsNodeNothing() {
        start(Hashing.ETHEREUM, 2);
        show("a", "b");
        ask();
        weir.settle();
        turn();
        // Another node is asked while the check of the chain is fresh.
        assertThat(ask().upstream()).isIn("a", "b");
        assertThat(weir.pool.a.refuted).noneMatch(one -> one.contains("costs"));
    }

    @Test
    void aFinalBlockOfAnotherBranchIsServedByItsHash() {
        start(Hashing.ETHEREUM, 2);
        turn("a", "b");
        String hash = AnchorsTest.forge(block).hash();
        assertThat(weir.ask("eth_getBlockByHash", "[\"" + hash + "\",false]").upstream())
                .isEqualTo("a");
    }

    @Test
    void anHonestBlockCostsOneCall() {
        start(Hashing.ETHEREUM, 2);
        assertThat(ask().json()).isEqualTo(block.block());
        weir.settle();
        assertThat(weir.pool.a.texts())
                .filteredOn(one -> one.contains(block.number()))
                .hasSize(1);
        assertThat(weir.pool.b.texts()).isEmpty();
    }

    @Test
    void noAnswerIsGivenIfAllNodesLieThoughTheRulesAreKnown() {
        start(Hashing.ETHEREUM, 2);
        lie(weir.pool.a, answer -> falseMember(answer, "stateRoot"));
        lie(weir.pool.b, answer -> falseMember(answer, "stateRoot"));
        assertThat(ask().failure().error().message()).contains("not proven");
    }

    @Test
    void aBlockOfAChainWithOtherRulesIsServedAndNoNodeIsAskedForItForEver() {
        start(Hashing.AUTO, 2);
        lieAlways(weir.pool.a);
        lieAlways(weir.pool.b);
        for (int i = 0; i < 2 * MisbehaviourTracker.MAX_DOUBTS; i++) {
            assertThat(ask().json().get("stateRoot").stringValue()).contains("7777");
        }
        assertThat(weir.pool.b.asked).hasSize(MisbehaviourTracker.MAX_DOUBTS);
        assertThat(weir.pool.a.refuted).isNotEmpty().allMatch(one -> one.startsWith("FALSE_HASH counts: "));
    }

    @Test
    void theFirstLieIsNotServedIfAnotherNodeShowsThatTheRulesHold() {
        start(Hashing.AUTO, 2);
        lie(weir.pool.a, answer -> falseMember(answer, "stateRoot"));
        assertThat(ask().json()).isEqualTo(block.block());
    }

    @Test
    void theFirstAnswerIsServedIfNoOtherNodeAnswers() {
        start(Hashing.AUTO, 2);
        lie(weir.pool.a, answer -> falseMember(answer, "stateRoot"));
        weir.pool.b.answering(HandNode.unreachable());
        assertThat(ask().json().get("stateRoot").stringValue()).contains("7777");
    }

    @Test
    void theFirstAnswerIsNotServedIfABlockHasShownMeanwhileThatTheRulesHold() throws Exception {
        start(Hashing.AUTO, 2);
        lie(weir.pool.a, answer -> falseMember(answer, "stateRoot"));
        CountDownLatch asked = new CountDownLatch(1);
        weir.pool.b.answers = call -> {
            asked.countDown();
            return null;
        };
        CompletableFuture<Answer> doubtful = CompletableFuture.supplyAsync(this::ask);
        assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
        ServingFixture.serve(weir.pool.a, chain);
        weir.ask("eth_getBlockByNumber", "[\"0x28\",true]");
        weir.onLoop(loop -> weir.pool.b.asked.get(0).answer(HandNode.unreachable()));
        assertThat(doubtful.get(60, TimeUnit.SECONDS).failure().kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void aFalseAnswerOfTheOnlyNodeIsNotServedOnceTheRulesAreKnown() {
        start(Hashing.ETHEREUM, 1);
        lie(weir.pool.a, answer -> falseMember(answer, "stateRoot"));
        assertThat(ask().failure().error().message()).contains("not proven");
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: ");
    }

    @Test
    void theOnlyNodesAnswerIsServedAsLongAsTheRulesAreNotKnown() {
        start(Hashing.AUTO, 1);
        lieAlways(weir.pool.a);
        assertThat(ask().json().get("stateRoot").stringValue()).contains("7777");
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "cumulativeGasUsed", "gasUsed", "logsBloom", "data", "address"})
    void anotherNodeIsAskedIfReceiptsContradictTheHeaderOfABlockThatPassedBy(String member) {
        start(Hashing.ETHEREUM, 2);
        ask();
        ArrayNode receipts = block.receipts();
        ServingFixture.serve(weir.pool.a, chain, call -> {
            if (!call.method().equals("eth_getBlockReceipts")) {
                return null;
            }
            ArrayNode other = receipts.deepCopy();
            ObjectNode receipt = (ObjectNode) other.get(other.size() - 1);
            falsify(
                    receipt.has(member)
                            ? receipt
                            : (ObjectNode) receipt.get("logs").get(0),
                    member);
            return HandNode.result(other.toString());
        });
        assertThat(weir.ask("eth_getBlockReceipts", "[\"" + block.hash() + "\"]")
                        .json())
                .isEqualTo(receipts);
        assertThat(weir.pool.a.refuted).isNotEmpty();
    }
}
