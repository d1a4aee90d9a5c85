package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The nodes that are heard to have a new block, after one node has shown it. In simulated time. */
class PoolOtherHeadsTest {

    private static final long BLOCK_MILLIS = 12_000;
    private static final int STEP_MILLIS = 50;

    private final PoolBench bench = new PoolBench();
    private final FakeNode a = bench.node("a", 0, 1);
    private final FakeNode b = bench.node("b", 0, 1);
    private final FakeNode spare = bench.node("spare", 1, 1);
    private final Map<Long, Set<String>> shown = new TreeMap<>();
    private @Nullable FakeNode like;
    private long millis;

    private void begin() {
        bench.begin();
        bench.pool
                .head()
                .listen((block, round, id) -> shown.computeIfAbsent(block.link().number(), number -> new TreeSet<>())
                        .add(id));
    }

    /** Lets blocks come while a call a second wants the head. */
    private void pass(long blocks) {
        for (long end = millis + blocks * BLOCK_MILLIS; millis < end; millis += STEP_MILLIS) {
            long head = 100 + millis / BLOCK_MILLIS;
            a.head = head;
            spare.head = head;
            if (like != null) {
                like.head = head;
            }
            // It gets each block later.
            b.head = 100 + (millis - 400) / BLOCK_MILLIS;
            if (millis % 1_000 == 0) {
                ask();
            }
            bench.pass(STEP_MILLIS);
        }
    }

    private void ask() {
        long deadline = bench.ticker.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        bench.pool.head().whenFresh(bench.loop, deadline, number -> {});
    }

    @Test
    void everyNodeInUseShowsEachNewBlockSoThatItsAnswersCanBeStored() {
        begin();
        pass(5);
        long before = a.head;
        pass(20);
        shown.keySet().removeIf(number -> number <= before);
        assertThat(shown).hasSize(20);
        assertThat(shown.values()).allSatisfy(ids -> assertThat(ids).containsExactly("a", "b"));
    }

    @Test
    void aHeadThatWasNamedByItsNumberAloneIsShownAtOnce() {
        begin();
        pass(5);
        a.head++;
        b.head = a.head;
        bench.pool.head().tracker().outdate();
        ask();
        bench.settle();
        assertThat(shown.get(a.head)).containsExactly("a", "b");
    }

    @Test
    void aHeadThatWasNamedByItsNumberAloneIsNotAskedForIfThatIsWorthLess() {
        begin();
        pass(5);
        List<Integer> worth = new ArrayList<>();
        bench.pool.head().payBy(calls -> !worth.add(calls));
        a.head++;
        b.head = a.head;
        bench.pool.head().tracker().outdate();
        ask();
        bench.settle();
        assertThat(shown).doesNotContainKey(a.head);
        assertThat(worth).containsExactly(2);
    }

    @Test
    void aNodeThatGoesOnWithABranchOfItsOwnIsOutOfLineUntilItLeavesIt() {
        FakeNode c = bench.node("c", 0, 1);
        like = c;
        begin();
        pass(5);
        c.branch = 0xbad0000;
        pass(5);
        assertThat(bench.health("c")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(bench.status("c").detail()).contains("but its parents do not lead to that block");
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);

        c.branch = 0;
        pass(10);
        assertThat(bench.health("c")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void ofTwoNodesThatDifferNobodyKnowsWhichIsWrong() {
        begin();
        pass(5);
        b.branch = 0xbad0000;
        pass(10);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.health("b")).isEqualTo(Health.HEALTHY);
    }

    private static NodeOutcome otherBlock(long number) {
        return FakeNode.answer("{\"number\":\"0x%x\",\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\"}"
                .formatted(number, 0xbad0000 + number, 0xbad0000 + number - 1));
    }

    @Test
    void anotherBlockAtThatHeightIsNotHeardUntilTheNextOneShowsWhichStays() {
        begin();
        pass(5);
        long number = a.head + 1;
        b.probeOutcomes.put("eth_getBlockByNumber", otherBlock(number));
        pass(1);
        assertThat(shown.get(number)).hasSize(1);
        assertThat(bench.pool.head().tracker().isDoubtful()).isFalse();
    }
}
