package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which headers are requested for a block in a gap, and what is done with them. */
class LinkFillTest {

    private static final long TOP = 10_000;
    private static final long FINAL = 7_500;
    private static final HeadMoment MOMENT = new HeadTracker(0, System::nanoTime).now();

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final ForkedBlocks blocks = new ForkedBlocks();
    private final ChainView view = new ChainView(4_096);
    private final Finality finalized = Finalities.alone();
    private final List<Boolean> told = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holding;
    private int budget = 10_000;
    private final LinkFill fill = new LinkFill(view, finalized, new HeldBlocks(), this::take, System::nanoTime);

    private boolean take(int count) {
        boolean enough = count <= budget;
        budget -= enough ? count : 0;
        return enough;
    }

    /** Blocks whose answers a test can hold back. */
    private final class HeldBlocks implements BlockSource {

        @Override
        public void byNumber(EventLoop on, long number, long deadlineNanos, Consumer<Named> sink) {
            if (holding) {
                Named asked = new Named(blocks.block(number), "node");
                blocks.asked.add("number " + number);
                held.add(() -> sink.accept(asked));
            } else {
                blocks.byNumber(on, number, deadlineNanos, sink);
            }
        }

        @Override
        public void byHash(EventLoop on, String hash, long deadlineNanos, Consumer<Named> sink) {
            throw new AssertionError("a gap is filled by number");
        }
    }

    @BeforeEach
    void know() {
        view.restart(List.of(blocks.block(TOP)), "node");
        Finalities.raise(finalized, FINAL);
    }

    private void reach(long number) {
        fill.reach(loop, number, false, told::add);
    }

    private void release() {
        holding = false;
        List<Runnable> answers = List.copyOf(held);
        held.clear();
        answers.forEach(Runnable::run);
    }

    @Test
    void aKnownBlockNeedsNoRequest() {
        reach(TOP);
        reach(TOP - 1);
        assertThat(told).containsExactly(true, true);
        assertThat(blocks.asked).isEmpty();
    }

    @Test
    void noHeaderIsRequestedBeyondThoseThatLeadToTheBlock() {
        reach(TOP - 5);
        assertThat(told).containsExactly(true);
        assertThat(blocks.asked).hasSize(5);
        assertThat(view.at(TOP - 5)).isNotNull();
        assertThat(view.at(TOP - 6)).isNull();
        assertThat(budget).isEqualTo(10_000 - 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {TOP - 300, TOP - 2_000, FINAL + 1})
    void aDistantBlockIsReachedByLargeBatches(long number) {
        reach(number);
        assertThat(told).containsExactly(true);
        assertThat(view.at(number)).isNotNull();
        assertThat(blocks.asked).doesNotHaveDuplicates().hasSize((int) (TOP - number));
        assertThat(budget).isEqualTo(10_000 - blocks.asked.size());
    }

    @ParameterizedTest
    @ValueSource(longs = {FINAL, 0, TOP + 1})
    void aFinalBlockAndOneAboveTheHeadAreNotReached(long number) {
        reach(number);
        assertThat(told).containsExactly(false);
        assertThat(blocks.asked).isEmpty();
    }

    @Test
    void aBlockBelowTheBoundIsNotReached() {
        finalized.forget();
        Finalities.raise(finalized, 100);
        reach(TOP - 4_096);
        assertThat(told).containsExactly(false);
    }

    @Test
    void whileNothingIsKnownToBeFinalOnlyAFewBlocksAreReached() {
        finalized.forget();
        reach(TOP - LinkFill.WITHOUT_FINALITY + 1);
        reach(TOP - LinkFill.WITHOUT_FINALITY);
        assertThat(told).containsExactly(true, false);
    }

    @Test
    void forAResultThatCameBeforeABatchCostsOneHeader() {
        budget = 2;
        reach(TOP - 300);
        fill.reach(loop, TOP - 300, true, told::add);
        assertThat(told).containsExactly(false, true);
        assertThat(budget).isZero();
        reach(TOP - 400);
        assertThat(told).containsExactly(false, true, false);
    }

    @Test
    void withoutBudgetNothingIsRequested() {
        budget = 0;
        reach(TOP - 5);
        assertThat(told).containsExactly(false);
        assertThat(blocks.asked).isEmpty();
    }

    @Test
    void whatTheBudgetAllowedStaysForTheNextTime() {
        budget = 2 * LinkFill.MAX_BATCH + 1;
        reach(TOP - 1_000);
        assertThat(told).containsExactly(false);
        assertThat(view.size()).isEqualTo(1 + 2 * LinkFill.MAX_BATCH);
        budget = 1_000;
        reach(TOP - 1_000);
        assertThat(told).containsExactly(false, true);
    }

    @Test
    void aNearBlockIsReachedIfTheBudgetIsTooSmallForADistantOne() {
        holding = true;
        reach(TOP - 3);
        reach(TOP - 9);
        reach(TOP - 100);
        budget = 10;
        release();
        assertThat(told).containsExactly(true, true, false);
        assertThat(budget).isEqualTo(4);
    }

    @Test
    void waitingResultsShareTheirRequests() {
        holding = true;
        reach(TOP - 5);
        reach(TOP - 20);
        reach(TOP - 40);
        assertThat(told).isEmpty();
        release();
        assertThat(told).containsExactly(true, true, true);
        assertThat(budget).as("headers").isEqualTo(10_000 - 40);
        assertThat(blocks.asked).doesNotHaveDuplicates();
    }

    @Test
    void aGapIsFilledDownToTheKnownBlocksBelowIt() {
        BlockLink old = blocks.block(TOP);
        view.resume(List.of(blocks.block(TOP + 10)), "node", TOP, old.hash());
        reach(TOP + 3);
        assertThat(told).containsExactly(true);
        assertThat(blocks.asked).hasSize(7);
        assertThat(view.at(TOP + 3)).isNotNull();
    }

    @Test
    void noBlockBelowTheGapIsRequestedAgain() {
        BlockLink old = blocks.block(TOP);
        view.resume(List.of(blocks.block(TOP + 10)), "node", TOP, old.hash());
        reach(TOP + 1);
        assertThat(told).containsExactly(true);
        assertThat(blocks.asked).hasSize(9);
    }

    @Test
    void aMissingHeaderEndsTheFillBelowIt() {
        blocks.silent = number -> number == TOP - 10;
        reach(TOP - 5);
        reach(TOP - 20);
        assertThat(told).containsExactly(true, false);
        assertThat(view.hash(TOP - 10)).as("its child names it").isEqualTo("a" + (TOP - 10));
        assertThat(view.hash(TOP - 11)).isNull();
    }

    @Test
    void headersOfAnotherBranchAreNotLinked() {
        blocks.fork("b", TOP - 100);
        reach(TOP - 5);
        assertThat(told).containsExactly(false);
        assertThat(view.size()).isEqualTo(1);
    }

    @Test
    void aReorganisationDuringAFillEndsItWithWhatIsKnownThen() {
        holding = true;
        reach(TOP - 50);
        blocks.fork("b", TOP - 60);
        view.replaceAll(List.of(blocks.block(TOP)), "node", FINAL);
        release();
        assertThat(told).containsExactly(false);
        reach(TOP - 50);
        assertThat(told).containsExactly(false, true);
        assertThat(view.hash(TOP - 50)).isEqualTo("b" + (TOP - 50));
    }

    @Test
    void noMoreResultsWaitThanTheBound() {
        holding = true;
        for (int i = 0; i < 300; i++) {
            reach(TOP - 5);
        }
        assertThat(told).hasSize(44).containsOnly(false);
        release();
        assertThat(told).hasSize(300);
    }
}
