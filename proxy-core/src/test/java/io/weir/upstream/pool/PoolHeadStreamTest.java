package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.chain.HeadListener;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Heads that nodes announce. */
class PoolHeadStreamTest extends AnnouncingNodes {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void anAnnouncedBlockIsTheHeadAtOnceWithoutACall() {
        begin();
        calls(BLOCK_MILLIS);
        a.probed.clear();
        b.probed.clear();
        a.head++;
        a.announce();
        assertThat(tracker().head().fresh()).isTrue();
        assertThat(ask()).isEqualTo(a.head);
        assertThat(a.probed).isEmpty();
        assertThat(b.probed).isEmpty();
        assertThat(tracker().isAnnounced()).isTrue();
    }

    @Test
    void anAnnouncedBlockIsToldWithItsPlaceInTheChain() {
        begin();
        List<BlockLink> links = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        bench.pool.head().listen((block, round, upstreamId) -> {
            assertThat(tracker().covers(round)).isTrue();
            links.add(block.link());
            nodes.add(upstreamId);
        });
        blocks(1);
        assertThat(nodes).containsExactly("a", "b");
        assertThat(links)
                .containsOnly(new BlockLink(a.head, "0x%064x".formatted(a.head), "0x%064x".formatted(a.head - 1)));
    }

    @Test
    void aCallThatNeedsTheBlockOfANewHeadContinuesAfterItWasShown() {
        begin();
        List<String> order = new ArrayList<>();
        bench.pool.head().listen((block, round, upstreamId) -> order.add("shown " + upstreamId));
        tracker().listen(new HeadListener() {
            @Override
            public void rose(long number) {
                bench.pool
                        .head()
                        .whenShown(bench.loop, bench.ticker.nanoTime() + SECOND, head -> order.add("call " + head));
            }

            @Override
            public void wentBack(long from, long to) {}
        });
        block();
        assertThat(order).containsSubsequence("shown a", "call " + a.head).hasSize(3);
    }

    @Test
    void theOtherNodeGoesOnToAnnounceWhereAConnectionEnds() {
        begin();
        a.subscription().end();
        bench.settle();
        assertThat(tracker().isAnnounced()).isTrue();
        a.announce();
        blocks(1);
        assertThat(ask()).isEqualTo(b.head);
        assertThat(b.probed).doesNotContain("latest");
    }

    @Test
    void pollsGoOnWhereTheLastConnectionEnds() {
        beginWithOne();
        a.subscription().end();
        bench.settle();
        assertThat(b.probed).as("a poll, since a block may have come meanwhile").contains("latest");
        assertThat(tracker().isAnnounced())
                .as("not before it has announced a block")
                .isFalse();
        blocks(1);
        assertThat(tracker().isAnnounced()).isTrue();
        assertThat(ask()).isEqualTo(b.head);
    }

    @Test
    void aNodeThatIsAloneIsSubscribedToAgainAfterGrowingPauses() {
        a.hasSocket = true;
        bench.begin();
        ask();
        for (int i = 0; i < 300; i++) {
            FakeSubscription newest = a.subscription();
            if (!newest.closed) {
                newest.end();
            }
            calls(1_000);
        }
        assertThat(a.subscriptions.size()).isBetween(7, 10);
    }

    @Test
    void aNodeThatFallsSilentDelaysNoBlockIfAnotherOneAnnounces() {
        begin();
        silent = true;
        blocks(1);
        assertThat(ask()).isEqualTo(a.head);
        calls(3_500);
        assertThat(a.subscriptions.get(0).closed).isTrue();
        blocks(1);
        assertThat(ask()).isEqualTo(a.head);
        assertThat(b.subscriptions).hasSize(1);
    }

    @Test
    void aNodeThatAloneAnnouncesAndFallsSilentDelaysOneBlockByTheGracePeriod() {
        beginWithOne();
        silent = true;
        blocks(1);
        assertThat(ask()).as("polls are held back").isEqualTo(a.head - 1);
        calls(3_500);
        assertThat(ask()).isEqualTo(a.head);
        calls(8_500);
        assertThat(a.subscriptions.get(0).closed).isTrue();
        block();
        calls(500);
        assertThat(ask()).isEqualTo(b.head);
    }

    @Test
    void aNodeThatNeverAnnouncesAnythingDelaysNoBlock() {
        silent = true;
        begin();
        for (int i = 0; i < 20; i++) {
            a.subscribed = FakeNode.answer("\"0x5\"");
            blocks(1);
            calls(1_000);
            assertThat(ask()).isEqualTo(a.head);
        }
        assertThat(b.subscriptions).as("took its place").isNotEmpty();
    }

    @Test
    void aNodeThatGoesOutIsLeft() {
        begin();
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        calls(1_500);
        assertThat(a.subscription().closed).isTrue();
        assertThat(b.subscriptions).hasSize(1);
    }

    @Test
    void aNodeThatIsSlowerThanOthersIsLeft() {
        begin();
        b.head++;
        b.announce();
        calls(4_000);
        assertThat(a.subscriptions.get(0).closed).isTrue();
        assertThat(b.subscriptions).hasSize(1);
        assertThat(ask()).isEqualTo(b.head);
    }

