package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.ChainCalls;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes whose providers bill: their calls, and where calls go that are over the budget. */
class NodeBudgetTest {

    private static final String COSTS = "costs { default = 1, net_version = 0, eth_chainId = 20 }";

    private final PoolBench bench = new PoolBench();

    private long counted(String meter, String upstream) {
        return bench.registry.getCounters().entrySet().stream()
                .filter(entry ->
                        entry.getKey().contains(meter) && entry.getKey().contains(upstream))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    private BudgetStatus budget(String id) {
        return bench.upstream(id).budget();
    }

    @Test
    void aCallBeyondTheSecondGoesToTheNextNodeUntilTheBudgetRefills() {
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }");
        bench.node("own", 1, 1);
        bench.begin();
        long probed = budget("paid").usedInSecond();
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(budget("paid").usedInSecond()).isEqualTo(probed + 20);
        bench.pass(1_100);
        assertThat(bench.chosen()).isEqualTo("paid");
        bench.ask("paid", FakeNode.answer("1"));
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(budget("paid").usedInSecond()).isBetween(40L, 50L);
        assertThat(budget("paid").over()).isFalse();

        assertThat(bench.chosen()).isEqualTo("own");
        assertThat(budget("paid").over()).isTrue();
        assertThat(bench.health("paid")).isEqualTo(Health.HEALTHY);
        assertThat(counted("over_budget", "paid")).isEqualTo(1);
        assertThat(bench.chosen("own")).isEqualTo("none");
        assertThat(bench.pool.retryAfterSeconds()).isZero();

        bench.pass(1_050);
        assertThat(bench.chosen()).isEqualTo("paid");
        assertThat(budget("paid").over()).isFalse();
    }

