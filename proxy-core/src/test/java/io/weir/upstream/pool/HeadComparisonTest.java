package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Comparison of heads, in and between rounds. */
class HeadComparisonTest {

    private final PoolBench bench = new PoolBench();
    private FakeNode slow;
    private FakeNode best;

    @BeforeEach
    void aNodeBehindTheBest() {
        slow = bench.node("slow", 0, 1);
        best = bench.node("best", 0, 1);
        slow.head = 85;
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
    }

    private void round() {
        bench.pass(60_100);
    }

    @Test
    void theFirstAnswerIsComparedWithTheLastRound() {
        best.holdProbes = true;
        round();
        assertThat(best.heldProbes).isNotEmpty();
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("best");
        }
        best.holdProbes = false;
        best.releaseProbe();
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
    }

    @Test
    void aNodeBehindStaysOutWhileTheHeadOfTheBestOneIsBeingChecked() {
        best.head = 1_000;
        best.holdBlocks = true;
        round();
        assertThat(best.heldProbes).isNotEmpty();
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("best");
        }
        best.holdBlocks = false;
        best.releaseProbe();
        bench.settle();
        assertThat(bench.status("best").head()).isEqualTo(1_000);
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
    }

    @Test
    void aRollbackIsFollowedBesideANodeThatDoesNotShowItsHead() {
        FakeNode liar = best;
        liar.head = 1_000_000;
        liar.shown = 100;
        round();
        assertThat(bench.health("best")).isNotEqualTo(Health.HEALTHY);
        slow.head = 50;
        round();
        round();
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatReturnsDuringARoundIsComparedWithTheLastOne() {
        best.holdProbes = true;
        round();
        bench.ask("slow", FakeNode.failed(Fault.DISCONNECTED));
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
    }

    @Test
    void aRollbackThatEveryNodeReportsIsFollowedInOneRound() {
        slow.head = 50;
        best.head = 51;
        round();
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("best")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatIsMissingInARoundKeepsItsMeasureForThatRound() {
        best.probeOutcome = FakeNode.failed(Fault.CONNECT);
        round();
        assertThat(bench.health("best")).isEqualTo(Health.DOWN);
        assertThat(bench.health("slow")).isEqualTo(Health.LAGGING);
        round();
        assertThat(bench.health("slow")).as("the best that can be had").isEqualTo(Health.HEALTHY);
    }

    @Test
    void theHeadOfAHealthyNodeThatIsLeftAloneStillCounts() {
        best.probeOutcome = FakeNode.rateLimited(600);
        for (int i = 0; i < 4; i++) {
            round();
            assertThat(bench.health("best")).isEqualTo(Health.HEALTHY);
            assertThat(bench.health("slow")).as("round " + i).isEqualTo(Health.LAGGING);
        }
    }

    @Test
    void aNodeThatComesBackBehindIntoAPoolWithoutAHealthyOneStartsARound() {
        best.probeOutcome = FakeNode.failed(Fault.CONNECT);
        slow.probeOutcome = FakeNode.failed(Fault.CONNECT);
        round();
        assertThat(bench.health("slow")).isEqualTo(Health.DOWN);
        slow.head = 3;
        slow.probeOutcome = null;
        bench.pass(1_000);
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
    }
}
