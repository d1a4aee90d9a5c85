package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.HeadTracker;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolHeadTest {

    private final PoolBench bench = new PoolBench();
    private final List<Long> heads = new ArrayList<>();

    @Test
    void probesFindTheHeadAndItIsFreshForItsAge() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probed.clear();
        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(a.probed).isEmpty();
        bench.pass(PoolBench.HEAD_MAX_AGE_MILLIS - 100);
        a.head = 101;
        ask();
        assertThat(heads).containsExactly(100L, 100L);
        bench.pass(30_000);
        a.probed.clear();
        ask();
        assertThat(heads.get(2)).isEqualTo(101);
        assertThat(a.probed).contains("head");
    }

    @Test
    void waitingCallsShareOneRequest() {
        FakeNode a = staleNode("a", 0);
        ask();
        ask();
        ask();
        assertThat(heldHeads(a)).isEqualTo(1);
        a.head = 105;
        release(a);
        assertThat(heads).containsExactly(105L, 105L, 105L);
    }

    @Test
    void aCallAfterAWriteIsNotServedByAnEarlierRequest() {
        FakeNode a = staleNode("a", 0);
        ask();
        tracker().written();
        ask();
        assertThat(heldHeads(a)).isEqualTo(2);
        a.head = 101;
        a.releaseProbe();
        assertThat(heads).containsExactly(101L);
        a.head = 102;
        a.releaseProbe();
        assertThat(heads).containsExactly(101L, 102L);
    }

    @Test
    void aNodeWithTooManyUnansweredRequestsGetsNoMoreAndLaterCallsWait() {
        FakeNode a = staleNode("a", 0);
        for (int i = 0; i < 5; i++) {
            ask();
            tracker().written();
        }
        ask();
        assertThat(heldHeads(a)).isEqualTo(2);
        a.head = 105;
        release(a);
        assertThat(heads).containsExactly(105L, 105L, 105L, 105L, 105L, 105L);
    }

    @Test
    void aLateNodeIsNotWaitedForWhereOnlyTimePassed() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        hold(a, b);
        ask();
        bench.pass(300);
        release(b);
        assertThat(heads).containsExactly(100L);
        a.head = 101;
        release(a);
        assertThat(tracker().number()).as("what came later counts").isEqualTo(101);
    }

    @Test
    void afterAWriteAllAreWaitedForButNoneForLong() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        hold(a, b);
        tracker().written();
        ask();
        release(b);
        assertThat(heads).isEmpty();
        bench.pass(300);
        assertThat(heads).containsExactly(100L);
        a.head = 101;
        release(a);
        tracker().written();
        ask();
        release(a);
        release(b);
        assertThat(heads).containsExactly(100L, 101L);
    }

    @Test
    void afterAWriteTheCallWaitsForANodeThatOwesTooManyAnswersToBeAsked() {
        FakeNode b = nodeThatHangsBesideAnother();
        for (int i = 0; i < 3; i++) {
            tracker().written();
            ask();
        }
        assertThat(heldHeads(b)).isEqualTo(2);
        assertThat(heads).isEmpty();
        b.head = 101;
        release(b);
        assertThat(heads).containsExactly(101L, 101L, 101L);
    }

    @Test
    void afterAWriteTheCallWaitsNoLongerForANodeThatCannotBeAsked() {
        nodeThatHangsBesideAnother();
        for (int i = 0; i < 3; i++) {
            tracker().written();
            ask();
        }
        bench.pass(200);
        assertThat(heads).isEmpty();
        bench.pass(100);
        assertThat(heads).containsExactly(100L, 100L, 100L);
    }

    @Test
    void questionsBesideRoundsDoNotKeepANodeFromBeingAskedAfterAWrite() {
        bench.kind = new PlainKind(false, false);
        bench.setting(PoolBench.IDLE_MINUTE);
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        b.holdProbes = true;
        a.head = 101;
        for (int i = 0; i < 100 && heldHeads(b) == 0; i++) {
            bench.pass(50);
            ask();
        }
        assertThat(heldHeads(b)).as("of a poll").isEqualTo(1);
        heads.clear();
        for (int i = 0; i < 2; i++) {
            tracker().written();
            ask();
        }
        assertThat(heldHeads(b)).isEqualTo(3);
        assertThat(heads).isEmpty();
        b.head = 102;
        release(b);
        assertThat(heads).containsExactly(102L, 102L);
    }

    private FakeNode nodeThatHangsBesideAnother() {
        bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        b.holdProbes = true;
        return b;
    }

    @Test
    void afterATransactionThatMayHaveChangedNothingTheFirstCallAsksAtOnceAndLaterOnesShareRounds() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probed.clear();
        tracker().perhapsWritten();
        a.head = 101;
        ask();
        assertThat(heads).containsExactly(101L);
        for (int i = 0; i < 19; i++) {
            ask();
            bench.pass(10);
        }
        assertThat(a.probed.stream().filter("head"::equals)).hasSizeBetween(4, 5);
        tracker().written();
        ask();
        ask();
        assertThat(a.probed.stream().filter("head"::equals)).hasSizeBetween(6, 7);
        bench.pass(100);
        assertThat(heads).hasSize(22).containsOnly(101L);
    }

    @Test
    void aRollbackThatAWriteMadeIsFollowedAtOnce() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        a.head = 40;
        b.head = 38;
        tracker().written();
        ask();
        assertThat(heads).containsExactly(40L);
    }

    @Test
    void theHeadStaysWhileOneNodeHasIt() {
        FakeNode a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
        a.head = 40;
        tracker().written();
        ask();
        assertThat(heads).containsExactly(100L);
    }

    @Test
    void theHeadOfALostNodeIsGivenUpOnceTheOthersAgree() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        a.head = 102;
        b.head = 100;
        bench.begin();
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        tracker().outdate();
        ask();
        assertThat(heads).containsExactly(100L);
    }

    @Test
    void aHigherTierDrawsNoCallsByBeingAheadButHoldsTheHead() {
        FakeNode near = bench.node("near", 0, 1);
        FakeNode far = bench.node("far", 1, 1);
        far.head = 102;
        bench.begin();
        far.probed.clear();
        tracker().outdate();
        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(far.probed).as("not asked while the lower tier answers").isEmpty();
        bench.pool.head().seen("far", 102);
        ask();
        assertThat(heads).containsExactly(100L, 102L);
        assertThat(far.probed)
                .as("not asked by one round in which the lower tier is behind")
                .isEmpty();
        tracker().outdate();
        ask();
        assertThat(heads).containsExactly(100L, 102L, 102L);
        assertThat(far.probed).containsExactly("head");
        assertThat(bench.chosenFor(102)).isEqualTo("far");
        assertThat(bench.chosenFor(100)).isEqualTo("near");
        near.head = 102;
        tracker().outdate();
        ask();
        assertThat(bench.chosenFor(102)).isEqualTo("near");
    }

    @Test
    void aNodeThatNamesNoHeadLetsCallsGoOn() {
        FakeNode a = bench.node("a", 0, 1);
        bench.begin();
        a.probeOutcome = FakeNode.failed(Fault.SERVER_ERROR);
        tracker().outdate();
        ask();
        assertThat(heads).containsExactly(-1L);
    }

    @Test
    void theAnswerOfANodeThatWasLostMeanwhileDoesNotConfirmTheKnownHead() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        hold(a, b);
        tracker().outdate();
        ask();
        bench.ask("a", FakeNode.failed(Fault.CONNECT));
        bench.pass(300);
        a.head = 101;
        b.head = 101;
        a.releaseProbe();
        assertThat(heads).as("a client may have read of block 101").isEmpty();
        release(b);
        assertThat(heads).containsExactly(101L);
    }

    @Test
    void aCallWaitsNoLongerThanItsDeadline() {
        FakeNode a = staleNode("a", 0);
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + 100_000_000L, heads::add);
        bench.pass(150);
        assertThat(heads).containsExactly(-1L);
        release(a);
        assertThat(heads).hasSize(1);
    }

    @Test
    void theHeadStaysAfterARoundAtWhoseEndNoNodeMayGetCalls() {
        FakeNode a = bench.node("a", 0, 1);
        FakeNode b = bench.node("b", 0, 1);
        bench.begin();
        a.head = 99;
        b.head = 99;
        tracker().outdate();
        hold(a, b);
        ask();
        release(b);
        release(a);
        assertThat(heldHeads(b))
                .as("the second round, in which the other one has answered")
                .isEqualTo(1);
        bench.ask("a", FakeNode.rateLimited(5));
        b.probeOutcome = FakeNode.rateLimited(5);
        release(b);
        bench.settle();
        assertThat(tracker().number()).isEqualTo(100);
    }

    @Test
    void aCallAboutABlockGoesToANodeThatHasItOrElseToTheHighest() {
        FakeNode low = bench.node("low", 0, 1);
        FakeNode high = bench.node("high", 0, 1);
        low.head = 98;
        high.head = 100;
        bench.begin();
        for (int i = 0; i < 30; i++) {
            assertThat(bench.chosenFor(99)).isEqualTo("high");
            assertThat(bench.chosenFor(500)).isEqualTo("high");
        }
        assertThat(bench.chosenFor(99, "high")).isEqualTo("low");
        bench.pool.head().seen("low", 103);
        assertThat(bench.chosenFor(103)).isEqualTo("low");
    }

    private HeadTracker tracker() {
        return bench.pool.head().tracker();
    }

    private void ask() {
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + 60_000_000_000L, heads::add);
        bench.settle();
    }

    /** Adds one node, whose head is no longer fresh and whose probes are held from now on. */
    private FakeNode staleNode(String id, int tier) {
        FakeNode node = bench.node(id, tier, 1);
        bench.begin();
        tracker().outdate();
        node.holdProbes = true;
        return node;
    }

    /** Lets the head expire while rounds pass, and holds later requests. */
    private void hold(FakeNode... nodes) {
        bench.ticker.advanceMillis(PoolBench.HEAD_MAX_AGE_MILLIS + 100);
        for (FakeNode node : nodes) {
            node.holdProbes = true;
        }
    }

    private static long heldHeads(FakeNode node) {
        return node.heldProbes.size();
    }

    /** Answers all requests to the node. */
    private static void release(FakeNode node) {
        while (!node.heldProbes.isEmpty()) {
            node.releaseProbe();
        }
    }
}