    @Test
    void aNodeWithAHigherHeadIsNotAskedOnceItsBudgetIsSpent() {
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }").head = 101;
        bench.node("own", 0, 1).head = 100;
        bench.begin();
        bench.pass(1_100);
        assertThat(bench.pool
                        .chooseAhead(PoolBench.call(), bench.upstream("own"))
                        .upstream()
                        .id())
                .isEqualTo("paid");
        bench.ask("paid", FakeNode.answer("1"));
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("own")))
                .isNull();
    }

    @Test
    void ifNoNodeHasTheBlockThoseThatMayBeAskedAreComparedAlone() {
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }").head = 101;
        bench.node("own", 0, 1).head = 100;
        bench.begin();
        bench.pass(1_100);
        assertThat(bench.chosenFor(102)).isEqualTo("paid");
        bench.ask("paid", FakeNode.answer("1"));
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(bench.chosenFor(102)).isEqualTo("own");
    }

    @Test
    void onlyACallThatWouldHaveGoneToANodeCountsAsOverItsBudget() {
        bench.node("spare", 1, 1, "budget { per-second = 50, " + COSTS + " }");
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }");
        bench.node("own", 0, 1);
        bench.begin();
        bench.pass(1_100);
        for (String id : List.of("spare", "paid")) {
            bench.ask(id, FakeNode.answer("1"));
            bench.ask(id, FakeNode.answer("1"));
        }
        assertThat(bench.chosen()).isEqualTo("own");
        assertThat(counted("over_budget", "paid")).isEqualTo(1);
        bench.pass(1_100);
        bench.ask("spare", FakeNode.answer("1"));
        bench.ask("spare", FakeNode.answer("1"));
        assertThat(bench.chosen("paid")).isEqualTo("own");
        assertThat(counted("over_budget", "spare")).isZero();
    }

    @Test
    void aCallThatFindsTheBudgetSpentIsRefusedBeforeItIsSent() {
        bench.node("paid", 0, 1, "budget { per-day = 50, " + COSTS + " }");
        bench.begin();
        long used = budget("paid").usedToday();
        assertThat(used).isPositive();
        while (budget("paid").leftToday() >= 20) {
            bench.ask("paid", FakeNode.answer("1"));
        }
        int sent = bench.nodes.get("paid").calls.size();
        List<NodeOutcome> outcomes = bench.ask("paid");
        assertThat(bench.nodes.get("paid").calls).hasSize(sent);
        assertThat(outcomes).singleElement().satisfies(outcome -> {
            Failed failed = (Failed) outcome;
            assertThat(failed.fault()).isEqualTo(Fault.RATE_LIMITED);
            assertThat(failed.executed()).isEqualTo(NodeOutcome.Executed.NO);
            assertThat(failed.counts()).isFalse();
            assertThat(failed.retryAfterSeconds()).isBetween(1, 86_400);
        });
        assertThat(bench.chosen()).isEqualTo("none");
        assertThat(bench.pool.retryAfterSeconds()).isBetween(1, 86_400);
        assertThat(bench.pool.usable()).isTrue();
        assertThat(bench.status("paid").inFlight()).isZero();
    }

    @Test
    void aDayThatIsSpentMeansTheSameAfterARestart() {
        bench.node("paid", 0, 1, "budget { per-day = 50, " + COSTS + " }");
        bench.begin();
        while (budget("paid").leftToday() > 0) {
            bench.pass(1_000);
            bench.chosen();
        }
        int before = bench.pool.retryAfterSeconds();
        bench.pool.close();
        bench.nodes.get("paid").probed.clear();
        bench.make();
        bench.pool.start();
        bench.settle();
        assertThat(bench.nodes.get("paid").probed).isEmpty();
        assertThat(bench.pool.usable()).isTrue();
        assertThat(bench.chosen()).isEqualTo("none");
        assertThat(bench.pool.retryAfterSeconds()).isBetween(before - 5, before);
        assertThat(budget("paid").over()).isTrue();
    }

    @Test
    void probesCountAndStopWithTheDay() {
        bench.node("paid", 0, 1, "budget { per-day = 10, " + COSTS + " }");
        bench.begin();
        long first = budget("paid").usedToday();
        assertThat(first).isEqualTo(bench.nodes.get("paid").probed.size());
        for (int round = 0; round < 30; round++) {
            bench.chosen();
            bench.pass(5_000);
        }
        assertThat(budget("paid").usedToday()).isEqualTo(10);
        assertThat(bench.nodes.get("paid").probed).hasSize(10);
        assertThat(bench.health("paid")).isIn(Health.HEALTHY, Health.LAGGING);
    }

    @Test
    void aProbeThatTheBudgetDoesNotAllowIsRefused() {
        bench.node("paid", 0, 1, "budget { per-day = 40, " + COSTS + " }");
        bench.begin();
        bench.nodes.get("paid").probeOutcome = FakeNode.answer("1");
        List<NodeOutcome> outcomes = new ArrayList<>();
        Node paid = (Node) bench.upstream("paid");
        for (int i = 0; i < 3; i++) {
            paid.probe(bench.loop, PoolBench.call(), Long.MAX_VALUE, CallCause.PROBE, outcomes::add);
        }
        assertThat(outcomes)
                .hasSize(3)
                .last()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.RATE_LIMITED));
    }

    @Test
    void aClosedPoolTakesTheGaugesOfItsBudgetsAlong() {
        bench.node("paid", 0, 1, "budget { per-second = 50, per-day = 100, " + COSTS + " }");
        bench.begin();
        assertThat(bench.registry.getGauges().keySet()).anyMatch(name -> name.contains("paid"));
        bench.pool.close();
        bench.settle();
        assertThat(bench.registry.getGauges().keySet()).noneMatch(name -> name.contains("paid"));
    }

    @Test
    void aMethodThatCostsNothingIsAlwaysPaidFor() {
        bench.node("paid", 0, 1, "budget { per-second = 25, " + COSTS + " }");
        bench.begin();
        bench.pass(1_100);
        while (bench.chosen().equals("paid")) {
            bench.ask("paid", FakeNode.answer("1"));
        }
        assertThat(bench.pool.choose(PoolBench.call("net_version"), List.of(), 0))
                .isNotNull();
        assertThat(bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0))
                .isNull();
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(2);
    }

    @Test
    void aCallCanWaitToTheNanosecondUntilABudgetRefills() {
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }");
        bench.begin();
        bench.pass(1_100);
        while (bench.chosen().equals("paid")) {
            bench.ask("paid", FakeNode.answer("1"));
        }
        long wait = bench.pool.throttledNanos(List.of());
        assertThat(wait).isBetween(1L, 1_020_000_000L);
        assertThat(bench.pool.throttledNanos(List.of(bench.upstream("paid")))).isZero();
        bench.ticker.advance(wait - 1, TimeUnit.NANOSECONDS);
        assertThat(bench.chosen()).isEqualTo("none");
        bench.ticker.advance(1, TimeUnit.NANOSECONDS);
        assertThat(bench.chosen()).isEqualTo("paid");
        assertThat(bench.pool.throttledNanos(List.of())).isZero();
    }

    /** Subscribes to new heads at the node; the list gets what is told. */
    private List<String> subscribe() {
        List<String> told = new ArrayList<>();
        NodeFeed feed = bench.pool.subscribe(
                bench.upstream("paid"), bench.loop, ChainCalls.subscribeToHeads(), new NodeFeed.Listener() {
                    @Override
                    public void began(long head) {
                        told.add("began");
                    }

                    @Override
                    public void notified(RawJson result) {
                        told.add(result.toString());
                    }

                    @Override
                    public void ended(NodeFeed.End end) {
                        told.add("ended");
                    }
                });
        bench.settle();
        assertThat(feed).isNotNull();
        return told;
    }

    @Test
    void aSubscriptionAndItsMessagesCountUntilTheDayIsSpent() {
        FakeNode paid = bench.node(
                "paid", 0, 1, "budget { per-day = 60, costs { default = 1, eth_subscribe = 5, notification = 20 } }");
        paid.hasSocket = true;
        bench.begin();
        long used = budget("paid").usedToday();
        int probed = paid.probed.size();
        List<String> told = subscribe();
        assertThat(budget("paid").usedToday()).isEqualTo(used + paid.probed.size() - probed + 4);
        for (int block = 1; block < 5; block++) {
            paid.subscriptions.get(0).announce(String.valueOf(block));
        }
        assertThat(told).startsWith("began", "1").endsWith("ended").doesNotContain("4");
        assertThat(paid.subscriptions.get(0).closed).isTrue();
        assertThat(bench.health("paid")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeWhoseBudgetIsSpentIsNoLastResort() {
        bench.node("paid", 0, 1, "budget { per-second = 50, " + COSTS + " }").syncing = "true";
        bench.begin();
        bench.pass(1_100);
        assertThat(bench.chosen()).isEqualTo("paid*");
        bench.ask("paid", FakeNode.answer("1"));
        bench.ask("paid", FakeNode.answer("1"));
        assertThat(bench.chosen()).isEqualTo("none");
        bench.pass(1_050);
        assertThat(bench.chosen()).isEqualTo("paid*");
    }

    @Test
    void aSubscriptionThatTheBudgetDoesNotAllowEnds() {
        FakeNode paid = bench.node("paid", 0, 1, "budget { per-day = 40, " + COSTS + " }");
        paid.hasSocket = true;
        bench.begin();
        bench.ask("paid", FakeNode.answer("1"));
        while (bench.upstream("paid").budget().usedToday() < 40) {
            bench.pass(1_000);
        }
        List<String> told = subscribe();
        assertThat(told).containsExactly("ended");
        assertThat(paid.subscriptions.get(0).closed).isTrue();
    }

    @Test
    void aNodeWithoutABudgetCountsNothing() {
        bench.node("own", 0, 1);
        bench.begin();
        assertThat(bench.upstream("own").budget()).isNull();
        assertThat(counted("units", "own")).isZero();
    }
}
