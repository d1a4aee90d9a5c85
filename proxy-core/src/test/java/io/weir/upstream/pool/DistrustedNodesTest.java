package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that left a block which no other node had. */
class DistrustedNodesTest extends AnnouncingNodes {

    private static final int DISTRUST_BLOCKS = 12;

    private final List<String> shown = new ArrayList<>();

    @BeforeEach
    void leaveABlock() {
        begin();
        bench.pool.head().listen((block, round, upstreamId) -> shown.add(upstreamId));
        a.branch = 0xbad0000;
        block();
        a.branch = 0;
        blocks(1);
        shown.clear();
    }

    private void next(FakeNode node) {
        node.head++;
        node.announce();
        bench.settle();
    }

    @Test
    void itsBlocksCountOnceAnotherNodeNamesThem() {
        long head = b.head;
        next(a);
        assertThat(tracker().number()).isEqualTo(head);
        calls(1_000);
        assertThat(ask()).isEqualTo(head);
        assertThat(shown).doesNotContain("a");
        next(b);
        assertThat(ask()).isEqualTo(b.head);
        assertThat(bench.pool.head().tracker().isDoubtful()).isFalse();
    }

    @Test
    void itGetsCallsForBlocksThatAnotherNodeHasToo() {
        blocks(3);
        calls(1_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").head()).isEqualTo(a.head);
        next(a);
        calls(1_000);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.status("a").head()).isEqualTo(b.head);
    }

    @Test
    void itIsBelievedAgainOnceItHasBeenRightForAWhile() {
        blocks(DISTRUST_BLOCKS);
        calls(2_000);
        next(a);
        assertThat(tracker().number()).isEqualTo(a.head);
    }

    @Test
    void itIsHeardAfterAWhileIfTheOtherNodeStandsStill() {
        long longest = 0;
        for (int i = 0; i < 10; i++) {
            next(a);
            calls(BLOCK_MILLIS);
            longest = Math.max(longest, a.head - tracker().number());
        }
        assertThat(longest).isBetween(1L, 5L);
        assertThat(ask()).isEqualTo(a.head);
        b.head = a.head;
        blocks(1);
        assertThat(ask()).isEqualTo(a.head);
    }

    @Test
    void itsBlocksWaitAgainOnceTheOtherNodeHasCaughtUp() {
        for (int i = 0; i < 4; i++) {
            next(a);
            calls(BLOCK_MILLIS);
        }
        assertThat(tracker().number()).isEqualTo(a.head);
        b.head = a.head;
        b.announce();
        bench.settle();
        next(a);
        assertThat(tracker().number()).isEqualTo(b.head);
    }

    private @Nullable Boolean counts(String upstreamId, BlockLink block) {
        AtomicReference<Boolean> counts = new AtomicReference<>();
        bench.pool.head().compare(block, upstreamId, bench.loop, counts::set);
        bench.settle();
        return counts.get();
    }

    @Test
    void theBlockOfItsAnswerCountsOnceAnotherNodeShowsTheSame() {
        BlockLink block = new BlockLink(b.head + 1, "0xa", "0x9");
        assertThat(counts("a", block)).isFalse();
        assertThat(counts("b", block)).isTrue();
        assertThat(counts("a", block)).isTrue();
    }

    @Test
    void itIsHeardAtOnceIfTheOtherNodeIsGone() {
        b.subscription().end();
        b.probeOutcome = FakeNode.failed(Fault.CONNECT);
        calls(20_000);
        assertThat(bench.health("b")).isEqualTo(Health.DOWN);
        next(a);
        calls(2_000);
        assertThat(ask()).isEqualTo(a.head);
    }

    @Test
    void severalMadeUpBlocksAtOnceAreNoHead() {
        b.branch = 0xbad0000;
        b.head += 4;
        b.announce();
        bench.settle();
        assertThat(tracker().number()).isEqualTo(a.head);
        assertThat(shown).isEmpty();
    }

    @Test
    void theNodeWhoseBlockStayedIsBelieved() {
        next(b);
        assertThat(tracker().number()).isEqualTo(b.head);
    }
}
