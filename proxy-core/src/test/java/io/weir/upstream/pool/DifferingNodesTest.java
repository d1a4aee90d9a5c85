package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.Attempt;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Choice of a node if nodes differ in their data and in the calls they accept. */
class DifferingNodesTest {

    private static final int DRAWS = 40;
    private static final long TEN_MINUTES_MILLIS = 600_100;

    private final PoolBench bench = new PoolBench();

    private static RpcCall receipt(int number) {
        return new RpcCall(RawJson.of("1"), "eth_getTransactionReceipt", RawJson.of("[\"0x" + number + "\"]"));
    }

    private Upstream node(String id) {
        return bench.upstream(id);
    }

    private String choice(RpcCall call, Upstream... tried) {
        Choice choice = bench.pool.choose(call, List.of(tried), 0);
        return choice == null ? "none" : choice.upstream().id();
    }

    private String check(RpcCall call, String... empty) {
        List<Upstream> nodes = List.of(empty).stream().map(this::node).toList();
        Choice choice = bench.pool.chooseToCheck(call, nodes, nodes);
        return choice == null ? "none" : choice.upstream().id();
    }

    /** Statement of the node's own chain about a transaction that the node does not find. */
    private FakeNode lacking(FakeNode node, String block) {
        node.probeOutcomes.put("eth_getTransactionReceipt", FakeNode.answer("null"));
        node.probeOutcomes.put("eth_getBlockByNumber", FakeNode.answer(block));
        return node;
    }

    private static String blockWith(String... transactions) {
        return "{ \"hash\": \"0x7\", \"transactions\" : [" + String.join(", ", transactions) + "] }";
    }

    private void missed(String id, int receipt, long block) {
        node(id).missedTransaction(bench.loop, receipt(receipt), block);
    }

    private boolean isMarked(String id) {
        return ((Node) node(id)).transactions().isLacking();
    }

    @Test
    void aNodeWhoseOwnBlockDoesNotListTheTransactionIsNotMarkedHoweverOftenAnotherOneSaysSo() {
        lacking(bench.node("a", 0, 1), blockWith("\"0x99\""));
        bench.node("liar", 0, 1);
        bench.begin();
        for (int i = 1; i <= 20; i++) {
            missed("a", i, 50);
            bench.pass(6_000);
        }
        assertThat(isMarked("a")).isFalse();
    }

    @Test
    void aHashThatIsInTheBlockButNotAmongItsTransactionsMarksNoNode() {
        lacking(bench.node("a", 0, 1), blockWith());
        bench.node("liar", 0, 1);
        bench.begin();
        missed("a", 7, 50);
        assertThat(isMarked("a")).isFalse();
    }

    @Test
    void aNodeThatFindsTheTransactionByNowOrGivesNoUsableAnswerIsNotMarked() {
        FakeNode a = lacking(bench.node("a", 0, 1), "\"no block\"");
        bench.begin();
        missed("a", 1, 50);
        assertThat(isMarked("a")).isFalse();
        bench.pass(6_000);
        a.probeOutcomes.put("eth_getBlockByNumber", FakeNode.error(-32000));
        missed("a", 1, 50);
        assertThat(isMarked("a")).isFalse();
        bench.pass(6_000);
        a.probeOutcomes.put("eth_getTransactionReceipt", FakeNode.answer("{}"));
        missed("a", 1, 50);
        assertThat(isMarked("a")).isFalse();
    }

    @Test
    void aNodeWithoutTheBlockLacksItsTransactionsToo() {
        lacking(bench.node("a", 0, 1), "null");
        FakeNode b = lacking(bench.node("b", 0, 1), "null");
        b.probeOutcomes.put("eth_getBlockByNumber", FakeNode.error(4444));
        bench.begin();
        missed("a", 1, 50);
        missed("b", 1, 50);
        assertThat(isMarked("a")).isTrue();
        assertThat(isMarked("b")).isTrue();
    }

    @Test
    void aMarkIsDroppedOnceTheTransactionLeftTheChain() {
        FakeNode a = lacking(bench.node("a", 0, 1), blockWith("\"0x1\""));
        bench.begin();
        missed("a", 1, 50);
        assertThat(isMarked("a")).isTrue();
        a.probeOutcomes.put("eth_getBlockByNumber", FakeNode.answer(blockWith("\"0x2\"")));
        bench.pass(700_000);
        assertThat(isMarked("a")).isFalse();
    }

    @Test
    void aNodeThatLacksOldTransactionsIsAskedForThemLast() {
        lacking(bench.node("a", 0, 1), blockWith("\"0x1\""));
        lacking(bench.node("b", 0, 1), blockWith("\"0x1\""));
        bench.node("backup", 1, 1);
        bench.begin();
        missed("a", 1, 50);
        for (int i = 0; i < DRAWS; i++) {
            assertThat(choice(receipt(i))).isEqualTo("b");
        }
        assertThat(choice(receipt(1), node("b"), node("backup"))).isEqualTo("a");
        missed("b", 1, 50);
        assertThat(choice(receipt(1))).isEqualTo("backup");
        assertThat(check(receipt(1), "a")).as("before its null is believed").isEqualTo("backup");
        assertThat(check(receipt(1), "a", "b")).isEqualTo("backup");
        assertThat(check(receipt(1), "a", "backup")).isEqualTo("none");
    }

