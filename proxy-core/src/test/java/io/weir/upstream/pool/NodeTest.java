package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeTest {

    private final PoolBench bench = new PoolBench();
    private FakeNode a;

    @BeforeEach
    void begin() {
        a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        a.probed.clear();
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECT", "DISCONNECTED", "CREDENTIALS"})
    void oneBrokenConnectionTakesANodeOutUntilItsFirstGoodProbe(Fault fault) {
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a");
        a.calls.remove().end(FakeNode.failed(fault));
        assertThat(bench.status("a").health())
                .as("before any other loop had a turn")
                .isEqualTo(Health.DOWN);
        assertThat(bench.status("a").detail()).isEqualTo("saw " + fault);
        assertThat(a.resets).as("waiting calls can move to b").containsExactly(true);
        bench.settle();
        assertThat(a.probed).as("at once").containsExactly("chain");
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("b");
        }
        bench.pass(150);
        assertThat(a.probed).hasSize(1);
        bench.pass(100);
        assertThat(a.probed).as("each down interval").hasSize(2);
        a.probeOutcome = null;
        bench.pass(200);
        assertThat(a.probed).endsWith("chain", "syncing", "head");
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void callsAreCountedByMethodAndCause() {
        Meters meters = new Meters(bench.registry);
        Node node = (Node) bench.upstream("a");
        long deadline = bench.ticker.nanoTime() + 60_000_000_000L;
        long heads = sent(meters, "eth_getBlockByNumber", "follower");
        long probes = sent(meters, "eth_getBlockByNumber", "probe");
        RpcCall made = new RpcCall(null, "eth_getBlockByNumber", RawJson.of("[\"latest\",false]"));
        node.ask(bench.loop, made, deadline, Attempt.of(CallCause.PREFETCH, outcome -> {}));
        node.ask(bench.loop, made, deadline, Attempt.of(CallCause.RETRY, outcome -> {}));
        node.ask(bench.loop, made, deadline, Attempt.of(CallCause.RETRY, outcome -> {}));
        node.ask(
                bench.loop, new RpcCall(null, "made_up1", null), deadline, Attempt.of(CallCause.CLIENT, outcome -> {}));
        node.ask(
                bench.loop, new RpcCall(null, "made_up2", null), deadline, Attempt.of(CallCause.CLIENT, outcome -> {}));
        node.ask(bench.loop, made, deadline, Attempt.of(outcome -> {}));
        node.probe(bench.loop, made, deadline, CallCause.PROBE, outcome -> {});
        node.probe(bench.loop, made, deadline, CallCause.FOLLOWER, outcome -> {});
        assertThat(sent(meters, "eth_getBlockByNumber", "prefetch")).isEqualTo(1);
        assertThat(sent(meters, "eth_getBlockByNumber", "retry")).isEqualTo(2);
        assertThat(sent(meters, "other", "client")).isEqualTo(2);
        assertThat(sent(meters, "eth_getBlockByNumber", "other")).isEqualTo(1);
        assertThat(sent(meters, "eth_getBlockByNumber", "probe")).isEqualTo(probes + 1);
        assertThat(sent(meters, "eth_getBlockByNumber", "follower")).isEqualTo(heads + 1);
    }

    private static long sent(Meters meters, String method, String cause) {
        return meters.counter(Meter.UPSTREAM_SENT, "net", "a", method, cause).getCount();
    }

    @Test
    void anAttemptThatIsGivenUpCountsForNothing() {
        List<NodeOutcome> outcomes = new ArrayList<>();
        Attempt attempt = Attempt.of(outcomes::add);
        Node node = (Node) bench.upstream("a");
        node.ask(bench.loop, PoolBench.call(), bench.ticker.nanoTime() + 60_000_000_000L, attempt);
        assertThat(node.inFlight()).isOne();
        bench.pass(1_000);
        attempt.cancel();
        assertThat(node.inFlight()).isZero();
        a.calls.remove().end(FakeNode.failed(Fault.DISCONNECTED));
        attempt.cancel();
        assertThat(node.inFlight()).isZero();
        assertThat(outcomes).isEmpty();
        assertThat(bench.status("a").health()).isEqualTo(Health.HEALTHY);
        assertThat(node.latency().nanos(LatencyClass.LOOKUP)).isZero();
        Meters meters = new Meters(bench.registry);
        assertThat(meters.counter(Meter.UPSTREAM_CALLS, "net", "a", "disconnected")
                        .getCount())
                .isZero();
        assertThat(meters.counter(Meter.UPSTREAM_CANCELLED, "net", "a").getCount())
                .isOne();
    }

    @Test
    void aServerErrorThatNamesAPauseKeepsCallsAwayForThatTime() {
        bench.ask("a", new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP 503", 5, Flaw.SERVER_ERROR));
        assertThat(bench.status("a").health()).isEqualTo(Health.HEALTHY);
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("b");
        }
        assertThat(bench.chosen("b")).isEqualTo("none");
        bench.pass(5_100);
        assertThat(bench.chosen("b")).isEqualTo("a");
    }

    private void refute(int times, boolean costs) {
        refuteOnAnotherLoop(times, costs);
        bench.settle();
    }

    /** Leaves the monitor's loop without a turn. */
    private void refuteOnAnotherLoop(int times, boolean costs) {
        Upstream upstream = bench.pool.upstreams().get(0);
        for (int i = 0; i < times; i++) {
            upstream.refuted(Flaw.FALSE_HASH, "hash: 0x1 (expected: 0x2)", costs);
        }
    }

    private void assertLeftOutForAMinute() {
        assertThat(bench.status("a").detail()).startsWith("false answers");
        bench.pass(59_000);
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        bench.pass(2_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void oneFalseAnswerAmongRightOnesDoesNotTakeANodeOut() {
        refute(1, true);
        bench.pass(11 * 60_000);
        refute(2, true);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(new Meters(bench.registry)
                        .counter(Meter.UPSTREAM_BAD_ANSWERS, "net", "a", "false_hash")
                        .getCount())
                .isEqualTo(3);
    }

    @Test
    void aNodeWithRepeatedFalseAnswersIsLeftOutDespiteGoodProbes() {
        refute(3, true);
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        assertThat(bench.status("a").detail()).contains("false answers", "hash: 0x1 (expected: 0x2)");
        bench.pass(59_000);
        assertThat(a.probed).isEmpty();
        assertThat(bench.chosen()).isEqualTo("b");
        bench.pass(2_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        refute(3, true);
        bench.pass(119_000);
        assertThat(bench.health("a")).as("twice as long").isEqualTo(Health.DOWN);
        bench.pass(2_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    /** Calls reach it if the others cannot answer. Those that waited for a connection fail when it goes out. */
    @Test
    void aFailedCallIsNotTheReasonWhyANodeIsLeftOut() {
        refute(3, true);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        assertLeftOutForAMinute();
    }

    @Test
    void aProbeThatWasBrokenOffIsNotTheReasonWhyANodeIsLeftOut() {
        a.holdProbes = true;
        bench.chosen();
        bench.pass(1_000);
        refuteOnAnotherLoop(3, true);
        a.holdProbes = false;
        a.probeOutcomes.put("chain", FakeNode.failed(Fault.DISCONNECTED));
        while (!a.heldProbes.isEmpty()) {
            a.releaseProbe();
        }
        bench.settle();
        a.probeOutcomes.clear();
        assertLeftOutForAMinute();
    }

    @Test
    void aNodeThatIsDownIsLeftOutForFalseAnswersToo() {
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        a.probeOutcome = null;
        refute(3, true);
        assertLeftOutForAMinute();
    }

    @Test
    void aCountedAnswerDoesNotAffectHealth() {
        refute(10, false);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aClosedPoolTakesItsGaugesAlongButNotThoseOfItsSuccessor() {
        ProbedPool before = bench.pool;
        bench.make();
        before.close();
        assertThat(a.closed).isTrue();
        assertThat(bench.registry.getGauges()).hasSize(10);
        bench.pool.close();
        assertThat(bench.registry.getGauges()).isEmpty();
        assertThat(bench.registry.getCounters()).isNotEmpty();
    }

    @Test
    void aWrongAnswerIsCountedByWhatIsWrong() {
        bench.ask("a", Failed.of(NodeOutcome.Flaw.WRONG_ID, "another id"));
        a.probeOutcome = Failed.of(NodeOutcome.Flaw.NOT_JSON, "no JSON");
        bench.chosen();
        bench.pass(1_000);
        Meters meters = new Meters(bench.registry);
        assertThat(meters.counter(Meter.UPSTREAM_BAD_ANSWERS, "net", "a", "wrong_id")
                        .getCount())
                .isEqualTo(1);
        assertThat(meters.counter(Meter.UPSTREAM_BAD_ANSWERS, "net", "a", "not_json")
                        .getCount())
                .isPositive();
        assertThat(meters.counter(Meter.UPSTREAM_BAD_ANSWERS, "net", "b", "wrong_id")
                        .getCount())
                .isZero();
    }

    @Test
    void aCallInterruptedByAnotherSaysNothingOfTheNode() {
        for (int i = 0; i < 2 * PoolBench.FAULTS; i++) {
            bench.ask("a", FakeNode.failed(Fault.INTERRUPTED));
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void callsThatWaitStayWhereNoOtherNodeIsHealthy() {
        bench.nodes.get("b").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("b", FakeNode.failed(Fault.CONNECT));
        bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
        assertThat(a.resets).containsExactly(false);
    }

    @Test
    void aConnectionThatBrokeOnceHealsAtOnce() {
        bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
        assertThat(a.probed).containsExactly("chain", "syncing", "head");
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aProbeThatBeganBeforeTheFaultDoesNotBringTheNodeBack() {
        a.holdProbes = true;
        bench.pass(60_000);
        assertThat(a.probed).containsExactly("head");
        bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
        a.releaseProbe();
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        assertThat(a.probed).as("a new one begins").containsExactly("head", "chain");
        a.holdProbes = false;
        a.releaseProbe();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aFaultOfACallFromBeforeTheNodeCameBackSaysNothingNew() {
        bench.ask("a");
        bench.ask("a");
        Attempt first = a.calls.remove();
        Attempt second = a.calls.remove();
        first.end(FakeNode.failed(Fault.DISCONNECTED));
        bench.settle();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        second.end(FakeNode.failed(Fault.DISCONNECTED));
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER_ERROR", "BAD_ANSWER"})
    void theThirdFaultInARowTakesANodeOut(Fault fault) {
        a.probeOutcome = FakeNode.failed(Fault.SERVER_ERROR);
        bench.ask("a", FakeNode.failed(fault));
        bench.ask("a", FakeNode.failed(fault));
        bench.ask("a", FakeNode.error(3));
        bench.ask("a", FakeNode.failed(fault));
        bench.ask("a", FakeNode.failed(fault));
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        bench.ask("a", FakeNode.failed(fault));
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
    }

    @Test
    void timeoutsCountOnlyWhereTheNodeHadTheCallLongEnough() {
        a.probeOutcome = FakeNode.failed(Fault.TIMEOUT);
        for (int i = 0; i < 5; i++) {
            bench.ask("a", FakeNode.failed(Fault.TIMEOUT));
        }
        assertThat(bench.health("a")).as("too short").isEqualTo(Health.HEALTHY);
        for (int i = 0; i < 5; i++) {
            timeOut(new Failed(Fault.TIMEOUT, Executed.NO, "waited", 0));
        }
        assertThat(bench.health("a")).as("never sent").isEqualTo(Health.HEALTHY);
        a.probeOutcome = null;
        for (int i = 0; i < 2; i++) {
            timeOut(FakeNode.failed(Fault.TIMEOUT));
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(a.resets).isEmpty();
        timeOut(FakeNode.failed(Fault.TIMEOUT));
        assertThat(a.resets).as("taken out, then probed well").hasSize(1);
    }

    private void timeOut(Failed outcome) {
        bench.ask("a");
        bench.ticker.advanceMillis(PoolBench.PROBE_TIMEOUT_MILLIS);
        a.calls.remove().end(outcome);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOO_LARGE", "OVERLOADED", "OVER_BUDGET", "CLOSED", "STALE_CONNECTION", "INTERNAL"})
    void someFaultsAreNotTheNodes(Fault fault) {
        for (int i = 0; i < 10; i++) {
            bench.ask("a", FakeNode.failed(fault));
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void anAttemptEndsWithTheUpstreamsTimeoutOrTheCallsDeadlineWhicheverIsSooner() {
        bench.ask("a");
        long now = bench.ticker.nanoTime();
        assertThat(a.lastDeadlineNanos - now).isEqualTo(PoolBench.TIMEOUT_MILLIS * 1_000_000);
        bench.upstream("a").ask(bench.loop, PoolBench.call(), now + 5, Attempt.of(outcome -> {}));
        assertThat(a.lastDeadlineNanos - now).isEqualTo(5);
    }

    @Test
    void attemptsAndProbesAreCounted() {
        List<NodeOutcome> outcomes = bench.ask("a");
        assertThat(bench.status("a").inFlight()).isEqualTo(1);
        a.calls.remove().end(FakeNode.answer("1"));
        assertThat(outcomes).containsExactly(FakeNode.answer("1"));
        assertThat(bench.status("a").inFlight()).isZero();
        bench.ask("a", FakeNode.error(3));
        bench.ask("a", FakeNode.failed(Fault.SERVER_ERROR));
        Meters meters = new Meters(bench.registry);
        for (String outcome : List.of("result", "error", "server_error")) {
            assertThat(meters.counter(Meter.UPSTREAM_CALLS, "net", "a", outcome).getCount())
                    .as(outcome)
                    .isEqualTo(1);
        }
        assertThat(meters.timer(Meter.UPSTREAM_SECONDS, "net", "a").getCount()).isEqualTo(3);
        assertThat(meters.counter(Meter.UPSTREAM_PROBES, "net", "a", "result").getCount())
                .isEqualTo(3);
    }
}
