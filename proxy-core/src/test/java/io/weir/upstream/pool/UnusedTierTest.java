package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.method.params.BlockTag;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A second tier that no call uses, in simulated time: its cost, and what it knows when the first tier fails. */
class UnusedTierTest {

    private static final int STEP_MILLIS = 50;

    private final PoolBench bench = new PoolBench();
    private final List<Long> heads = new ArrayList<>();
    private long millis;
    private long blocks;
    private long blockMillis = 12_000;
    /** Nodes that do not follow the chain. */
    private final List<FakeNode> still = new ArrayList<>();

    private FakeNode near() {
        return Objects.requireNonNull(bench.nodes.get("near"));
    }

    private FakeNode far() {
        return Objects.requireNonNull(bench.nodes.get("far"));
    }

    private void begin(int nearNodes) {
        bench.node("near", 0, 1);
        for (int i = 1; i < nearNodes; i++) {
            bench.node("near" + i, 0, 1);
        }
        bench.node("far", 1, 1);
        bench.setting(PoolBench.IDLE_MINUTE);
        bench.begin();
    }

    /** Lets time pass while the chain grows. Calls want the head, and a node, in these intervals; 0 is never. */
    private void pass(long passed, long callMillis) {
        for (long end = millis + passed; millis < end; millis += STEP_MILLIS) {
            if (millis / blockMillis > blocks) {
                blocks = millis / blockMillis;
                bench.nodes.values().stream()
                        .filter(node -> !still.contains(node))
                        .forEach(node -> node.head = 100 + blocks);
            }
            if (callMillis > 0 && millis % callMillis == 0) {
                ask();
            }
            bench.pass(STEP_MILLIS);
        }
    }

    /** Sends a call for the newest block. Returns the node that gets it. */
    private String ask() {
        long deadline = bench.ticker.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String[] chosen = {"none"};
        bench.pool.head().whenFresh(bench.loop, deadline, number -> {
            heads.add(number);
            chosen[0] = bench.chosenFor(number);
        });
        bench.settle();
        return chosen[0];
    }

    private void warmUp() {
        // Until the block time is measured, more calls are needed.
        pass(Math.max(10 * blockMillis, 30_000), 1_000);
        bench.nodes.values().forEach(node -> node.probed.clear());
    }

    @ParameterizedTest
    @CsvSource({
        // Block time in milliseconds, nodes of the first tier.
        "12000, 1",
        "12000, 2",
        "2000, 1",
        "2000, 2",
        "250, 1",
        "250, 2"
    })
    void itCostsACallAMinute(long blockTime, int nearNodes) {
        blockMillis = blockTime;
        begin(nearNodes);
        warmUp();
        pass(TimeUnit.MINUTES.toMillis(30), 1_000);
        assertThat(far().probed).hasSizeBetween(15, 30);
        assertThat(near().probed.size()).isGreaterThan(100);
        assertThat(bench.health("far")).isEqualTo(Health.HEALTHY);
        assertThat(heads).isSortedAccordingTo(Long::compare);
    }

    @Test
    void itCostsACallAMinuteBesideANodeThatStandsStill() {
        blockMillis = 2_000;
        begin(2);
        warmUp();
        still.add(Objects.requireNonNull(bench.nodes.get("near1")));
        pass(TimeUnit.MINUTES.toMillis(30), 1_000);
        assertThat(bench.health("near1")).isEqualTo(Health.LAGGING);
        assertThat(far().probed).hasSizeBetween(15, 31);
    }

    @Test
    void itCostsACallAMinuteWhereBlocksHaveNoRhythm() {
        blockMillis = TimeUnit.HOURS.toMillis(1);
        begin(1);
        pass(30_000, 1_000);
        far().probed.clear();
        pass(TimeUnit.MINUTES.toMillis(30), 1_000);
        assertThat(far().probed).hasSizeBetween(15, 30);
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 50_000, 70_000})
    void itCostsACallAMinuteWhereCallsAreRare(long callMillis) {
        blockMillis = 2_000;
        begin(1);
        warmUp();
        pass(TimeUnit.MINUTES.toMillis(30), callMillis);
        assertThat(far().probed).hasSizeBetween(12, 32);
    }

    @Test
    void finalityCostsItACallAMinuteToo() {
        begin(1);
        near().finalized = 40;
        far().finalized = 40;
        warmUp();
        for (int i = 0; i < 600; i++) {
            bench.pool
                    .head()
                    .whenAgreed(bench.loop, BlockTag.FINALIZED, bench.ticker.nanoTime() + 1_000_000_000L, known -> {});
            pass(1_000, 1_000);
        }
        assertThat(Collections.frequency(far().probed, "eth_getBlockByNumber")).isBetween(8, 11);
        assertThat(Collections.frequency(near().probed, "eth_getBlockByNumber")).isGreaterThan(90);
    }

    @ParameterizedTest
    @ValueSource(longs = {12_000, 2_000})
    void theFirstCallAfterTheFirstTierFailedGetsTheKnownHeadFromIt(long blockTime) {
        blockMillis = blockTime;
        begin(1);
        warmUp();
        pass(50_000, 1_000);
        far().probed.clear();
        near().probeOutcome = FakeNode.failed(Fault.CONNECT);
        bench.ask("near", FakeNode.failed(Fault.CONNECT));
        assertThat(bench.health("near")).isEqualTo(Health.DOWN);

        assertThat(ask()).isEqualTo("far");
        assertThat(heads.get(heads.size() - 1)).isGreaterThanOrEqualTo(100 + blocks - 1);
        assertThat(bench.status("far").head()).as("asked with the first call").isEqualTo(100 + blocks);
        pass(60_000, 1_000);
        assertThat(far().probed.size()).as("in use now").isGreaterThan(5);
        assertThat(heads).isSortedAccordingTo(Long::compare).endsWith(100 + blocks);
    }

    @Test
    void aCallThatTheFirstTierRefusesStartsARound() {
        begin(1);
        warmUp();
        pass(50_000, 1_000);
        far().probed.clear();
        bench.ask("near", FakeNode.rateLimited(30));
        assertThat(bench.chosen()).isEqualTo("far");
        bench.settle();
        assertThat(far().probed).contains("head");
    }

    @ParameterizedTest
    @ValueSource(longs = {12_000, 2_000})
    void aFirstTierThatStandsStillIsFoundOutInTime(long blockTime) {
        blockMillis = blockTime;
        begin(1);
        warmUp();
        still.add(near());
        pass(9 * blockTime, 1_000);
        assertThat(bench.health("near")).isEqualTo(Health.LAGGING);
        assertThat(ask()).isEqualTo("far");
        assertThat(heads).endsWith(100 + blocks);
    }

    @Test
    void aFalseHeadOfTheOnlyNodeOfTheFirstTierIsNotServed() {
        begin(1);
        warmUp();
        pass(55_000, 1_000);
        heads.clear();
        still.add(near());
        near().shown = near().head;
        near().head += 20;
        // Until a round asks for the number of its head: the block that it shows is true.
        pass(65_000, 1_000);
        assertThat(bench.health("near")).isEqualTo(Health.OUT_OF_LINE);
        assertThat(heads).allMatch(head -> head <= 100 + blocks);
        assertThat(ask()).isEqualTo("far");
    }

    @Test
    void aRollbackIsSeenThoughItIsNotInUse() {
        begin(1);
        warmUp();
        still.addAll(bench.nodes.values());
        bench.nodes.values().forEach(node -> node.head -= 5);
        pass(5_000, 1_000);
        assertThat(heads).endsWith(near().head);
    }
}
