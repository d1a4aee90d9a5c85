package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that answer probes, but whose answers to calls are faulty or slow. */
class EjectionTest {

    private final PoolBench bench = new PoolBench();

    private void nodes(String... ids) {
        for (String id : ids) {
            bench.node(id, 0, 1);
        }
        bench.begin();
    }

    private void faults(String id, int count) {
        for (int i = 0; i < count; i++) {
            bench.ask(id, FakeNode.failed(Fault.SERVER_ERROR));
        }
    }

    private void answers(String id, long millis) {
        bench.ask(id);
        bench.ticker.advanceMillis(millis);
        bench.nodes.get(id).calls.removeLast().end(FakeNode.answer("\"0x1\""));
        bench.settle();
    }

    private long count(Meter meter, String... labels) {
        return new Meters(bench.registry).counter(meter, labels).getCount();
    }

    private Object gauge(String id) {
        String name = bench.registry.getGauges().keySet().stream()
                .filter(one -> one.contains(Meter.UPSTREAM_EJECTED.id()) && one.endsWith(id))
                .findFirst()
                .orElseThrow();
        return bench.registry.getGauges().get(name).getValue();
    }

    @Test
    void consecutiveFaultsEjectANodeUntilATimeThatItsStatusNames() {
        nodes("a", "b");
        faults("a", PoolBench.FAULTS - 1);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        faults("a", 1);
        UpstreamStatus status = bench.status("a");
        assertThat(status.health()).isEqualTo(Health.EJECTED);
        assertThat(status.detail()).isEqualTo("3 faults in a row, the last: saw SERVER_ERROR");
        assertThat(status.heldMillis()).isBetween(800L, 1_000L);
        assertThat(gauge("a")).isEqualTo(1L);
        assertThat(count(Meter.EJECTIONS, "net", "a", "faults")).isEqualTo(1);
        assertThat(bench.chosen("b")).isEqualTo("none");
        bench.pass(1_100);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").heldMillis()).isZero();
        assertThat(gauge("a")).isEqualTo(0L);
    }

