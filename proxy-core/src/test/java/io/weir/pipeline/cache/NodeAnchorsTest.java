package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.tier.ChainAnchors.Anchor;
import io.weir.pipeline.watch.HandBlocks.Finalized;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a name space of a tier is held to. */
class NodeAnchorsTest {

    private final TierBench bench = new TierBench(false);
    private final NodeAnchors anchors = new NodeAnchors(bench.chain, bench.blocks, () -> bench.now);
    private final List<Object> told = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    private Object finalBlock() {
        told.clear();
        anchors.finalBlock(told::add);
        bench.channel.runPendingTasks();
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    private Object hashAt(long number) {
        told.clear();
        anchors.hashAt(number, told::add);
        bench.channel.runPendingTasks();
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    @Test
    void nobodyIsAskedBeforeTheFirstCall() {
        assertThat(finalBlock()).isNull();
        assertThat(hashAt(7)).isNull();
        assertThat(bench.blocks.asked).isEmpty();
    }

    @Test
    void theFinalBlockIsTheOneThatTheNodesName() {
        anchors.seen(bench.channel.eventLoop());

        assertThat(finalBlock()).isEqualTo(new Anchor(TierBench.FINAL, bench.blocks.hash(TierBench.FINAL)));
        assertThat(hashAt(7)).isEqualTo(bench.blocks.hash(7));
    }

    @Test
    void whereNothingIsFinalThereIsNoAnchor() {
        anchors.seen(bench.channel.eventLoop());
        bench.blocks.finalized = new Finalized(false, -1, null);

        assertThat(finalBlock()).isNull();
        assertThat(bench.blocks.asked).containsExactly("finalized");
    }

    @Test
    void whereNoNodeHasTheBlockThereIsNoAnchor() {
        anchors.seen(bench.channel.eventLoop());
        bench.blocks.known = false;

        assertThat(finalBlock()).isNull();
        assertThat(hashAt(7)).isNull();
    }

    @Test
    void aBlockOfAnotherHeightIsNoAnswer() {
        anchors.seen(bench.channel.eventLoop());
        bench.blocks.shift = 1;

        assertThat(finalBlock()).isNull();
        assertThat(hashAt(7)).isNull();
    }
}
