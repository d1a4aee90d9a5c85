package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finality;
import io.weir.chain.Finality.Anchor;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of a pool that are final for results. */
class PoolFinalResultsTest {

    private static final long PAUSE_MILLIS = 10_000;
    private static final long SECOND = 1_000_000_000L;

    private final PoolBench bench = new PoolBench();
    private final List<String> told = new ArrayList<>();
    private FakeNode first;
    private Finality finality;
    private FinalityWatch watch;

    private void begin(String kind, int nodes) {
        for (int i = 0; i < nodes; i++) {
            FakeNode node = bench.node("n" + i, 0, 1);
            first = first == null ? node : first;
        }
        bench.setting("kind = " + kind);
        bench.kind = new PlainKind(true, kind.equals("ethereum"));
        bench.begin();
        finality = bench.pool.head().finality();
        watch = new FinalityWatch(bench.pool.head(), bench.ticker::nanoTime);
        watch.listen(loop -> told.add("asked"));
    }

    private void know(long number) {
        watch.whenKnown(bench.loop, number, () -> told.add("known " + number));
        bench.settle();
    }

    private long asked() {
        return Collections.frequency(first.probed, "eth_getBlockByNumber");
    }

    @Test
    void theWordOfTheOnlyNodeIsTheHighestFinalBlock() {
        begin("ethereum", 1);
        first.finalized = 90;
        know(90);
        assertThat(finality.number()).isEqualTo(90);
        assertThat(finality.anchor()).isEqualTo(new Anchor(90, "0x%064x".formatted(90)));
        assertThat(told).containsExactly("asked", "known 90");
    }

    @Test
    void ifTheOnlyNodeLacksTheTagTheBlockAtTheDepthIsFinal() {
        begin("ethereum", 1);
        know(5);
        assertThat(finality.number()).isEqualTo(36);
        assertThat(finality.anchor()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 101, 600})
    void nodesThatCallTheirHeadFinalAreNotBelieved(long named) {
        begin("ethereum", 2);
        bench.nodes.values().forEach(node -> node.finalized = named);
        know(100);
        assertThat(finality.number()).isEqualTo(36);
        assertThat(finality.anchor()).isNull();
    }

    @Test
    void ifNoNodeAnswersNothingIsFinal() {
        begin("ethereum", 1);
        first.probeOutcomes.put("eth_getBlockByNumber", FakeNode.failed(Fault.TIMEOUT));
        know(5);
        assertThat(finality.number()).isEqualTo(-1);
        assertThat(told).as("the result is judged all the same").contains("known 5");
    }

    @Test
    void nodesAreAskedAtMostOnceInAPauseAndNotForABlockThatIsFinal() {
        begin("ethereum", 1);
        first.finalized = 90;
        know(100);
        know(100);
        know(50);
        assertThat(asked()).isEqualTo(1);
        bench.pass(PAUSE_MILLIS + 100);
        know(90);
        assertThat(asked()).isEqualTo(1);
        know(100);
        assertThat(asked()).isEqualTo(2);
        assertThat(told).filteredOn("asked"::equals).hasSize(2);
    }

    /** Lets blocks arrive, each 12 s, and results of blocks so far below the head depend on what is final. */
    private void follow(int count, long below) {
        for (int i = 0; i < count; i++) {
            bench.nodes.values().forEach(node -> node.head++);
            for (int second = 0; second < 12; second++) {
                bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + SECOND, head -> {});
                bench.pass(1_000);
            }
            know(first.head - below);
        }
    }

    @Test
    void resultsNearTheHeadHaveNodesAskedOnceAnEpochAndOlderOnesSooner() {
        begin("ethereum", 2);
        bench.nodes.values().forEach(node -> node.finalized = 0);
        follow(32, 0);
        long before = asked();
        follow(64, 10);
        assertThat(asked() - before).as("by results near the head").isEqualTo(2);
        before = asked();
        follow(64, 80);
        assertThat(asked() - before).as("by results below the depth").isBetween(12L, 14L);
    }

    @Test
    void resultsThatComeTogetherShareOneRequest() {
        begin("ethereum", 1);
        first.finalized = 90;
        first.holdBlocks = true;
        know(80);
        know(81);
        assertThat(told).isEmpty();
        first.releaseProbe();
        bench.settle();
        assertThat(told).containsExactly("asked", "known 80", "known 81");
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void wordsForACallCountForResultsToo() {
        begin("ethereum", 2);
        bench.nodes.values().forEach(node -> node.finalized = 90);
        know(100);
        bench.pass(6_000);
        bench.nodes.values().forEach(node -> node.finalized = 95);
        bench.pool.head().whenFresh(bench.loop, bench.ticker.nanoTime() + SECOND, head -> {});
        bench.settle();
        call();
        assertThat(told).contains("agreed 95");
        assertThat(finality.number()).isEqualTo(95);
    }

    @Test
    void ofNodesThatRolledBackNothingIsBelievedWhichACallHearsBeforeTheHeadIsChecked() {
        begin("ethereum", 2);
        bench.nodes.values().forEach(node -> node.finalized = 100);
        know(100);
        assertThat(finality.number()).isEqualTo(36);
        bench.pass(6_000);
        for (FakeNode node : bench.nodes.values()) {
            node.head = 80;
            node.finalized = 80;
        }
        finality.forget();
        bench.pool.head().tracker().outdate();
        call();
        assertThat(told).as("for calls").contains("agreed 100");
        assertThat(bench.pool.head().tracker().number()).isEqualTo(100);
        assertThat(finality.number()).as("80 is the head").isEqualTo(-1);
        know(80);
        assertThat(bench.pool.head().tracker().number()).isEqualTo(80);
        assertThat(finality.number()).isEqualTo(16);
    }

    @Test
    void aFinalBlockWhoseHashIsNotProvenIsNoAnchor() {
        begin("ethereum", 1);
        finality.prove(block -> !block.toString().contains("\"0x5a\""));
        first.finalized = 90;
        know(90);
        assertThat(finality.number()).as("the only node's word").isEqualTo(90);
        assertThat(finality.anchor()).isNull();
        first.finalized = 91;
        bench.pass(PAUSE_MILLIS + 100);
        know(91);
        assertThat(finality.anchor()).isEqualTo(new Anchor(91, "0x%064x".formatted(91)));
    }

    private void call() {
        long until = bench.ticker.nanoTime() + SECOND;
        bench.pool
                .head()
                .whenAgreed(bench.loop, BlockTag.FINALIZED, until, known -> told.add("agreed " + known.number()));
        bench.settle();
    }

    @Test
    void whereAProofDecidesNoNodeIsAskedAboutTheHead() {
        begin("plain", 1);
        know(100);
        assertThat(asked()).isZero();
        first.finalized = 90;
        know(90);
        assertThat(finality.number()).isEqualTo(90);
    }
}
