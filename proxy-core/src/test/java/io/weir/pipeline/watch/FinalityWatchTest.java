package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.FinalizedHeight;
import io.weir.chain.FinalizedHeight.Anchor;
import io.weir.pipeline.watch.BlockSource.Finalized;
import io.weir.upstream.FakeHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact set of final blocks. */
class FinalityWatchTest {

    private static final long TOP = 1_000;
    private static final long DEPTH = 64;

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1));
    private final HandBlocks blocks = new HandBlocks();
    private final FinalizedHeight height = new FinalizedHeight();
    private long now = Long.MAX_VALUE;
    private final FinalityWatch watch = new FinalityWatch(height, head, blocks, DEPTH, () -> now);
    private final List<String> told = new ArrayList<>();

    FinalityWatchTest() {
        head.named.add(TOP);
    }

    private void know(long number) {
        watch.whenKnown(loop, number, () -> told.add("known " + number));
    }

    private void knowLater(long number) {
        now += FinalityWatch.PAUSE_NANOS;
        know(number);
    }

    @Test
    void theBlockWithTheTagIsTheHighestFinalOne() {
        blocks.finalized = new Finalized(false, 900, "0x900");
        know(900);

        assertThat(height.number()).isEqualTo(900);
        assertThat(height.covers(901)).isFalse();
        assertThat(height.anchor()).isEqualTo(new Anchor(900, "0x900"));
        assertThat(told).containsExactly("known 900");
    }

    @Test
    void ifNoNodeHasTheTagTheBlockAtTheDepthIsTheHighestFinalOne() {
        know(5);

        assertThat(height.number()).isEqualTo(TOP - DEPTH);
        assertThat(height.covers(TOP - DEPTH)).isTrue();
        assertThat(height.covers(TOP - DEPTH + 1)).isFalse();
        assertThat(height.anchor()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"63, -1", "64, 0", "65, 1"})
    void aChainThatIsShorterThanTheDepthHasNoFinalBlock(long top, long expected) {
        head.named.clear();
        head.named.add(top);
        know(0);

        assertThat(height.number()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {TOP, TOP + 1, TOP + 500})
    void aNodeThatCallsItsHeadFinalIsNotBelievedAndTheDepthCounts(long named) {
        blocks.finalized = new Finalized(false, named, "0xhead");
        know(TOP);

        assertThat(height.number()).isEqualTo(TOP - DEPTH);
        assertThat(height.covers(TOP)).isFalse();
        assertThat(height.anchor()).as("no anchor at the head").isNull();
    }

    @Test
    void theBlockBelowTheHeadMayBeFinal() {
        blocks.finalized = new Finalized(false, TOP - 1, "0x999");
        know(TOP - 1);

        assertThat(height.number()).isEqualTo(TOP - 1);
        assertThat(height.covers(TOP)).isFalse();
    }

    @Test
    void onceANodeHadTheTagTheDepthSaysNothing() {
        blocks.finalized = new Finalized(false, 100, "0x100");
        know(100);
        blocks.finalized = new Finalized(true, -1, null);
        knowLater(500);

        assertThat(height.number()).isEqualTo(100);
    }

    @Test
    void ifNoNodeAnsweredNothingIsFinal() {
        blocks.finalized = new Finalized(false, -1, null);
        know(5);

        assertThat(height.number()).isEqualTo(-1);
        assertThat(told).as("the call goes on").containsExactly("known 5");
    }

    @Test
    void aBlockKnownToBeFinalNeedsNoRequest() {
        height.raise(900, head.tracker().now());
        know(900);

        assertThat(blocks.asked).isEmpty();
        assertThat(told).containsExactly("known 900");
        know(901);
        assertThat(blocks.asked).containsExactly("finalized");
    }

    @Test
    void nodesAreAskedAtMostOnceInAPause() {
        know(TOP);
        know(TOP);
        now += FinalityWatch.PAUSE_NANOS - 1;
        know(TOP);
        assertThat(blocks.asked).hasSize(1);

        now++;
        know(TOP);
        assertThat(blocks.asked).hasSize(2);
        assertThat(told).hasSize(4);
    }

    @Test
    void waitingCallsShareOneRequestAndContinueTogether() {
        blocks.finalized = null;
        know(10);
        know(20);
        assertThat(told).isEmpty();

        blocks.release(new Finalized(false, 900, "0x900"));
        assertThat(blocks.asked).hasSize(1);
        assertThat(told).containsExactly("known 10", "known 20");
    }

    @Test
    void aListenerHearsEachTimeThatNodesWereAsked() {
        watch.listen(on -> told.add("learned " + height.number()));
        know(5);
        know(TOP);
        knowLater(TOP);

        assertThat(told).filteredOn(one -> one.startsWith("learned")).hasSize(2).containsOnly("learned 936");
    }
}
