package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The choice of a node while too few are healthy. */
class ChoiceInPanicTest {

    private final PoolBench bench = new PoolBench();

    /** Makes a pool of one healthy node and others that lag. */
    private void lagging(int count) {
        bench.node("good", 0, 1);
        for (int i = 0; i < count; i++) {
            bench.node("lag" + i, 0, 1).head = 90;
        }
        bench.begin();
        assertThat(bench.health("lag0")).isEqualTo(Health.LAGGING);
    }

    private Map<String, Integer> draws(long block) {
        Map<String, Integer> draws = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            draws.merge(bench.chosenFor(block), 1, Integer::sum);
        }
        return draws;
    }

    private long counted() {
        return new Meters(bench.registry).counter(Meter.PANIC_CHOICES, "net").getCount();
    }

    @Test
    void withHalfOfTheNodesHealthyNoOtherServes() {
        lagging(1);
        assertThat(draws(80)).containsOnlyKeys("good");
        assertThat(counted()).isZero();
    }

    @Test
    void aDrainedNodeDoesNotCountAmongTheNodesThatAreNotHealthy() {
        bench.node("drained", 0, 1);
        lagging(1);
        bench.upstream("drained").drain(true);
        assertThat(draws(80)).containsOnlyKeys("good");
        bench.upstream("drained").drain(false);
        bench.nodes.get("drained").head = 90;
        bench.pass(60_100);
        assertThat(draws(80)).as("it lags").containsKey("drained*");
    }

    @Test
    void withTooFewHealthyNodesTheLeastBadShareTheCalls() {
        lagging(3);
        Map<String, Integer> draws = draws(80);
        assertThat(draws).containsOnlyKeys("good", "lag0*", "lag1*", "lag2*");
        assertThat(draws.values()).allMatch(count -> count > 150);
        assertThat(counted()).isEqualTo(1_000 - draws.get("good"));
    }

    @Test
    void nodesThatAreBehindServeNoCallAboutABlockThatTheyLackOrAboutNone() {
        lagging(3);
        assertThat(draws(95)).containsOnlyKeys("good");
        assertThat(draws(0)).containsOnlyKeys("good");
    }

    @Test
    void nodesThatAreDownDrainedOrOnAnotherChainNeverServe() {
        bench.node("good", 0, 1);
        bench.node("down", 0, 1);
        bench.node("other", 0, 1);
        bench.node("drained", 0, 1).head = 90;
        bench.node("ahead", 0, 1);
        bench.node("lag", 0, 1).head = 90;
        bench.begin();
        bench.nodes.get("down").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("down", FakeNode.failed(Fault.CONNECT));
        bench.nodes.get("other").chain = "5";
        bench.ask("other", FakeNode.failed(Fault.CONNECT));
        bench.nodes.get("ahead").head = 1_000_000;
        bench.nodes.get("ahead").shown = 100;
        bench.upstream("drained").drain(true);
        bench.chosen();
        bench.pass(60_100);
        assertThat(bench.health("other")).isEqualTo(Health.WRONG_CHAIN);
        assertThat(bench.health("ahead")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(draws(80)).containsOnlyKeys("good", "lag*");
    }

    @Test
    void anEjectedNodeServesIfNoneLags() {
        bench.node("good", 0, 1);
        bench.node("faulty", 0, 1);
        bench.node("down", 0, 1);
        bench.begin();
        bench.nodes.get("down").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("down", FakeNode.failed(Fault.CONNECT));
        for (int i = 0; i < PoolBench.FAULTS; i++) {
            bench.ask("faulty", FakeNode.failed(Fault.SERVER_ERROR));
        }
        assertThat(bench.health("faulty")).isEqualTo(Health.EJECTED);
        assertThat(draws(80)).containsOnlyKeys("good", "faulty*");
        assertThat(draws(0)).containsOnlyKeys("good", "faulty*");
    }

    @Test
    void badNodesOfALowerTierDoNotKeepCallsFromAHealthyOneAbove() {
        bench.node("good", 1, 1);
        bench.node("a", 0, 1).head = 90;
        bench.node("b", 0, 1).head = 90;
        bench.begin();
        assertThat(draws(80).get("good")).isBetween(200, 500);
    }

    @Test
    void badNodesOfAHigherTierServeNoCallThatAHealthyOneBelowMay() {
        bench.node("good", 0, 1);
        bench.node("a", 1, 1).head = 90;
        bench.node("b", 1, 1).head = 90;
        bench.begin();
        assertThat(draws(80)).containsOnlyKeys("good");
    }

    @Test
    void badNodesServeNoCallWhoseDataTheyLack() {
        bench.node("good", 0, 1);
        bench.node("a", 0, 1, "state-from = head-20").head = 90;
        bench.node("b", 0, 1, "state-from = head-20").head = 90;
        bench.begin();
        Set<String> chosen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            chosen.add(bench.pool
                    .choose(PoolBench.call("eth_getBalance"), List.of(), 60)
                    .upstream()
                    .id());
        }
        assertThat(chosen).containsExactly("good");
        assertThat(draws(60)).containsKeys("a*", "b*");
    }

    @Test
    void withoutAHealthyNodeTheLeastBadShareTheCallsToo() {
        bench.node("a", 0, 1).syncing = "true";
        bench.node("b", 0, 1).syncing = "true";
        bench.begin();
        String first = bench.chosen();
        bench.ask(first.replace("*", ""));
        assertThat(bench.chosen()).isNotEqualTo(first).endsWith("*");
    }
}
