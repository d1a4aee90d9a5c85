package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolMonitorTest {

    private final PoolBench bench = new PoolBench();
    private long followedSeconds;

    @Test
    void theFirstProbeAsksForChainSyncingAndHead() {
        FakeNode a = bench.node("a", 0, 1);
        bench.make();
        assertThat(bench.health("a")).isEqualTo(Health.UNKNOWN);
        assertThat(bench.chosen()).isEqualTo("none");
        bench.pool.start();
        bench.settle();
        assertThat(a.probed).containsExactly("chain", "syncing", "head");
        assertThat(bench.status("a")).isEqualTo(new UpstreamStatus("a", 0, 1, false, Health.HEALTHY, 100, 0, 0, ""));
    }

    @Test
    void aQuietPoolIsPolledOnceAMinute() {
        FakeNode a = bench.node("a", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        a.probed.clear();
        bench.pass(59_900);
        assertThat(a.probed).isEmpty();
        bench.pass(200);
        assertThat(a.probed).containsExactly("head");
        bench.pass(59_800);
        assertThat(a.probed).hasSize(1);
        bench.pass(300);
        assertThat(a.probed).hasSize(2);
    }

    @Test
    void aPoolWithTrafficIsPolledEachInterval() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probed.clear();
        for (int i = 0; i < 10; i++) {
            bench.chosen();
            bench.pass(1_000);
        }
        assertThat(a.probed).hasSize(20);
    }

    @Test
    void theFirstCallAfterAnIdleTimeStartsARound() {
        FakeNode a = bench.node("a", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        bench.pass(10_000);
        a.probed.clear();
        bench.chosen();
        bench.chosen();
        bench.settle();
        assertThat(a.probed).containsExactly("syncing", "head");
        bench.pass(30_000);
        assertThat(a.probed).as("idle again").hasSize(2);
    }

    @Test
    void aNodeTooFarBehindTheBestLagsUntilItCatchesUp() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        a.head = 97;
        b.head = 100;
        bench.begin();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        b.head = 101;
        bench.pass(60_100);
        assertThat(bench.health("a")).isEqualTo(Health.LAGGING);
        assertThat(bench.status("a").detail()).isEqualTo("is 4 blocks behind");
        assertThat(bench.status("a").head()).isEqualTo(97);
        a.head = 99;
        bench.pass(60_100);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").detail()).isEmpty();
    }

    @Test
    void aNodeThatComesBackBetweenRoundsChangesNothingForTheOthers() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        a.head = 140;
        bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
        assertThat(bench.status("a").head()).isEqualTo(140);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).as("its head is older").isEqualTo(Health.HEALTHY);
        a.head = 10;
        bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
        bench.pass(600);
        assertThat(bench.health("a")).isEqualTo(Health.LAGGING);
    }

    @Test
    void aSyncingNodeIsOutAndSetsNoMeasure() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        a.syncing = "true";
        a.head = 5_000;
        bench.begin();
        assertThat(bench.health("a")).isEqualTo(Health.SYNCING);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
        a.syncing = "false";
        a.head = 100;
        bench.pass(60_100);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeWithoutTheSyncingCallIsNotSyncing() {
        FakeNode a = bench.node("a", 0, 1);
        a.probeOutcomes.put("syncing", FakeNode.error(-32601));
        bench.begin();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aWrongChainIsNeverAskedAndLookedAtAgainEachDownInterval() {
        FakeNode a = bench.node("a", 0, 1);
        a.chain = "5";
        bench.begin();
        assertThat(bench.status("a").detail()).isEqualTo("serves chain 5, not 1");
        bench.pass(10_000);
        assertThat(bench.chosen()).isEqualTo("none");
        a.probed.clear();
        a.chain = "1";
        bench.pass(600);
        assertThat(a.probed).startsWith("chain", "syncing", "head");
        assertThat(bench.chosen()).isEqualTo("a");
    }

    @Test
    void anotherChainBehindANewConnectionIsFoundOnceCallsUseTheNode() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.connects++;
        a.chain = "5";
        bench.pass(60_100);
        assertThat(bench.health("a")).as("no call uses it").isEqualTo(Health.HEALTHY);
        bench.chosen();
        bench.settle();
        assertThat(bench.health("a")).isEqualTo(Health.WRONG_CHAIN);
        assertThat(a.resets).as("what waits must not reach it").containsExactly(true);
        assertThat(bench.chosen()).isEqualTo("none");
    }

    /** Lets time pass while the nodes' chain has a block each 12 s, and calls want the head. */
    private void follow(long seconds) {
        for (long second = 0; second < seconds; second++, followedSeconds++) {
            boolean grows = followedSeconds % 12 == 0;
            bench.nodes.values().forEach(node -> node.head += grows ? 1 : 0);
            bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + 1_000_000_000L, head -> {});
            bench.pass(1_000);
        }
    }

    private long asked(FakeNode node, String question) {
        return Collections.frequency(node.probed, question);
    }

    @Test
    void aNodeThatShowsItsBlocksToPollsIsNotProbedBesideThem() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        follow(180);
        a.probed.clear();
        b.probed.clear();
        for (int i = 0; i < 180; i++) {
            // Also between a poll and a round.
            a.connects++;
            follow(1);
        }
        assertThat(List.of(a, b)).allSatisfy(node -> {
            assertThat(asked(node, "latest")).isGreaterThanOrEqualTo(15);
            assertThat(asked(node, "head")).as("with syncing").isLessThanOrEqualTo(1);
            assertThat(asked(node, "chain"))
                    .as("both have shown the same blocks")
                    .isZero();
        });
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatAnswersNoPollsIsProbed() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        follow(180);
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        follow(85);
        assertThat(bench.health("a")).as("two block times after its last block").isEqualTo(Health.DOWN);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatShowsOtherBlocksOverANewConnectionIsAskedForItsChain() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        follow(180);
        a.chain = "5";
        a.branch = 1 << 20;
        for (int i = 0; i < 85; i++) {
            a.connects++;
            follow(1);
        }
        assertThat(bench.health("a")).isEqualTo(Health.WRONG_CHAIN);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void theOnlyNodeIsAskedForItsChainAfterANewConnection() {
        FakeNode a = bench.node("a", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        follow(180);
        a.connects++;
        a.chain = "5";
        follow(85);
        assertThat(bench.health("a")).isEqualTo(Health.WRONG_CHAIN);
    }

    @Test
    void aNodeThatComesBackIsComparedWithTheBlocksThatPollsHaveShown() {
        bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        follow(180);
        b.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("b", FakeNode.failed(Fault.CONNECT));
        follow(120);
        assertThat(bench.health("b")).isEqualTo(Health.DOWN);
        b.head -= PoolBench.MAX_LAG + 6;
        b.probeOutcome = null;
        bench.pass(1_000);
        assertThat(bench.health("b")).isEqualTo(Health.LAGGING);
        b.head += PoolBench.MAX_LAG + 6;
        follow(61);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void anAnswerThatCannotBeReadTakesTheNodeOut() {
        FakeNode a = bench.node("a", 0, 1);
        a.probeOutcomes.put("head", FakeNode.answer("\"high\""));
        bench.begin();
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        assertThat(bench.status("a").detail()).isEqualTo("answers head with something else than asked for");
        a.probeOutcomes.put("head", FakeNode.error(-32000));
        bench.pass(600);
        assertThat(bench.status("a").detail()).isEqualTo("answers head with error -32000");
    }

    @Test
    void aNodeThatFailsAPollIsProbedAgainAtOnceOverAFreshConnection() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probed.clear();
        a.holdProbes = true;
        bench.pass(60_000);
        a.probeOutcome = FakeNode.failed(Fault.DISCONNECTED);
        a.releaseProbe();
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        assertThat(a.resets).containsExactly(false);
        assertThat(a.probed).containsExactly("head", "chain");
        a.holdProbes = false;
        a.probeOutcome = null;
        a.releaseProbe();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aRateLimitedPollLeavesTheNodeIn() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probeOutcome = FakeNode.rateLimited(7);
        bench.pass(60_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(7);
    }

    @Test
    void aNodeThatIsRateLimitedFromTheStartIsLeftAloneAsLongAsItAsks() {
        FakeNode a = bench.node("a", 0, 1);
        a.probeOutcome = FakeNode.rateLimited(7);
        bench.begin();
        assertThat(bench.status("a").detail()).isEqualTo("is rate limited");
        assertThat(bench.health("a")).isEqualTo(Health.UNKNOWN);
        assertThat(bench.pool.usable()).isTrue();
        assertThat(bench.pool.retryAfterSeconds()).isEqualTo(7);
        a.probed.clear();
        a.probeOutcome = null;
        bench.pass(6_900);
        assertThat(a.probed).isEmpty();
        bench.pass(200);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void waitingForTheFirstProbesEndsWithTheLastOfThem() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        b.holdProbes = true;
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.begin();
        AtomicInteger notified = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        bench.pool.whenProbed(bench.loop, bench.ticker.nanoTime() + 10_000_000_000L, notified::incrementAndGet);
        bench.pool.whenProbed(bench.loop, bench.ticker.nanoTime() + 100_000_000L, late::incrementAndGet);
        bench.pass(200);
        assertThat(notified).hasValue(0);
        assertThat(late).as("its deadline has passed").hasValue(1);
        assertThat(bench.pool.probed()).isFalse();
        b.holdProbes = false;
        b.releaseProbe();
        bench.pass(20_000);
        assertThat(bench.pool.probed()).isTrue();
        assertThat(notified).hasValue(1);
        assertThat(late).hasValue(1);
        bench.pool.whenProbed(bench.loop, bench.ticker.nanoTime(), notified::incrementAndGet);
        assertThat(notified).hasValue(2);
    }

    @Test
    void aClosedPoolProbesNoMore() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probed.clear();
        bench.pool.close();
        bench.pass(120_000);
        assertThat(a.probed).isEmpty();
        assertThat(a.closed).isTrue();
    }

    @Test
    void aCallToAClosedPoolLeavesNothingOnItsLoop() {
        bench.node("a", 0, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        bench.pass(10_000);
        bench.pool.close();
        bench.settle();
        bench.chosen();
        bench.settle();
        assertThat(bench.channel.runScheduledPendingTasks()).as("the next task").isEqualTo(-1);
    }
}
