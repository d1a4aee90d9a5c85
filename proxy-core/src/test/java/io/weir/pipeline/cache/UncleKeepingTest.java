package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.Verify;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Blocks with uncles that clients ask for whole, where answers are verified before they are kept. */
class UncleKeepingTest {

    private static final Caller CLIENT = TestCaller.CLIENT;

    private final VectorNode node = new VectorNode();
    private CacheFixture weir = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1);
    private final ObjectNode block = node.blocks.stream()
            .filter(one ->
                    one.get("uncles").size() == 1 && !one.get("transactions").isEmpty())
            .findFirst()
            .orElseThrow();

    private String ask(String method, String params) {
        String answer = weir.awaitAnswer(weir.askLater(method, params, CLIENT));
        weir.awaitVerified();
        return answer;
    }

    private List<String> uncleCalls() {
        return node.asked.stream()
                .filter(call -> call.startsWith("eth_getUncle"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockByHash", "eth_getBlockByNumber"})
    void aBlockThatAClientAsksForWholeIsKeptWithItsUnclesCompared(String method) {
        String params = "[" + block.get(method.endsWith("Hash") ? "hash" : "number") + ",true]";
        String first = ask(method, params);
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
        String second = ask(method, params);
        assertThat(weir.status()).isEqualTo("hit");
        assertThat(second).isEqualTo(first);
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(weir.status()).isEqualTo("hit");
        // Of one upstream alone a block by its number is kept, and not called verified.
        assertThat(weir.last.trace().verified()).isEqualTo(method.endsWith("Hash") ? "header, transactions" : "");
        assertThat(uncleCalls()).containsExactly("eth_getUncleByBlockHashAndIndex[" + block.get("hash") + ",\"0x0\"]");
        assertThat(weir.counter("proven")).isPositive();
    }

    @Test
    void wherePrefetchingIsSwitchedOffNoUnclesAreAskedFor() {
        weir = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1, "gather.enabled = off");
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(uncleCalls()).isEmpty();
    }

    @Test
    void aBlockWhoseListOfUnclesIsFalseIsNotKept() {
        ArrayNode uncles = (ArrayNode) block.get("uncles");
        uncles.set(0, VectorNode.JSON.getNodeFactory().stringNode("0x" + "ab".repeat(32)));
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(uncleCalls()).hasSize(1);
        assertThat(weir.counter("wrong")).isEqualTo(1);
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
    }

    @Test
    void aFalseUncleIsNoFaultOfTheBlock() {
        ObjectNode uncle = node.chain.uncles(block).get(0);
        uncle.put("gasUsed", "0x1");
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(weir.counter("wrong")).isZero();
        ask("eth_getBlockByHash", "[" + block.get("hash") + ",true]");
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "52, 1, 0"})
    void anUncleOfAnotherBlockIsALieOnlyIfItsHeightHadThatBlockAlready(long lastFinal, int wrong, int unverified) {
        node.lastFinal = lastFinal;
        weir = new CacheFixture(node, () -> lastFinal + 2, Verify.BEFORE_CACHING, 1);
        ask("eth_getBlockByNumber", "[" + block.get("number") + ",true]");
        ask("eth_getBlockByNumber", "[" + block.get("number") + ",true]");
        assertThat(weir.status()).isEqualTo("hit");
        ObjectNode other = node.blocks.stream()
                .filter(one -> one.get("uncles").size() == 1 && !one.equals(block))
                .findFirst()
                .orElseThrow();
        ObjectNode uncle = node.chain.uncles(block).get(0);
        uncle.removeAll();
        uncle.setAll(node.chain.uncles(other).get(0));
        ask("eth_getUncleByBlockNumberAndIndex", "[" + block.get("number") + ",\"0x0\"]");
        assertThat(weir.counter("wrong")).isEqualTo(wrong);
        assertThat(weir.counter("unverified")).isEqualTo(unverified);
    }
}
