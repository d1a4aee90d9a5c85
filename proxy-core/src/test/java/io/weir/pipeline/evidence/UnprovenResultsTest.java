package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.tier.TierStack;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.verify.ChainVectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** State in memory, which nothing proves: sampled, and lost once its node is caught. */
class UnprovenResultsTest {

    private static final String TRUTH = "\"0x5\"";

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final HandNode c = new HandNode("c");
    /** What a node answers instead of the truth, by node. */
    private final Map<String, String> lies = new HashMap<>();

    private ServingFixture weir;

    @AfterEach
    void close() {
        weir.close();
    }

    private void start(int nodes, int samplePercent) {
        weir = new ServingFixture(nodes, samplePercent + " %", TierStack.NONE);
        serve(weir.pool.a);
        serve(weir.pool.b);
        if (nodes == 3) {
            weir.pool.nodes.add(c);
            serve(c);
        }
    }

    private void serve(HandNode node) {
        ServingFixture.serve(node, chain, call -> state(node, call));
    }

    private NodeOutcome state(HandNode node, RpcCall call) {
        boolean state = call.method().equals("eth_getBalance") || call.method().equals("eth_call");
        return state ? HandNode.result(lies.getOrDefault(node.id(), TRUTH)) : null;
    }

    private static String balance(int account) {
        return "[\"0x%040x\",\"0x28\"]".formatted(account);
    }

    private Answer ask(String method, String params) {
        Answer answer = weir.ask(method, params);
        weir.settle();
        return answer;
    }

    private Answer ask(int account) {
        return ask("eth_getBalance", balance(account));
    }

    @Test
    void aSampledResultThatAnotherNodeConfirmsIsStored() {
        start(2, 100);
        ask(1);
        assertThat(weir.pool.b.texts()).contains("eth_getBalance" + balance(1));
        assertThat(ask(1).cache()).isEqualTo("hit");
    }

    @Test
    void withoutSamplingNoOtherNodeIsAsked() {
        start(3, 0);
        ask(1);
        assertThat(ask(1).cache()).isEqualTo("hit");
        assertThat(weir.pool.b.texts()).noneMatch(text -> text.startsWith("eth_getBalance"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBalance", "eth_call"})
    void ofThreeNodesTwoDecideWhatIsStored(String method) {
        start(3, 100);
        lies.put("a", "\"0x6\"");
        String params = method.equals("eth_call") ? "[{\"to\":\"0x%040x\"},\"0x28\"]".formatted(1) : balance(1);
        assertThat(ask(method, params).json().asString())
                .as("the answer does not wait")
                .isEqualTo("0x6");
        Answer again = ask(method, params);
        assertThat(again.cache()).isEqualTo("hit");
        assertThat(again.json().asString()).isEqualTo("0x5");
        assertThat(weir.pool.a.refuted)
                .singleElement()
                .asString()
                .startsWith("OTHER_RESULT " + (method.equals("eth_call") ? "counts" : "costs") + ": block 40: ");
    }

    @Test
    void ofTwoNodesThatDifferNoneIsBelieved() {
        start(2, 100);
        lies.put("a", "\"0x6\"");
        ask(1);
        assertThat(ask(1).cache()).isEqualTo("fwd=uri-miss");
        assertThat(weir.pool.counter("cache_answers", "disputed")).isEqualTo(2);
        assertThat(weir.pool.a.refuted).isEmpty();
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @Test
    void aLiarLosesAllItsUnprovenResultsAndNobodyElseAnyAndNoProvenOnes() {
        start(3, 100);
        String block = "[\"" + chain.at(40).hash() + "\",true]";
        ask("eth_getBlockByHash", block);
        ask(1);
        ask(2);
        weir.pool.a.health = Health.DOWN;
        ask(3);
        weir.pool.a.health = Health.HEALTHY;
        for (int account = 1; account <= 3; account++) {
            assertThat(ask(account).cache()).isEqualTo("hit");
        }
        lies.put("a", "\"0x6\"");
        ask(4);

        assertThat(weir.pool.counter("cache_revocations", "")).isEqualTo(1);
        assertThat(ask(3).cache()).as("of another node").isEqualTo("hit");
        assertThat(ask("eth_getBlockByHash", block).cache()).as("proven").isEqualTo("hit");
        lies.clear();
        for (int account = 1; account <= 2; account++) {
            assertThat(ask(account).cache()).as("of the liar").isEqualTo("fwd=uri-miss");
            assertThat(ask(account).cache()).as("asked again").isEqualTo("hit");
        }
    }

    @Test
    void aFailedProofCostsTheUnprovenResultsToo() {
        start(3, 0);
        ask(1);
        assertThat(ask(1).cache()).isEqualTo("hit");
        beCaught(weir.pool.a, forged());
        assertThat(ask(1).cache()).isEqualTo("fwd=uri-miss");
    }

    private ObjectNode forged() {
        return chain.at(41).block().deepCopy().put("gasUsed", "0x1");
    }

    /** Has a node give another block than block 41 for the hash of that block. */
    private void beCaught(HandNode node, ObjectNode other) {
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals("eth_getBlockByHash")
                        ? HandNode.result(other.toString())
                        : state(node, call));
        ask("eth_getBlockByHash", "[\"" + chain.at(41).hash() + "\",true]");
        weir.settle();
        assertThat(node.refuted).isNotEmpty();
    }

    @Test
    void anAnswerOfBeforeItsNodeWasCaughtIsNotStoredForTheTimeAfter() {
        start(3, 0);
        weir.pool.nodes.forEach(node -> holdFinality((HandNode) node));
        ask(1);
        beCaught(weir.pool.a, chain.at(42).block());
        weir.onLoop(loop -> releaseFinality());
        weir.settle();
        assertThat(ask(1).cache()).isEqualTo("fwd=uri-miss");
        assertThat(ask(1).cache()).as("asked again").isEqualTo("hit");
    }

    private void holdFinality(HandNode node) {
        var answers = node.answers;
        node.answers = call -> isAboutFinality(call) ? null : answers.apply(call);
    }

    private static boolean isAboutFinality(RpcCall call) {
        return String.valueOf(call.params()).contains("finalized");
    }

    private void releaseFinality() {
        for (var one : weir.pool.nodes) {
            HandNode node = (HandNode) one;
            List.copyOf(node.asked).stream()
                    .filter(asked -> isAboutFinality(asked.call()))
                    .forEach(asked -> asked.answer(chain.outcome(asked.call())));
        }
    }

    @Test
    void thePlaceOfABlockByTheWordOfOneNodeIsLostWithTheNode() {
        start(1, 0);
        String byNumber = "[\"0x28\",true]";
        ask("eth_getBlockByNumber", byNumber);
        assertThat(ask("eth_getBlockByNumber", byNumber).cache()).isEqualTo("hit");
        beCaught(weir.pool.a, forged());
        assertThat(ask("eth_getBlockByNumber", byNumber).cache()).isEqualTo("fwd=uri-miss");
    }
}
