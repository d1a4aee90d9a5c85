package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that announce what is false, unusable or too much. */
class PoolHeadStreamLiesTest extends AnnouncingNodes {

    @ParameterizedTest
    @ValueSource(longs = {105_000, 1_000_000, Long.MAX_VALUE})
    void aFalseAnnouncementIsNotTheHeadAndItsNodeIsOutOfLine(long claim) {
        begin();
        long head = a.head;
        a.shown = head;
        a.subscription().announce(FakeNode.block(claim));
        bench.settle();
        assertThat(ask()).isEqualTo(head);
        assertThat(bench.health("a")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(bench.status("a").detail()).startsWith("names head " + claim);
        assertThat(a.subscription().closed).isTrue();
        a.head = head;
        assertThat(b.subscriptions).hasSize(1);
        blocks(2);
        assertThat(ask()).isEqualTo(b.head);
        assertThat(tracker().isAnnounced()).isTrue();
    }

    @Test
    void aSoleNodeThatAnnouncesWhatItDoesNotShowIsLeft() {
        PoolBench sole = new PoolBench();
        FakeNode node = sole.node("sole", 0, 1);
        node.hasSocket = true;
        sole.begin();
        sole.pool.head().whenFresh(sole.loop, sole.ticker.nanoTime() + 1_000_000_000L, heads::add);
        sole.settle();
        node.subscription().announce(FakeNode.block(1_000_000));
        sole.settle();
        assertThat(node.subscription().closed).isTrue();
        assertThat(sole.pool.head().tracker().number()).isEqualTo(100);
        assertThat(sole.health("sole")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatRefusesOrIsOnAnotherChainBehindItsSocketIsNotAskedAgainSoon() {
        a.subscribed = FakeNode.error(-32601);
        b.socketChain = "7";
        begin();
        blocks(20);
        assertThat(a.subscriptions).hasSize(1);
        assertThat(b.subscriptions).hasSize(1);
        assertThat(open()).isZero();
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
        a.subscribed = FakeNode.answer("\"0x5\"");
        blocks(50);
        assertThat(a.subscription().closed).as("asked again after some minutes").isFalse();
        assertThat(tracker().isAnnounced()).isTrue();
    }

    @Test
    void anUnusableAnnouncementEndsTheSubscription() {
        begin();
        a.subscription().announce("{\"number\":\"latest\"}");
        bench.settle();
        assertThat(a.subscription().closed).isTrue();
        calls(1_000);
        assertThat(b.subscriptions).hasSize(1);
        assertThat(ask()).isEqualTo(a.head);
    }

    @Test
    void aRepeatedAnnouncementChangesNothing() {
        begin();
        List<BlockLink> links = new ArrayList<>();
        bench.pool.head().listen((block, round, upstreamId) -> links.add(block.link()));
        for (int i = 0; i < 5; i++) {
            a.announce();
        }
        assertThat(links).isEmpty();
        assertThat(tracker().isDoubtful()).isFalse();
        assertThat(open()).isEqualTo(2);
    }

    @Test
    void ofANodeThatNamesAMadeUpBlockAfterTheOtherOneIsHeard() {
        begin();
        List<String> hashes = new ArrayList<>();
        bench.pool
                .head()
                .listen((block, round, upstreamId) -> hashes.add(block.link().hash()));
        for (int i = 1; i <= 5; i++) {
            a.branch = i * 0xbad0000L;
            a.head = b.head + i;
            a.announce();
            bench.settle();
        }
        assertThat(hashes).hasSize(1);
        assertThat(tracker().number()).isEqualTo(b.head + 1);
    }

    @Test
    void theOnlyNodeThatIsLeftNeedNotShowThatItsHeadsLeadToABlockThatItAloneNamed() {
        begin();
        a.head++;
        a.announce();
        b.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("b", FakeNode.failed(Fault.CONNECT));
        assertThat(bench.health("b")).isEqualTo(Health.DOWN);
        a.shown = a.head;
        a.head += 2;
        a.announce();
        bench.settle();
        assertThat(tracker().number()).isEqualTo(a.head);
    }

    @Test
    void aNodeThatReplacesItsNewestBlockAllTheTimeIsHeardOnceASecond() {
        begin();
        List<BlockLink> links = new ArrayList<>();
        bench.pool.head().listen((block, round, upstreamId) -> links.add(block.link()));
        for (int i = 0; i < 50; i++) {
            a.subscription().announce(other(i));
        }
        assertThat(links).hasSize(1);
    }

    @Test
    void aNodeThatReplacesItsNewestBlockAllTheTimeKeepsNoNewerBlockBack() {
        begin();
        for (int i = 0; i < 160; i++) {
            a.subscription().announce(other(i));
            b.head += i == 120 ? 1 : 0;
            calls(STEP_MILLIS);
        }
        assertThat(heads.get(heads.size() - 1)).isEqualTo(b.head);
    }

    /** Returns a block at the height of the newest one. */
    private String other(int branch) {
        return FakeNode.block(a.head).replaceFirst("\"hash\":\"0x0{8}", "\"hash\":\"0x%08x".formatted(branch + 1));
    }

    @Test
    void aFloodOfAnnouncementsEndsTheSubscription() {
        begin();
        for (int i = 0; i < 1_000; i++) {
            a.announce();
        }
        bench.settle();
        assertThat(a.subscription().closed).isTrue();
    }
}
