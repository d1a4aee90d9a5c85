package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice among nodes that differ in latency and in what they have. */
class ChoiceByNeedTest {

    private static final RpcCall BALANCE = new RpcCall(RawJson.of("1"), "eth_getBalance", null);

    private final PoolBench bench = new PoolBench();

    private String chosen(long block) {
        Choice choice = bench.pool.choose(BALANCE, List.of(), block);
        return choice == null ? "none" : choice.upstream().id();
    }

    private Map<String, Integer> draws(int count) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < count; i++) {
            counts.merge(bench.chosen(), 1, Integer::sum);
        }
        return counts;
    }

    private void answers(String id, long millis) {
        bench.ask(id);
        bench.ticker.advanceMillis(millis);
        bench.nodes.get(id).calls.removeLast().end(FakeNode.answer("\"0x1\""));
    }

    @Test
    void aSlowNodeGetsNoCallsUntilItsLatencyIsForgotten() {
        List.of("a", "b", "slow").forEach(id -> bench.node(id, 0, 1));
        bench.begin();
        answers("slow", 500);
        answers("a", 1);
        answers("b", 1);
        assertThat(draws(1_000)).doesNotContainKey("slow");
        // Even under load, as long as the others are not as slow as it is.
        for (int i = 0; i < 100; i++) {
            bench.ask("a");
            bench.ask("b");
        }
        assertThat(draws(1_000)).doesNotContainKey("slow");
        bench.pass(90_000);
        assertThat(draws(1_000)).containsKey("slow");
    }

    @Test
    void nodesWithSimilarLatenciesShareByWeight() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        answers("a", 40);
        answers("b", 60);
        assertThat(draws(1_000).get("a")).isBetween(400, 600);
    }

    @Test
    void aNodeThatCameBackGetsAGrowingShare() {
        bench.node("a", 0, 1);
        bench.node("back", 0, 1);
        bench.begin();
        bench.ask("back", FakeNode.failed(Fault.CONNECT));
        bench.pass(50);
        assertThat(bench.status("back").health().name()).isEqualTo("HEALTHY");
        int first = draws(2_000).getOrDefault("back", 0);
        assertThat(first).isBetween(40, 200);
        bench.pass(5_000);
        int later = draws(2_000).get("back");
        assertThat(later).isBetween(350, 700);
        bench.pass(6_000);
        assertThat(draws(2_000).get("back")).isBetween(850, 1_150);
    }

    @Test
    void aNodeThatCameBackGetsAllCallsThatOnlyAHigherTierWouldGetInItsPlace() {
        bench.node("back", 0, 1);
        bench.node("far", 1, 1);
        bench.node("lacking", 0, 1, "state-from = head-10").head = 10_000;
        List.of("back", "far").forEach(id -> bench.nodes.get(id).head = 10_000);
        bench.begin();
        bench.ask("back", FakeNode.failed(Fault.CONNECT));
        bench.pass(50);
        for (int i = 0; i < 100; i++) {
            assertThat(chosen(500)).isEqualTo("back");
        }
    }

    @Test
    void aNodeThatIsBehindIsAskedForStateIfTheHealthyNodesCannotAnswer() {
        bench.node("good", 0, 1).head = 100;
        bench.node("behind", 0, 1).head = 50;
        bench.begin();
        List<Upstream> tried = List.of(bench.upstream("good"));
        Choice choice = bench.pool.choose(BALANCE, tried, 100);
        assertThat(choice).isNotNull();
        assertThat(choice.upstream().id()).isEqualTo("behind");
        assertThat(choice.degraded()).isTrue();
        RpcCall logs = new RpcCall(RawJson.of("1"), "eth_getLogs", null);
        assertThat(bench.pool.choose(logs, tried, 100))
                .as("it could leave out logs")
                .isNull();
    }

    @Test
    void aNodeThatDoesNotServeTheMethodKeepsNoCallFromThoseWithTheNextHighestHead() {
        bench.node("states", 0, 1, "methods = [\"eth_getBalance\"]").head = 101;
        bench.node("good", 0, 1).head = 100;
        bench.begin();
        RpcCall logs = new RpcCall(RawJson.of("1"), "eth_getLogs", null);
        Choice choice = bench.pool.choose(logs, List.of(), 102);
        assertThat(choice).isNotNull();
        assertThat(choice.upstream().id()).isEqualTo("good");
    }

    @Test
    void aNodeThatIsBehindIsNotAskedForStateThatItLacks() {
        bench.node("good", 0, 1).head = 100;
        bench.node("behind", 0, 1, "state-from = head-10").head = 50;
        bench.begin();
        List<Upstream> tried = List.of(bench.upstream("good"));
        assertThat(bench.pool.choose(BALANCE, tried, 45)).isNotNull();
        assertThat(bench.pool.choose(BALANCE, tried, 20)).isNull();
    }

    @Test
    void aNodeOutOfLineIsAskedForStateThatNoHealthyNodeMayGive() {
        bench.node("good", 0, 1);
        bench.node("logs", 0, 1, "methods = [\"eth_getLogs\"]");
        bench.node("ahead", 0, 1);
        bench.begin();
        bench.nodes.get("ahead").head = 1_000_000;
        bench.nodes.get("ahead").shown = 100;
        bench.chosen();
        bench.pass(60_100);
        assertThat(bench.health("ahead")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(chosen(95)).isEqualTo("good");
        Choice choice = bench.pool.choose(BALANCE, List.of(bench.upstream("good")), 95);
        assertThat(choice).isNotNull();
        assertThat(choice.upstream().id()).isEqualTo("ahead");
    }

    @Test
    void theFirstNodeOfTheConfigurationIsTakenIfThatIsWanted() {
        bench.setting("balance.choice = order");
        bench.node("main", 0, 1);
        bench.node("spare", 0, 100);
        bench.begin();
        answers("main", 500);
        assertThat(draws(100)).containsOnlyKeys("main");
        assertThat(bench.chosen("main")).isEqualTo("spare");
    }

    @Test
    void aCallAboutOldStateGoesToTheArchiveOfAHigherTierAfterOneWastedAttemptAtEachNode() {
        List.of("a", "b", "c", "d").forEach(id -> bench.node(id, 0, 1).head = 10_000);
        bench.node("archive", 1, 1).head = 10_000;
        bench.begin();
        List<String> wasted = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String id = chosen(500 + i);
            wasted.add(id);
            bench.upstream(id).lackedData(BALANCE, 500 + i);
        }
        assertThat(wasted).containsExactlyInAnyOrder("a", "b", "c", "d");
        for (long block : new long[] {1, 500, 5_000, 9_872}) {
            assertThat(chosen(block)).as("block %d", block).isEqualTo("archive");
        }
        assertThat(chosen(9_900)).isNotEqualTo("archive");
    }

    @Test
    void aNodeThatIsBehindByAFewBlocksIsNotTakenForAPrunedOne() {
        bench.node("behind", 0, 1).head = 10_000;
        bench.node("archive", 1, 1).head = 10_000;
        bench.begin();
        for (long block : new long[] {10_003, 10_000, 9_995}) {
            bench.upstream("behind").lackedData(BALANCE, block);
        }
        assertThat(chosen(9_000)).isEqualTo("behind");
        assertThat(chosen(10_000)).isEqualTo("behind");
    }

    @Test
    void aResultShowsThatANodeHasTheBlockUpToTheHeadOnWhichNodesAgree() {
        bench.node("known", 0, 1).head = 101;
        bench.node("other", 0, 1).head = 100;
        bench.begin();
        assertThat(chosenOften(101)).containsExactly("known");
        bench.upstream("other").hadData(MethodCatalogue.ofName("eth_getLogs"), PoolBench.call(), 101);
        assertThat(chosenOften(101)).as("it may have left out logs").containsExactly("known");
        bench.upstream("other").hadData(MethodCatalogue.ofName("eth_getBalance"), BALANCE, 101);
        assertThat(chosenOften(101)).containsExactlyInAnyOrder("known", "other");
        bench.upstream("other").hadData(MethodCatalogue.ofName("eth_getBalance"), BALANCE, 1_000);
        assertThat(bench.status("other").head()).isEqualTo(101);
    }

    private Set<String> chosenOften(long block) {
        return IntStream.range(0, 100).mapToObj(any -> chosen(block)).collect(Collectors.toSet());
    }

    @Test
    void onlyANodeWithTheDataOfACallIsAnotherOne() {
        bench.node("pruned", 0, 1, "state-from = head-1000").head = 10_000;
        bench.node("archive", 1, 1, "archive = true").head = 10_000;
        bench.begin();
        assertThat(bench.pool.hasAnother(BALANCE, List.of(bench.upstream("archive")), 9_500))
                .isTrue();
        assertThat(bench.pool.hasAnother(BALANCE, List.of(bench.upstream("archive")), 500))
                .isFalse();
        assertThat(bench.pool.hasAnother(BALANCE, List.of(bench.upstream("pruned")), 500))
                .isTrue();
    }

    @Test
    void onlyANodeThatMayBeAskedNowIsAnotherOne() {
        bench.node("a", 0, 1);
        bench.node("behind", 0, 1).head = 98;
        bench.node("logs", 0, 1, "methods = [\"eth_getLogs\"]");
        bench.node("paid", 0, 1, "budget { per-second = 50, costs { default = 1, eth_chainId = 40 } }");
        bench.begin();
        bench.pass(1_100);
        List<Upstream> tried = List.of(bench.upstream("a"));
        RpcCall call = PoolBench.call();
        assertThat(bench.pool.hasAnother(call, tried, 100)).isTrue();
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(bench.pool.hasAnother(call, tried, 100)).isFalse();
        assertThat(bench.pool.hasAnother(call, tried, 98)).isTrue();
        bench.upstream("behind").drain(true);
        assertThat(bench.pool.hasAnother(call, tried, 98)).isFalse();
    }

    @Test
    void onlyTheNodeWithTheHighestHeadIsAheadIfItServesTheMethod() {
        bench.node("behind", 0, 1).head = 100;
        bench.node("next", 0, 1).head = 101;
        bench.node("highest", 0, 1, "methods = [\"eth_getBalance\"]").head = 102;
        bench.begin();
        for (int i = 0; i < 20; i++) {
            Choice ahead = bench.pool.chooseAhead(BALANCE, bench.upstream("behind"));
            assertThat(ahead).isNotNull();
            assertThat(ahead.upstream().id()).isEqualTo("highest");
        }
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("behind")))
                .isNull();
        assertThat(bench.pool.chooseAhead(BALANCE, bench.upstream("highest"))).isNull();
    }

    @Test
    void configuredDataNeedsNoAttempt() {
        bench.node("pruned", 0, 1, "state-from = head-1000").head = 10_000;
        bench.node("archive", 1, 1, "archive = true").head = 10_000;
        bench.begin();
        assertThat(chosen(9_000)).isEqualTo("pruned");
        assertThat(chosen(8_999)).isEqualTo("archive");
        bench.upstream("archive").lackedData(BALANCE, 1);
        assertThat(chosen(1)).isEqualTo("archive");
    }

    @Test
    void allLackTheDataOnceEachNodeThatMayEverAnswerSaidSo() {
        List.of("a", "b", "c").forEach(id -> bench.node(id, 0, 1).head = 10_000);
        bench.node("absent", 0, 1).probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.node("logs", 0, 1, "methods = [\"eth_getLogs\"]").head = 10_000;
        bench.begin();
        bench.upstream("a").lackedData(BALANCE, 500);
        assertThat(bench.pool.allLack(BALANCE, 500)).as("by the word of one").isFalse();
        bench.upstream("b").lackedData(BALANCE, 500);
        bench.upstream("c").drain(true);
        assertThat(bench.pool.allLack(BALANCE, 500)).isTrue();
        assertThat(bench.pool.allLack(BALANCE, 9_990)).isFalse();
        bench.upstream("a").drain(true);
        bench.upstream("b").drain(true);
        assertThat(bench.pool.allLack(BALANCE, 500)).as("none may answer").isFalse();
        bench.upstream("c").drain(false);
        assertThat(bench.pool.allLack(BALANCE, 500)).isFalse();
    }

    @Test
    void olderDataThatANodeGaveIsAskedOfItAgain() {
        bench.node("a", 0, 1).head = 10_000;
        bench.node("archive", 1, 1).head = 10_000;
        bench.begin();
        bench.upstream("a").hadData(MethodCatalogue.ofName("eth_getBalance"), BALANCE, 9_000);
        bench.upstream("a").lackedData(BALANCE, 5_000);
        assertThat(chosen(9_000)).isEqualTo("a");
        assertThat(chosen(8_999)).isEqualTo("archive");
    }

    @Test
    void aNodeGetsNoOtherMethodsThoughItIsTheLastOne() {
        bench.node("lookups", 0, 1, "methods = [\"eth_get*\"]").syncing = "true";
        bench.begin();
        assertThat(chosen(0)).isEqualTo("lookups");
        assertThat(bench.chosen()).isEqualTo("none");
    }

    @Test
    void aNodeGetsNoMethodsButThoseOfItsSettings() {
        bench.node("lookups", 0, 1, "methods = [\"eth_get*\"]");
        bench.node("all", 1, 1);
        bench.begin();
        assertThat(chosen(0)).isEqualTo("lookups");
        assertThat(bench.chosen()).isEqualTo("all");
        assertThat(bench.chosen("all")).isEqualTo("none");
    }
}