    @Test
    void anEjectedNodeThatAnswersNoProbeDoesNotReturn() {
        nodes("a", "b");
        faults("a", PoolBench.FAULTS);
        bench.nodes.get("a").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.pass(5_000);
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        bench.nodes.get("a").probeOutcome = null;
        bench.pass(1_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatFailsHalfOfItsCallsIsEjectedWithoutASeriesOfFaults() {
        nodes("a", "b");
        for (int i = 0; i < 9; i++) {
            faults("a", 1);
            bench.ask("a", FakeNode.answer("1"));
        }
        bench.ask("a", FakeNode.answer("1"));
        assertThat(bench.health("a")).as("too few calls").isEqualTo(Health.HEALTHY);
        faults("a", 1);
        assertThat(bench.status("a").detail())
                .isEqualTo("10 of the latest 20 attempts failed, the last: saw SERVER_ERROR");
        assertThat(count(Meter.EJECTIONS, "net", "a", "fault_share")).isEqualTo(1);
    }

    @Test
    void revertsCountAsGoodAnswersInTheShareOfFaults() {
        nodes("a", "b");
        for (int i = 0; i < 30; i++) {
            bench.ask("a", FakeNode.error(3));
            bench.ask("a", FakeNode.error(3));
            faults("a", 1);
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    static List<NodeOutcome> noFaults() {
        return List.of(
                FakeNode.error(3),
                FakeNode.error(-32602),
                FakeNode.answer("null"),
                FakeNode.rateLimited(1),
                FakeNode.failed(Fault.TOO_LARGE));
    }

    @ParameterizedTest
    @MethodSource("noFaults")
    void revertsMistakesNullsAndRateLimitsEjectNoNode(NodeOutcome outcome) {
        nodes("a", "b");
        for (int i = 0; i < 100; i++) {
            bench.ask("a", outcome);
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void atMostHalfOfTheNodesAreEjectedAtOnce() {
        nodes("a", "b", "c", "d", "e");
        List.of("a", "b", "c", "d", "e").forEach(id -> faults(id, PoolBench.FAULTS));
        assertThat(bench.pool.upstreams().stream().map(one -> one.status().health()))
                .containsExactly(Health.EJECTED, Health.EJECTED, Health.HEALTHY, Health.HEALTHY, Health.HEALTHY);
        assertThat(count(Meter.EJECTIONS_REFUSED, "net", "c")).isEqualTo(1);
    }

    @Test
    void theLastNodeThatCallsMayUseIsNeverEjected() {
        nodes("a", "b", "c", "d");
        bench.upstream("c").drain(true);
        bench.upstream("d").drain(true);
        faults("a", PoolBench.FAULTS);
        faults("b", 10 * PoolBench.FAULTS);
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void nodesThatCannotBeReachedAreDownWhateverTheirNumber() {
        nodes("a", "b", "c", "d");
        for (String id : List.of("a", "b", "c")) {
            bench.nodes.get(id).probeOutcome = FakeNode.failed(Fault.CONNECT);
            bench.ask(id, FakeNode.failed(Fault.CONNECT));
        }
        assertThat(bench.pool.upstreams().stream().map(one -> one.status().health()))
                .containsExactly(Health.DOWN, Health.DOWN, Health.DOWN, Health.HEALTHY);
        assertThat(count(Meter.EJECTIONS, "net", "a", "faults")).isZero();
    }

    @Test
    void anEjectedNodeStillTellsItsHead() {
        nodes("a", "b");
        for (int i = 0; i < 4; i++) {
            faults("a", PoolBench.FAULTS);
            bench.pass(1_000 << i);
        }
        faults("a", PoolBench.FAULTS);
        bench.nodes.values().forEach(node -> node.head = 105);
        bench.chosen("a");
        bench.ask("b");
        bench.pool.choose(PoolBench.call(), List.of(), 0);
        bench.pass(5_000);
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
        assertThat(bench.status("a").head()).isEqualTo(105);
    }

    @Test
    void aNodeManyTimesAsSlowAsTheOthersIsEjectedAndReturnsSlowly() {
        nodes("a", "b", "slow");
        for (int i = 0; i < 9; i++) {
            answers("a", 20);
            answers("b", 40);
            answers("slow", 2_000);
        }
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
        answers("slow", 2_000);
        assertThat(bench.health("slow")).isEqualTo(Health.EJECTED);
        assertThat(bench.status("slow").detail())
                .isEqualTo("answers in 2000 ms on average, the median of the other nodes is 20 ms");
        assertThat(count(Meter.EJECTIONS, "net", "slow", "latency")).isEqualTo(1);
        bench.pass(1_100);
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
        bench.pass(150_000);
        faults("slow", PoolBench.FAULTS);
        bench.pass(2_100);
        Map<String, Integer> draws = new HashMap<>();
        IntStream.range(0, 2_000).forEach(i -> draws.merge(bench.chosen(), 1, Integer::sum));
        assertThat(draws.get("slow")).as("share after a return").isBetween(20, 300);
    }

    @Test
    void ofTwoNodesTheOneThatIsOnlyFartherAwayStays() {
        nodes("near", "far");
        for (int i = 0; i < 300; i++) {
            answers("near", 1);
            answers("far", 400);
        }
        assertThat(bench.health("far")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeWhoseLatencyIsAboveTheBoundAndBelowItByTurnsStays() {
        nodes("a", "b", "edge");
        int changes = 0;
        Health before = Health.HEALTHY;
        for (int i = 0; i < 400; i++) {
            answers("a", 110);
            answers("b", 110);
            answers("edge", i % 6 < 3 ? 990 : 1_200);
            bench.pass(100);
            Health now = bench.health("edge");
            changes += now == before ? 0 : 1;
            before = now;
        }
        assertThat(changes).isZero();
    }

    @Test
    void aNodeThatWasEjectedForItsLatencyReturnsOnlyIfItsProbesAreClearlyFasterThanTheBound() {
        nodes("a", "slow");
        FakeNode slow = bench.nodes.get("slow");
        for (int i = 0; i < 10; i++) {
            answers("a", 10);
            answers("slow", 1_500);
        }
        assertThat(bench.health("slow")).isEqualTo(Health.EJECTED);
        slow.holdProbes = true;
        slow.heldProbes.clear();
        bench.pass(1_500);
        for (int i = 0; i < 3; i++) {
            answerProbe(slow, 0);
            answerProbe(slow, 0);
            answerProbe(slow, 900);
            assertThat(bench.health("slow")).isEqualTo(Health.EJECTED);
            bench.pass(1_200);
        }
        answerProbe(slow, 0);
        answerProbe(slow, 0);
        answerProbe(slow, 700);
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
    }

    private void answerProbe(FakeNode node, long millis) {
        bench.ticker.advanceMillis(millis);
        node.heldProbes.remove().run();
        bench.settle();
    }

    @Test
    void strictEjectsAfterFewerFaultsAndForSmallerDelays() {
        bench.setting("ejection = strict");
        nodes("a", "b", "c", "d");
        faults("a", 2);
        assertThat(bench.status("a").detail()).startsWith("2 faults in a row");
        for (int i = 0; i < 2; i++) {
            faults("b", 1);
            IntStream.range(0, 4).forEach(one -> bench.ask("b", FakeNode.answer("1")));
        }
        faults("b", 1);
        assertThat(bench.status("b").detail()).startsWith("3 of the latest 11 attempts failed");
        bench.pass(1_100);
        for (int i = 0; i < 20; i++) {
            answers("c", 20);
            answers("d", 300);
        }
        assertThat(count(Meter.EJECTIONS, "net", "d", "latency")).isEqualTo(1);
    }

    @Test
    void offEjectsNoNode() {
        bench.setting("ejection = off");
        nodes("a", "b");
        faults("a", 100);
        for (int i = 0; i < 100; i++) {
            answers("b", 1);
            answers("a", 3_000);
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }
}
