package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two of three nodes begin anew, far behind the block on which all agreed. */
class NodesFarBehindTest extends AnnouncingNodes {

    private static final long BEHIND = 1_000;

    private final FakeNode c = bench.node("c", 0, 1);

    @BeforeEach
    void loseTwoNodes() {
        c.hasSocket = true;
        for (FakeNode node : bench.nodes.values()) {
            node.head = 2 * BEHIND;
        }
        begin();
    }

    private void beginAnew(FakeNode node) {
        node.head -= BEHIND;
        node.announce();
        bench.settle();
    }

    @Test
    void theHeadStaysWhereTheThirdOneIs() {
        long head = a.head;
        bench.pool.head().missing(head);
        beginAnew(b);
        beginAnew(c);
        calls(10_000);
        assertThat(ask()).isEqualTo(head);
        for (int i = 0; i < 3; i++) {
            a.head++;
            a.announce();
            bench.settle();
            calls(BLOCK_MILLIS);
        }
        assertThat(ask()).isEqualTo(head + 3);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void anotherBranchOfTheThirdOneIsNotBelieved() {
        beginAnew(b);
        beginAnew(c);
        a.branch = 0xbad0000;
        a.head += 2;
        bench.pool.head().missing(a.head);
        a.announce();
        bench.settle();
        calls(10_000);
        assertThat(ask()).isLessThan(a.head);
    }
}
