package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeChoiceTest {

    private final PoolBench bench = new PoolBench();

    @Test
    void anIdlePoolSharesByWeight() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 3);
        bench.node("c", 0, 6);
        bench.begin();
        long seed = System.nanoTime();
        bench.random = new Random(seed);
        Map<String, Integer> counts = new HashMap<>();
        int draws = 20_000;
        for (int i = 0; i < draws; i++) {
            counts.merge(bench.chosen(), 1, Integer::sum);
        }
        assertThat(counts.get("a") / (double) draws)
                .as("seed %d: %s", seed, counts)
                .isCloseTo(0.1, within(0.02));
        assertThat(counts.get("b") / (double) draws)
                .as("seed %d: %s", seed, counts)
                .isCloseTo(0.3, within(0.02));
        assertThat(counts.get("c") / (double) draws)
                .as("seed %d: %s", seed, counts)
                .isCloseTo(0.6, within(0.02));
    }

    @Test
    void aBusyPoolSharesAttemptsInFlightByWeight() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 3);
        bench.begin();
        long seed = System.nanoTime();
        bench.random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            bench.ask(bench.chosen());
        }
        assertThat(bench.status("a").inFlight()).as("seed %d", seed).isBetween(98L, 102L);
        assertThat(bench.status("b").inFlight()).as("seed %d", seed).isBetween(298L, 302L);
    }

    @Test
    void aDrainedNodeGetsNoCallEvenIfNoOtherIsLeft() {
        bench.node("a", 0, 1);
        bench.node("b", 1, 1);
        bench.begin();
        List<NodeOutcome> underWay = bench.ask("a");
        bench.upstream("a").drain(true);
        assertThat(bench.chosen()).isEqualTo("b");
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("b")))
                .isNull();
        bench.upstream("b").drain(true);
        assertThat(bench.chosen()).isEqualTo("none");
        assertThat(bench.pool.usable()).isFalse();
        assertThat(bench.status("a").health()).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").inFlight()).isEqualTo(1);
        assertThat(underWay).isEmpty();

        bench.upstream("a").drain(false);
        assertThat(bench.chosen()).isEqualTo("a");
        assertThat(bench.pool.usable()).isTrue();
    }

    @Test
    void aDrainedNodeIsProbedAndItsHeadIsNotTheHead() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        bench.upstream("b").drain(true);
        a.probed.clear();
        b.probed.clear();
        b.head += 3;
        bench.pass(120_000);
        assertThat(b.probed).isNotEmpty();
        assertThat(bench.pool.head().tracker().number()).isEqualTo(a.head);
    }

    @Test
    void aWeightThatAnOperatorSetsIsInForceAtOnce() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        bench.random = new Random(1);
        bench.upstream("b").weigh(1_000_000);
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("b");
        }
    }

    @Test
    void aWeightThatIsLoweredDuringAChoiceFailsNoCall() {
        bench.node("a", 0, 100);
        bench.node("b", 0, 1);
        bench.begin();
        // The draw comes after the weights were added up.
        bench.random = new Random(1) {
            @Override
            public int nextInt(int bound) {
                bench.upstream("a").weigh(1);
                return bound - 1;
            }
        };
        assertThat(bench.chosen()).isIn("a", "b");
    }

    @Test
    void theLessLoadedOfTwoIsTaken() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        bench.ask("a");
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("b");
        }
    }

    @Test
    void aHigherTierIsAskedOnlyWhereNoneIsLeftBelow() {
        bench.node("far", 1, 100);
        bench.node("near", 0, 1);
        bench.node("nearer", 0, 1);
        bench.begin();
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).startsWith("near");
        }
        assertThat(bench.chosen("near")).isEqualTo("nearer");
        assertThat(bench.chosen("near", "nearer")).isEqualTo("far");
        assertThat(bench.chosen("near", "nearer", "far")).isEqualTo("none");
    }

    @Test
    void aNodeThatAsksForAPauseWithAnAnswerGetsIt() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        bench.ask("a", new Answered(new RpcReply.Result(RawJson.of("1")), 429, null, 5));
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.chosen("b")).isEqualTo("none");
        bench.pass(5_000);
        assertThat(bench.chosen("b")).isEqualTo("a");
    }

    @Test
    void aThrottledNodeIsPassedOverUntilItsTime() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        bench.ask("a", FakeNode.rateLimited(5));
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.chosen()).isEqualTo("b");
        assertThat(bench.chosen("b")).isEqualTo("none");
        assertThat(bench.pool.retryAfterSeconds()).isZero();
        bench.ask("b", FakeNode.rateLimited(3));
        assertThat(bench.chosen()).isEqualTo("none");
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(3);
        bench.pass(1_500);
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(2);
        bench.pass(1_500);
        assertThat(bench.pool.retryAfterSeconds()).isZero();
        assertThat(bench.chosen()).isEqualTo("b");
    }

    @Test
    void aRateLimitWithoutTimeLastsASecondAndOneTooLongIsShortened() {
        bench.node("a", 0, 1);
        bench.begin();
        bench.ask("a", FakeNode.rateLimited(0));
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(1);
        bench.ask("a", FakeNode.rateLimited(Integer.MAX_VALUE));
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(NodeState.MAX_THROTTLE_SECONDS);
    }

    @Test
    void theFirstNodeThatMayBeAskedAgainSaysForHowLongCallsWait() {
        List.of("a", "b", "c").forEach(id -> bench.node(id, 0, 1));
        bench.begin();
        bench.ask("a", FakeNode.rateLimited(3));
        bench.ask("b", FakeNode.rateLimited(5));
        assertThat(bench.pool.throttledNanos(List.of())).isEqualTo(TimeUnit.SECONDS.toNanos(3));
        bench.ask("c", FakeNode.rateLimited(2));
        assertThat(bench.pool.throttledNanos(List.of())).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(bench.pool.throttledNanos(List.of(bench.upstream("c")))).isEqualTo(TimeUnit.SECONDS.toNanos(3));
        List.of("a", "b", "c").forEach(id -> bench.upstream(id).drain(true));
        assertThat(bench.pool.throttledNanos(List.of())).isZero();
        assertThat(bench.pool.retryAfterSeconds()).isZero();
    }

    @Test
    void aShortRateLimitDoesNotShortenALongOne() {
        bench.node("a", 0, 1);
        bench.begin();
        bench.ask("a", FakeNode.rateLimited(60));
        bench.pass(10_000);
        bench.ask("a", FakeNode.rateLimited(1));
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(50);
        bench.ask("a", FakeNode.rateLimited(60));
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(60);
    }

    @Test
    void anUnhealthyNodeIsAskedOnlyWhileThePoolHasNoHealthyOne() {
        bench.node("good", 0, 1);
        bench.node("lagging", 0, 1).head = 10;
        bench.begin();
        assertThat(bench.health("lagging")).isEqualTo(Health.LAGGING);
        assertThat(bench.chosen("good")).isEqualTo("none");
        bench.nodes.get("good").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("good", FakeNode.failed(Fault.CONNECT));
        assertThat(bench.chosen("good")).isEqualTo("lagging*");
        assertThat(bench.chosen()).isEqualTo("lagging*");
        assertThat(bench.chosen("lagging")).isEqualTo("good*");
    }

    @Test
    void theLeastBadComesFirst() {
        bench.node("down", 0, 1);
        bench.node("syncing", 0, 1).syncing = "true";
        bench.node("lagging", 9, 1).head = 10;
        bench.node("best", 0, 1);
        bench.begin();
        for (String id : List.of("down", "best")) {
            bench.nodes.get(id).probeOutcome = FakeNode.failed(Fault.CONNECT);
            bench.ask(id, FakeNode.failed(Fault.CONNECT));
        }
        assertThat(bench.pool.usable()).isFalse();
        assertThat(bench.chosen()).isEqualTo("lagging*");
        assertThat(bench.chosen("lagging")).isEqualTo("syncing*");
        assertThat(bench.chosen("lagging", "syncing", "best")).isEqualTo("down*");
    }

    @Test
    void ofTwoThatAreDownTheOneThatAnsweredLastComesFirst() {
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        bench.nodes.get("a").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        bench.chosen();
        bench.pass(1_100);
        bench.nodes.get("b").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("b", FakeNode.failed(Fault.CONNECT));
        assertThat(bench.chosen()).isEqualTo("b*");
    }

    @Test
    void aNodeThatWasNeverSeenOnTheRightChainIsNeverAsked() {
        bench.node("absent", 0, 1).probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.node("other", 0, 1).chain = "5";
        bench.begin();
        assertThat(bench.health("absent")).isEqualTo(Health.DOWN);
        assertThat(bench.health("other")).isEqualTo(Health.WRONG_CHAIN);
        assertThat(bench.chosen()).isEqualTo("none");
    }
}