    @Test
    void aNodeThatWasBehindOrWhoseTransactionWasPendingIsNotMarked() {
        lacking(bench.node("a", 0, 1), "null");
        bench.node("b", 0, 1);
        bench.begin();
        long head = node("a").status().head();
        missed("a", 1, head);
        missed("a", 2, head + 1);
        assertThat(isMarked("a")).isFalse();
        missed("a", 3, head - 1);
        assertThat(isMarked("a")).isTrue();
    }

    @Test
    void nullsOfCleanNodesAreCheckedAsOftenAsIsConfiguredAndNoMore() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        int checks = 0;
        for (int i = 0; i < 1_000; i++) {
            checks += check(receipt(i), "a").equals("b") ? 1 : 0;
        }
        assertThat(checks).as("six a minute, and no minute has passed").isEqualTo(6);
        assertThat(check(receipt(1), "a", "b")).as("null from two").isEqualTo("none");
    }

    @Test
    void aSingleNodeIsBelieved() {
        bench.node("a", 0, 1);
        bench.begin();
        assertThat(check(receipt(1), "a")).isEqualTo("none");
    }

    @Test
    void aMarkedNodeIsAskedAgainLater() {
        FakeNode a = lacking(bench.node("a", 0, 1), blockWith("\"0x1\""));
        bench.node("b", 0, 1);
        bench.begin();
        missed("a", 1, 50);
        a.probeOutcomes.put("eth_getTransactionReceipt", FakeNode.answer("null"));
        bench.pass(700_000);
        assertThat(a.probed).contains("eth_getTransactionReceipt");
        assertThat(isMarked("a")).isTrue();
        a.probeOutcomes.put("eth_getTransactionReceipt", FakeNode.answer("{}"));
        bench.pass(700_000);
        assertThat(isMarked("a")).isFalse();
    }

    @Test
    void aNodeThatRefusedAFormOfParametersIsNotAskedFirstForAWhile() {
        bench.node("a", 0, 1);
        bench.node("b", 1, 1);
        bench.begin();
        RpcCall safe = new RpcCall(RawJson.of("1"), "eth_getBlockByNumber", RawJson.of("[\"safe\",false]"));
        RpcCall latest = new RpcCall(RawJson.of("1"), "eth_getBlockByNumber", RawJson.of("[\"latest\",false]"));
        node("a").refusedParams(safe);
        assertThat(choice(safe)).isEqualTo("b");
        assertThat(choice(safe, node("b"))).isEqualTo("a");
        assertThat(choice(latest)).isEqualTo("a");
        bench.pass(TEN_MINUTES_MILLIS);
        assertThat(choice(safe)).isEqualTo("a");
    }

    @Test
    void afterAWhileOneCallTriesARefusedFormAgainAndOneMoreRefusalIsEnough() {
        twoNodes();
        for (int block = 1; block <= RefusedCalls.CALLS; block++) {
            node("a").refusedParams(balance(block));
        }
        assertThat(choice(balance(7))).isEqualTo("b");
        bench.pass(TEN_MINUTES_MILLIS);
        assertThat(choice(balance(7))).isEqualTo("a");
        assertThat(choice(balance(8))).as("while one tries").isEqualTo("b");
        node("a").refusedParams(balance(7));
        bench.pass(60_000);
        assertThat(choice(balance(9))).isEqualTo("b");
    }

    private static RpcCall balance(int block) {
        return new RpcCall(RawJson.of("1"), "eth_getBalance", RawJson.of("[\"0x12\",\"0x" + block + "\"]"));
    }

    private void twoNodes() {
        bench.node("a", 0, 1);
        bench.node("b", 1, 1);
        bench.begin();
    }

    @Test
    void aValueThatANodeRefusesSaysNothingOfTheFormHoweverOftenItIsSent() {
        twoNodes();
        for (int i = 0; i < 100; i++) {
            node("a").refusedParams(balance(1));
        }
        node("a").refusedParams(balance(2));
        assertThat(choice(balance(3))).isEqualTo("a");
        node("a").refusedParams(balance(3));
        assertThat(choice(balance(4))).as("three values").isEqualTo("b");
    }

    @Test
    void refusalsWithASuccessBetweenThemSayNothingOfTheForm() {
        twoNodes();
        for (int i = 0; i < 20; i++) {
            node("a").refusedParams(balance(i));
            if (i % 2 == 1) {
                node("a").ask(bench.loop, balance(100 + i), Long.MAX_VALUE, Attempt.of(outcome -> {}));
                bench.nodes.get("a").calls.removeLast().end(FakeNode.answer("1"));
            }
        }
        assertThat(choice(balance(1))).isEqualTo("a");
    }

    @Test
    void refusalsThatAreFarApartSayNothingOfTheForm() {
        twoNodes();
        for (int i = 0; i < 5; i++) {
            node("a").refusedParams(balance(i));
            bench.pass(TEN_MINUTES_MILLIS / 2);
        }
        assertThat(choice(balance(1))).isEqualTo("a");
    }

    @Test
    void repeatsOfRefusedCallsAreBoundedPerMinute() {
        twoNodes();
        int repeats = 0;
        for (int i = 0; i < 1_000; i++) {
            repeats += node("a").takeRefusalRepeat() ? 1 : 0;
        }
        assertThat(repeats).isEqualTo(RefusedCalls.REPEATS_PER_MINUTE);
        bench.pass(1_000);
        assertThat(node("a").takeRefusalRepeat()).isTrue();
        assertThat(node("b").takeRefusalRepeat()).isTrue();
    }
}
