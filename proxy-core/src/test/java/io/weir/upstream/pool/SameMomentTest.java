package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes of a chain with four blocks a second, one of which is slow to answer probes: heads are compared as of the same moment. */
class SameMomentTest {

    private static final int BLOCKS_PER_SECOND = 4;

    private final PoolBench bench = new PoolBench();
    private final FakeNode a = bench.node("a", 0, 1);
    private final FakeNode b = bench.node("b", 0, 1);
    private final FakeNode slow = bench.node("slow", 0, 1);
    private long blocks;
    private long millis;

    /** Lets the chain grow on nodes while time passes, in steps of 50 ms. */
    private void grow(long passed, FakeNode... nodes) {
        for (long left = passed; left > 0; left -= 50) {
            millis += 50;
            long grown = millis * BLOCKS_PER_SECOND / 1000 - blocks;
            blocks += grown;
            for (FakeNode node : nodes) {
                node.head += grown;
            }
            bench.pass(50);
        }
    }

    private void assertAllHealthy() {
        for (String id : bench.nodes.keySet()) {
            assertThat(bench.health(id)).as(id).isEqualTo(Health.HEALTHY);
        }
    }

    /** Lets a probe begin now, whose answer about the head takes some time. */
    private void holdTheHeadOfTheNextProbe() {
        slow.holdProbes = true;
        bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0);
        while (slow.heldProbes.isEmpty()) {
            grow(50, a, b, slow);
            bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0);
        }
    }

    @Test
    void aLateAnswerWithANewHeadTakesNoNodeOut() {
        bench.begin();
        for (int round = 0; round < 5; round++) {
            holdTheHeadOfTheNextProbe();
            slow.releaseProbe();
            grow(950, a, b, slow);
            slow.releaseProbe();
            slow.holdProbes = false;
            assertAllHealthy();
            grow(1_500, a, b, slow);
            assertAllHealthy();
        }
    }

    @Test
    void theFirstRoundTakesNoNodeOutEither() {
        slow.holdProbes = true;
        bench.begin();
        slow.releaseProbe();
        slow.releaseProbe();
        grow(1_900, a, b, slow);
        slow.releaseProbe();
        assertAllHealthy();
    }

    @Test
    void aNodeWhoseAnswerIsOldWhenItComesIsNotExpelledForThat() {
        bench.begin();
        holdTheHeadOfTheNextProbe();
        slow.releaseProbe();
        // It named its head at once: only the answer takes its time.
        long named = slow.head;
        grow(1_400, a, b, slow);
        long now = slow.head;
        slow.head = named;
        slow.releaseProbe();
        slow.head = now;
        slow.holdProbes = false;
        assertAllHealthy();
    }

    @Test
    void aNodeThatIsBehindIsFoundOutBesideASlowOne() {
        bench.begin();
        FakeNode behind = b;
        behind.head -= 10;
        holdTheHeadOfTheNextProbe();
        // Which of the two others is right shows once the slow one is given up, and the higher head is shown.
        for (int i = 0; i < 30; i++) {
            bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0);
            grow(100, a, behind, slow);
        }
        assertThat(bench.health("b")).isEqualTo(Health.LAGGING);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatStandsStillIsFoundOutInTime() {
        bench.begin();
        bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0);
        for (int i = 0; i < 40; i++) {
            grow(100, a, slow);
            bench.pool.choose(PoolBench.call("eth_chainId"), List.of(), 0);
        }
        assertThat(bench.health("b")).isEqualTo(Health.LAGGING);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("slow")).isEqualTo(Health.HEALTHY);
    }
}