    @Test
    void aBlockThatCameBeforeTheSubscriptionIsNotMissed() {
        beginWithOne();
        calls(BLOCK_MILLIS - 500);
        a.subscription().end();
        calls(500);
        a.head++;
        b.head++;
        calls(500);
        assertThat(ask()).isEqualTo(b.head);
        calls(5_000);
        assertThat(a.subscription().closed).isFalse();
    }

    @Test
    void announcementsAreHeardForAMinuteAfterTheLastCall() {
        begin();
        bench.pass(50_000);
        assertThat(open()).isEqualTo(2);
        bench.pass(12_000);
        assertThat(open()).isZero();
        assertThat(tracker().isAnnounced()).isFalse();
        block();
        assertThat(ask()).isEqualTo(a.head);
        calls(100);
        assertThat(open()).isEqualTo(2);
    }

    @Test
    void aFirstCallWithinThatMinuteGetsTheNewestHead() {
        begin();
        for (int i = 0; i < 4; i++) {
            bench.pass(BLOCK_MILLIS);
            block();
        }
        assertThat(ask()).isEqualTo(a.head);
        assertThat(open()).isEqualTo(2);
    }

    @Test
    void theFirstHeadAfterAPauseIsNotComparedWithHeadsOfBeforeIt() {
        bench.node("c", 0, 1);
        begin();
        bench.pass(40_000);
        heads(100);
        List<Long> named = new ArrayList<>();
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + SECOND, named::add);
        assertAllHealthy();
        assertThat(named).containsExactly(a.head);
    }

    @Test
    void anAnnouncementRightAfterAPauseIsNotComparedWithHeadsOfBeforeIt() {
        bench.node("c", 0, 1);
        begin();
        bench.pass(40_000);
        heads(100);
        a.announce();
        bench.nodes.values().forEach(node -> node.holdProbes = true);
        List<Long> named = new ArrayList<>();
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + SECOND, named::add);
        heads(1);
        a.announce();
        assertAllHealthy();
        bench.nodes.values().forEach(node -> {
            node.holdProbes = false;
            while (!node.heldProbes.isEmpty()) {
                node.releaseProbe();
            }
        });
        bench.settle();
        assertAllHealthy();
        assertThat(named).containsExactly(a.head);
        assertThat(open()).isEqualTo(2);
    }

    /** Gives all nodes newer blocks, which nobody announces. */
    private void heads(int more) {
        bench.nodes.values().forEach(node -> node.head += more);
    }

    private void assertAllHealthy() {
        assertThat(bench.nodes.keySet())
                .allSatisfy(id -> assertThat(bench.health(id)).as(id).isEqualTo(Health.HEALTHY));
    }

    @Test
    void anAnnouncementRemovesNoDoubtBecauseItMayBeOlder() {
        begin();
        tracker().outdate();
        a.head++;
        a.announce();
        bench.settle();
        assertThat(tracker().number()).isEqualTo(a.head);
        assertThat(tracker().isDoubtful()).isTrue();
        b.head = a.head;
        a.probed.clear();
        ask();
        assertThat(a.probed).contains("head");
        assertThat(tracker().isDoubtful()).isFalse();
    }

    @Test
    void aBranchThatReplacesLowerBlocksMakesTheHeadDoubtful() {
        begin();
        a.subscription().announce(FakeNode.block(a.head - 1).replaceFirst("\"hash\":\"0x00", "\"hash\":\"0xff"));
        assertThat(tracker().isDoubtful()).isTrue();
        ask();
        assertThat(tracker().isDoubtful()).isFalse();
        assertThat(open()).isEqualTo(2);
        blocks(1);
        assertThat(ask()).isEqualTo(a.head);
    }

    @Test
    void aSlotWithoutABlockCostsFewCalls() {
        begin();
        calls(2 * BLOCK_MILLIS);
        assertThat(count(a) + count(b)).isBetween(1L, 8L);
    }

    private static long count(FakeNode node) {
        return node.probed.stream().filter("latest"::equals).count();
    }

    @Test
    void aBlockThatComesOutOfRhythmIsTheHeadAtOnce() {
        a.hasSocket = true;
        bench.begin();
        for (int millis : new int[] {1_000, 200, 7_000, 100, 30_000}) {
            calls(millis);
            block();
            assertThat(ask()).isEqualTo(a.head);
        }
    }

    @Test
    void aNodeWithoutASocketIsPolledAsEver() {
        bench.begin();
        blocks(6);
        calls(500);
        assertThat(ask()).isEqualTo(a.head);
        assertThat(open()).isZero();
        assertThat(tracker().isAnnounced()).isFalse();
    }

    @Test
    void aClosedPoolClosesTheSubscription() {
        begin();
        bench.pool.close();
        bench.settle();
        assertThat(open()).isZero();
        bench.pass(5_000);
        assertThat(open()).isZero();
    }
}
