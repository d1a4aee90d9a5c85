package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that is behind by about the tolerated number of blocks. */
class LagEdgeTest {

    private final PoolBench bench = new PoolBench();
    private FakeNode edge;

    @BeforeEach
    void begin() {
        edge = bench.node("edge", 0, 1);
        bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
    }

    private void roundWith(long behind) {
        long head = bench.nodes.get("a").head + 10;
        bench.nodes.values().forEach(node -> node.head = head);
        edge.head = head - behind;
        bench.pass(60_100);
    }

    @Test
    void aNodeThatLeftReturnsOnlyOnceItIsClearlyLessBehind() {
        roundWith(PoolBench.MAX_LAG + 1);
        for (int i = 0; i < 6; i++) {
            assertThat(bench.health("edge")).as("round %d", i).isEqualTo(Health.LAGGING);
            roundWith(PoolBench.MAX_LAG + i % 2);
        }
        roundWith(PoolBench.MAX_LAG - 1);
        assertThat(bench.health("edge")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatReturnedStaysUntilItIsTooFarBehindAgain() {
        roundWith(PoolBench.MAX_LAG + 1);
        for (int i = 0; i < 6; i++) {
            roundWith(PoolBench.MAX_LAG - 1 + i % 2);
            assertThat(bench.health("edge")).as("round %d", i).isEqualTo(Health.HEALTHY);
        }
        roundWith(PoolBench.MAX_LAG + 1);
        assertThat(bench.health("edge")).isEqualTo(Health.LAGGING);
    }
}
