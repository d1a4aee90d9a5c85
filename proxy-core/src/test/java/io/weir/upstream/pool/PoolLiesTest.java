package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.HeadTracker;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a pool that lie. The tolerated lag is three blocks. */
class PoolLiesTest {

    private final PoolBench bench = new PoolBench();
    private final List<Long> heads = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"2, 104", "2, 1000000", "2, 9223372036854775807", "3, 104", "3, 1000000", "3, 9223372036854775807"})
    void aNodeThatNamesAFalseHeadIsOutOfLineFromTheStart(int size, long claim) {
        FakeNode liar = nodes(size);
        liar.shown = 100;
        liar.head = claim;
        bench.begin();

        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(bench.status("liar").detail())
                .startsWith("names head " + claim)
                .endsWith("the highest head of the other nodes is 100");
        assertThat(bench.health("a1")).isEqualTo(Health.HEALTHY);
        for (int i = 0; i < 30; i++) {
            assertThat(bench.chosenFor(100)).startsWith("a");
        }
    }

    @Test
    void aFirstHeadIsNotComparedWithANodeThatDoesNotShowItsOwn() {
        bench.node("ahead", 0, 1).head = 110;
        FakeNode one = bench.node("one", 0, 1);
        FakeNode other = bench.node("other", 0, 1);
        one.holdBlocks = true;
        other.holdBlocks = true;
        bench.begin();
        for (FakeNode node : List.of(one, other)) {
            assertThat(node.heldProbes)
                    .as("its own block, to which the higher head must lead too")
                    .hasSize(1);
            node.probeOutcome = FakeNode.failed(Fault.TIMEOUT);
            node.releaseProbe();
        }
        assertThat(tracker().number()).isEqualTo(110);
    }

    @Test
    void aLiarThatAnswersLastDoesNotPutTheOthersOutOfLine() {
        bench.node("a1", 0, 1);
        FakeNode liar = bench.node("liar", 0, 1);
        liar.shown = 100;
        liar.head = Long.MAX_VALUE;
        bench.begin();

        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(bench.health("a1")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);
    }

    @Test
    void aHeadThatCouldNotBeFetchedDoesNotCountAndContradictsNobody() {
        FakeNode unchecked = nodes(2);
        bench.begin();
        unchecked.head = 120;
        unchecked.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.DISCONNECTED));
        expire();

        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(bench.health("liar")).isNotEqualTo(Health.OUT_OF_LINE);
        unchecked.probeOutcomes.clear();
        bench.pass(60_100);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
        ask();
        assertThat(heads).containsExactly(100L, 120L);
    }

    @Test
    void aParentThatCouldNotBeFetchedContradictsNobody() {
        FakeNode unchecked = nodes(2);
        bench.begin();
        unchecked.head = 120;
        unchecked.probeOutcomes.put("eth_getBlockByHash", FakeNode.rateLimited(1));
        expire();

        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(bench.health("liar")).isNotEqualTo(Health.OUT_OF_LINE);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aNodeThatBeginsToLieIsOutOfLineAndComesBackByItself(int size) {
        FakeNode liar = nodes(size);
        liar.shown = 110;
        bench.begin();
        liar.head = 1_000_000;
        expire();

        ask();
        assertThat(heads).containsExactly(100L);
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);
        liar.head = 101;
        bench.pass(60_100);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
        ask();
        assertThat(heads).containsExactly(100L, 101L);
    }

    @Test
    void aNodeThatIsOutOfLineIsAskedForStateOnceTheOthersCannotAnswer() {
        FakeNode liar = nodes(2);
        liar.shown = 100;
        liar.head = 1_000_000;
        bench.begin();
        ask();
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);

        List<Upstream> others = List.of(bench.upstream("a1"));
        assertThat(bench.pool.choose(PoolBench.call("eth_getBalance"), List.of(), 100))
                .isEqualTo(new Choice(bench.upstream("a1"), false));
        assertThat(bench.pool.choose(PoolBench.call("eth_getBalance"), others, 100))
                .isEqualTo(new Choice(bench.upstream("liar"), true));
        assertThat(bench.pool.choose(PoolBench.call("eth_getBalance"), others, 104))
                .as("beyond the tolerated lag")
                .isNull();
        assertThat(bench.pool.choose(PoolBench.call("eth_getLogs"), others, 100))
                .as("it could be on a fork")
                .isNull();
        bench.ask("a1", FakeNode.rateLimited(1));
        assertThat(bench.pool.choose(PoolBench.call("eth_getBalance"), List.of(), 100))
                .as("the other one answers in a moment")
                .isNull();
    }

    @Test
    void aFalseHeadIsCheckedAtMostOnceInAPause() {
        FakeNode liar = nodes(3);
        liar.shown = 110;
        liar.head = 150;
        bench.begin();
        for (int i = 0; i < 20; i++) {
            bench.chosen();
            bench.pass(1_000);
        }
        assertThat(liar.probed.stream().filter("eth_getBlockByNumber"::equals).count())
                .isBetween(2L, 5L);
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);
    }

    /** Of two nodes also if the head is so far ahead that its time must show that it is plausible. */
    @ParameterizedTest
    @CsvSource({"2, 120", "3, 120", "2, 1000"})
    void aNodeThatShowsItsHeadIsFollowedThoughOthersStandStill(int size, long claim) {
        FakeNode ahead = nodes(size);
        bench.begin();
        ahead.head = claim;
        expire();

        ask();
        expire();
        ask();
        assertThat(heads).as("at first the others confirm theirs").endsWith(claim);
        bench.pass(60_100);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("a1")).isEqualTo(Health.LAGGING);
    }

    @Test
    void aFalseHeadWithinTheToleratedLagDoesNotMakeOthersLag() {
        FakeNode liar = nodes(2);
        liar.shown = 100;
        bench.begin();
        liar.head = 103;
        bench.pass(60_100);
        bench.nodes.get("a1").head = 99;
        bench.pass(60_100);
        assertThat(bench.health("a1")).isEqualTo(Health.HEALTHY);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aNodeWhoseHeadWasMissingMustShowItsHeadsFromThenOn(int size) {
        FakeNode liar = nodes(size);
        liar.shown = 100;
        bench.begin();
        liar.head = 101;
        expire();
        ask();
        assertThat(heads).containsExactly(101L);

        bench.pool.head().missing(101);
        ask();
        assertThat(heads).containsExactly(101L, 100L);
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(bench.health("a1")).isEqualTo(Health.HEALTHY);
        liar.head = 102;
        bench.pass(60_100);
        ask();
        assertThat(heads).endsWith(100L, 100L);

        liar.shown = 102;
        bench.pass(60_100);
        ask();
        assertThat(heads).as("it has shown its head").endsWith(102L);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aNodeThatMustShowItsHeadsMayBeBehindTheOthers() {
        FakeNode doubted = nodes(2);
        doubted.shown = 100;
        bench.begin();
        doubted.head = 101;
        expire();
        ask();
        bench.pool.head().missing(101);
        ask();
        assertThat(bench.health("liar")).isEqualTo(Health.OUT_OF_LINE);

        bench.nodes.get("a1").head = 103;
        doubted.shown = 102;
        doubted.head = 102;
        bench.pass(60_100);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aHeadIsComparedWithTheNextNodeIfTheFirstOneDoesNotShowItsOwn() {
        FakeNode doubted = nodes(3);
        bench.begin();
        doubted.head = 101;
        expire();
        ask();
        bench.nodes.get("a1").probeOutcomes.put("eth_getBlockByNumber", FakeNode.answer("null"));
        bench.pool.head().missing(101);
        ask();
        assertThat(heads).as("it has shown that block").containsExactly(101L, 101L);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("a1")).isEqualTo(Health.OUT_OF_LINE);
    }

    @Test
    void aHeadThatIsMissingThoughItWasShownIsNoLie() {
        FakeNode ahead = nodes(3);
        bench.begin();
        ahead.head = 120;
        expire();
        ask();
        expire();
        ask();
        assertThat(heads).endsWith(120L);

        bench.pool.head().missing(120);
        ask();
        assertThat(heads).endsWith(120L);
        assertThat(bench.health("liar")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void usualStepsCostNoCallsForBlocks() {
        FakeNode other = nodes(3);
        bench.begin();
        for (int i = 1; i < 200; i++) {
            for (FakeNode node : bench.nodes.values()) {
                node.head = 100 + i - (node == other ? 1 : 0);
            }
            ask();
            bench.pass(1_100);
        }
        assertThat(heads).doesNotContain(-1L).isSorted();
        assertThat(heads.get(heads.size() - 1)).isBetween(298L, 299L);
        bench.nodes.values().forEach(node -> assertThat(node.probed).doesNotContain("eth_getBlockByNumber"));
    }

    @Test
    void aLongPauseCostsNoCallsForBlocks() {
        nodes(3);
        bench.begin();
        bench.nodes.values().forEach(node -> node.head = 5_000);
        expire();
        ask();
        assertThat(heads).containsExactly(5_000L);
        bench.nodes.values().forEach(node -> assertThat(node.probed).doesNotContain("eth_getBlockByNumber"));
    }

    @Test
    void aSoleNodesPlausibleStepsCountAtOnceAndOthersOnceTheyAreShown() {
        FakeNode node = bench.node("liar", 0, 1);
        bench.begin();
        node.head = 103;
        expire();
        ask();
        assertThat(node.probed).doesNotContain("eth_getBlockByNumber");
        node.head = 1_103;
        expire();
        ask();
        assertThat(node.probed).contains("eth_getBlockByNumber");
        node.shown = 1_103;
        node.head = 1_000_000;
        expire();
        ask();
        assertThat(heads).containsExactly(103L, 1_103L, 1_103L);
        assertThat(bench.chosen()).as("it is the only one").isEqualTo("liar");
    }

    @Test
    void anAnswerWithABlockFarAheadMakesTheNextCallAskTheNodes() {
        FakeNode liar = nodes(3);
        bench.begin();
        bench.pool.head().seen("liar", 1_000_000);
        assertThat(tracker().number()).isEqualTo(100);
        assertThat(tracker().fresh()).isFalse();
        liar.head = 102;
        ask();
        assertThat(heads).containsExactly(102L);
        bench.pool.head().seen("a1", 105);
        assertThat(tracker().number()).isEqualTo(105);
    }

    @Test
    void eachHigherBlockNearbyThatAnAnswerNamesMakesTheNextCallAskTheNodesAtOnce() {
        nodes(3);
        bench.begin();
        for (int number = 130; number < 133; number++) {
            bench.pool.head().seen("liar", number);
            assertThat(tracker().fresh())
                    .as("a client may have read of block %d", number)
                    .isFalse();
            ask();
            assertThat(tracker().fresh()).isTrue();
            bench.pool.head().seen("liar", number);
            assertThat(tracker().fresh()).as("named again within a second").isTrue();
        }
        assertThat(heads).containsExactly(100L, 100L, 100L);
    }

    @Test
    void aCallOfAClientThatHasReadOfAHigherBlockWaitsForTheCheckOfTheHead() {
        FakeNode ahead = nodes(3);
        bench.begin();
        ahead.head = 120;
        bench.pool.head().seen("liar", 119);
        ahead.holdBlocks = true;
        ask();
        bench.pass(600);
        assertThat(heads).as("the client would not find its own transaction").isEmpty();
        ahead.holdBlocks = false;
        while (!ahead.heldProbes.isEmpty()) {
            ahead.releaseProbe();
        }
        bench.settle();
        assertThat(heads).containsExactly(120L);
    }

    @Test
    void aNodeThatNamesAHigherBlockAndNeverShowsItDelaysACallForAMoment() {
        FakeNode liar = nodes(3);
        bench.begin();
        liar.head = 120;
        bench.pool.head().seen("liar", 119);
        liar.holdBlocks = true;
        ask();
        bench.pass(3_500);
        assertThat(heads).containsExactly(100L);
    }

    @Test
    void aCallDoesNotWaitForeverForAHeadThatIsBeingChecked() {
        FakeNode liar = nodes(3);
        bench.begin();
        liar.head = 120;
        expire();
        liar.holdBlocks = true;
        ask();
        bench.pass(600);
        assertThat(heads).containsExactly(100L);
        liar.holdBlocks = false;
        while (!liar.heldProbes.isEmpty()) {
            liar.releaseProbe();
        }
        assertThat(tracker().number()).as("shown later").isEqualTo(120);
    }

    @Test
    void theOnlyNodeThatIsLeftIsFollowedAsFarAsIsPlausible() {
        FakeNode left = nodes(2);
        bench.begin();
        bench.nodes.get("a1").probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("a1", FakeNode.failed(Fault.CONNECT));
        left.head = 102;
        expire();
        ask();
        left.shown = 102;
        left.head = 1_000_000;
        expire();
        ask();
        assertThat(heads).containsExactly(102L, 102L);
    }

    /** The blocks of the nodes claim 12 s between them, whatever the chain does, so that the next poll may be that late. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(13);

    /** Random lies of one node, while the chain grows and the others are a little apart. */
    @RepeatedTest(30)
    void noLieOfOneNodeMovesTheHeadAboveTheToleratedLag() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int size = 2 + random.nextInt(3);
        FakeNode liar = nodes(size, random.nextInt(size));
        long head = 100;
        TreeMap<Long, Long> grown = new TreeMap<>(Map.of(bench.ticker.nanoTime() - 1, head));
        bench.begin();
        for (int step = 0; step < 60; step++) {
            head += random.nextInt(3) == 0 ? random.nextInt(3) : 0;
            grown.put(bench.ticker.nanoTime(), head);
            for (FakeNode node : bench.nodes.values()) {
                boolean reorganised = random.nextInt(8) == 0;
                node.head = reorganised ? head - 1 : head;
                node.shown = head;
            }
            liar.head = switch (random.nextInt(5)) {
                case 0 -> head;
                case 1 -> head + random.nextInt(20);
                case 2 -> random.nextLong() >>> (1 + random.nextInt(63));
                case 3 -> Long.MAX_VALUE;
                default -> Math.max(0, head - random.nextInt(200));
            };
            if (random.nextInt(4) == 0) {
                bench.pool.head().seen("liar", liar.head);
            }
            bench.pass(100 + random.nextInt(2_000));
            heads.clear();
            ask();
            String where = "seed " + seed + ", step " + step;
            assertThat(heads).as(where).hasSize(1);
            long known = grown.floorEntry(Math.max(grown.firstKey(), bench.ticker.nanoTime() - LATE_NANOS))
                    .getValue();
            assertThat(heads.get(0)).as(where).isBetween(known - 1, head + PoolBench.MAX_LAG);
            assertThat(bench.health("a1")).as(where).isNotEqualTo(Health.OUT_OF_LINE);
        }
        liar.head = head;
        bench.pass(120_000);
        assertThat(bench.health("liar")).as("seed " + seed).isEqualTo(Health.HEALTHY);
    }

    private HeadTracker tracker() {
        return bench.pool.head().tracker();
    }

    /** Adds nodes, of which one may lie: it comes first. */
    private FakeNode nodes(int size) {
        return nodes(size, 0);
    }

    /** Adds nodes, of which the one at this position may lie. */
    private FakeNode nodes(int size, int position) {
        for (int i = 0, honest = 0; i < size; i++) {
            bench.node(i == position ? "liar" : "a" + ++honest, 0, 1);
        }
        return bench.nodes.get("liar");
    }

    private void expire() {
        bench.ticker.advanceMillis(PoolBench.HEAD_MAX_AGE_MILLIS + 100);
    }

    private void ask() {
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + 60_000_000_000L, heads::add);
        bench.settle();
    }
}
