package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose probes are good and whose calls are not. */
class ReturnDelayTest {

    private static final int STEP_MILLIS = 50;

    private final PoolBench bench = new PoolBench();
    private FakeNode a;

    @BeforeEach
    void begin() {
        a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
    }

    private void fall() {
        for (int i = 0; i < PoolBench.FAULTS; i++) {
            bench.ask("a", FakeNode.failed(Fault.BAD_ANSWER));
        }
    }

    private long outMillis() {
        long millis = 0;
        while (bench.status("a").isOut()) {
            bench.pass(STEP_MILLIS);
            millis += STEP_MILLIS;
        }
        return millis;
    }

    @Test
    void eachFallSoonAfterTheReturnKeepsItOutForLonger() {
        List<Long> longest =
                List.of(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L, 60_000L);
        List<Long> out = new ArrayList<>();
        for (long millis : longest) {
            fall();
            out.add(outMillis());
            assertThat(out.get(out.size() - 1)).isBetween(millis * 8 / 10, millis);
        }
        assertThat(out).as("a random part").isNotEqualTo(longest);
    }

    @Test
    void brokenConnectionsHoldItFromTheSecondTimeOn() {
        List<Long> out = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            bench.ask("a", FakeNode.failed(Fault.DISCONNECTED));
            out.add(outMillis());
        }
        assertThat(out).containsExactly(0L, 200L, 400L, 800L, 1_600L);
    }

    @Test
    void aWhileOfGoodAnswersMakesItForgotten() {
        fall();
        outMillis();
        fall();
        assertThat(outMillis()).isBetween(1_600L, 2_000L);
        bench.ask("a", FakeNode.answer("1"));
        bench.pass(60_000);
        fall();
        assertThat(outMillis()).isBetween(800L, 1_000L);
        fall();
        assertThat(outMillis()).isBetween(1_600L, 2_000L);
    }

    @Test
    void aWhileWithoutAnyAnswerProvesNothing() {
        fall();
        outMillis();
        fall();
        outMillis();
        bench.pass(120_000);
        fall();
        assertThat(outMillis()).isBetween(3_200L, 4_000L);
    }

    @Test
    void nobodyIsHeldWhereNoNodeIsHealthy() {
        fall();
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
        bench.nodes.get("b").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("b", FakeNode.failed(Fault.CONNECT));
        assertThat(outMillis()).isZero();
        fall();
        assertThat(outMillis()).as("nor is the last one").isZero();
    }

    @Test
    void aProbeInFlightDoesNotBringItBackEarlier() {
        a.holdProbes = true;
        bench.pass(60_000);
        assertThat(a.heldProbes).hasSize(1);
        fall();
        a.holdProbes = false;
        a.releaseProbe();
        assertThat(outMillis()).isBetween(800L, 1_000L);
    }
}
