package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.chain.BlockLink;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainListener;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.Reorg;
import io.weir.upstream.FakeHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked, and what stays known, when the head moves on or the chain is replaced. */
class ChainWatchTest {

    private static final long AGE = TimeUnit.MINUTES.toNanos(1);

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final FakeHead head = new FakeHead(AGE);
    private final ForkedBlocks blocks = new ForkedBlocks();
    private final ChainView view = new ChainView(1_024);
    private final Finality finalized = head.finality;
    private int budget = 1_000;
    private final ChainWatch watch =
            new ChainWatch(head, view, finalized, blocks, AGE, count -> count <= budget, System::nanoTime);
    private final List<Reorg> reorgs = new ArrayList<>();

    ChainWatchTest() {
        view.listen(reorgs::add);
        watch.start();
    }

    private boolean check(long number) {
        head.tracker().outdate();
        head.named.clear();
        head.named.add(number);
        blocks.asked.clear();
        AtomicReference<Boolean> fresh = new AtomicReference<>();
        watch.whenFresh(loop, System.nanoTime() + AGE, fresh::set);
        return Boolean.TRUE.equals(fresh.get());
    }

    /** Follows the chain block by block. */
    private void follow(long from, long to) {
        for (long number = from; number <= to; number++) {
            assertThat(check(number)).isTrue();
        }
    }

    @Test
    void aBlockThatANodeShowsAsItsNewestReplacesACheck() {
        follow(1_000, 1_000);
        blocks.asked.clear();
        head.show(new BlockLink(1_001, "a1001", "a1000"), "node");

        assertThat(watch.isFresh()).isTrue();
        assertThat(view.hash(1_001)).isEqualTo("a1001");
        assertThat(blocks.asked).isEmpty();
    }

    @Test
    void aHeadWhoseNumberIsKnownBeforeItsBlockIsShownIsNotAskedFor() {
        FakeHead late = new FakeHead(AGE) {
            @Override
            public void whenShown(EventLoop loop, long deadlineNanos, LongConsumer sink) {
                show(new BlockLink(1_000, "a1000", "a999"), "node");
                whenFresh(loop, deadlineNanos, sink);
            }
        };
        ChainWatch other = new ChainWatch(late, view, finalized, blocks, AGE, count -> true, System::nanoTime);
        other.start();
        late.tracker().named(late.tracker().now(), 1_000, true);
        List<Boolean> known = new ArrayList<>();
        other.whenFresh(loop, System.nanoTime() + AGE, known::add);

        assertThat(known).containsExactly(true);
        assertThat(blocks.asked).isEmpty();
    }

    @Test
    void aShownBlockThatDoesNotLeadToTheKnownOnesMakesACheckNecessary() {
        follow(1_000, 1_002);
        head.show(new BlockLink(1_002, "b1002", "b1001"), "node");

        assertThat(watch.isFresh()).isFalse();
    }

    @Test
    void aShortGapIsReadAtOnce() {
        follow(1_000, 1_000);
        assertThat(check(1_005)).isTrue();

        assertThat(blocks.asked)
                .containsExactlyInAnyOrder("number 1005", "number 1004", "number 1003", "number 1002", "number 1001");
        assertThat(view.size()).isEqualTo(6);
    }

    @Test
    void aShortGapIsNotReadBeyondTheBudget() {
        follow(1_000, 1_000);
        budget = 3;
        assertThat(check(1_005)).isTrue();
        assertThat(blocks.asked).containsExactly("number 1005", "number 1000");

        assertThat(check(1_007)).isTrue();
        assertThat(blocks.asked).containsExactly("number 1007", "number 1006");
    }

    @Test
    void allNodesThatShowedANewestBlockAboveAGapHaveNamedItOnceTheGapIsRead() {
        follow(1_000, 1_000);
        head.show(blocks.block(1_005), "left");
        head.show(blocks.block(1_005), "right");
        List<Boolean> fresh = new ArrayList<>();
        watch.whenFresh(loop, System.nanoTime() + AGE, fresh::add);

        assertThat(fresh).containsExactly(true);
        assertThat(view.namedBy()).contains("left", "right");
    }

    @Test
    void whatANodeShowedBeforeADoubtIsNotItsWord() {
        follow(1_000, 1_000);
        head.show(blocks.block(1_005), "left");
        assertThat(check(1_005)).isTrue();

        assertThat(view.namedBy()).doesNotContain("left");
    }

    @Test
    void aBlockThatIsMissingFromAShortGapIsReadByItsHash() {
        follow(1_000, 1_000);
        blocks.silent = number -> number == 1_003;
        assertThat(check(1_005)).isTrue();

        assertThat(blocks.asked).endsWith("hash a1003", "hash a1002", "hash a1001");
        assertThat(view.size()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(longs = {81, 240, 800})
    void afterALongGapTheOldTopIsAskedForAndEverythingBelowItStays(long gap) {
        follow(1_000, 1_010);
        assertThat(check(1_010 + gap)).isTrue();

        assertThat(blocks.asked).containsExactly("number " + (1_010 + gap), "number 1010");
        assertThat(view.size()).isEqualTo(12);
        assertThat(view.find("a1004")).isNotNull();
        assertThat(view.hash(1_011)).isNull();
        assertThat(reorgs).isEmpty();
    }

    @Test
    void whatIsFurtherBelowThanTheBoundLeavesTheView() {
        follow(1_000, 1_010);
        assertThat(check(5_000)).isTrue();

        assertThat(view.size()).isEqualTo(1);
        assertThat(view.find("a1004")).isNull();
        assertThat(reorgs).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1200, 1200", "1200, 1199", "1200, 1150", "1200, 1001", "1001, 1001"})
    void ifTheOldTopWasReplacedDuringAGapTheHighestBlockThatStayedIsFound(long top, long forkedFrom) {
        follow(1_000, top);
        blocks.fork("b", forkedFrom);
        assertThat(check(1_500)).isTrue();

        assertThat(blocks.asked).hasSizeLessThan(20);
        assertThat(view.hash(forkedFrom - 1)).isEqualTo("a" + (forkedFrom - 1));
        assertThat(view.hash(forkedFrom)).isNull();
        assertThat(view.top()).isEqualTo(1_500);
        assertThat(reorgs).hasSize(1);
        Reorg reorg = reorgs.get(0);
        assertThat(reorg.ancestor()).isEqualTo(forkedFrom - 1);
        assertThat(reorg.replaced()).isEqualTo(forkedFrom);
        assertThat(reorg.dropped()).hasSize((int) (top - forkedFrom + 1));
        assertThat(reorg.dropped().get(0).hash()).isEqualTo("a" + top);
        assertThat(reorg.added()).containsExactly(blocks.block(1_500));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 40, 79, 80, 81, 150, 199})
    void aReorganisationOfAnyDepthKeepsWhatItDoesNotReplace(long depth) {
        follow(1_000, 1_200);
        blocks.fork("b", 1_201 - depth);
        assertThat(check(1_201)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).isEqualTo(1_200 - depth);
        assertThat(view.hash(1_200 - depth)).isEqualTo("a" + (1_200 - depth));
        assertThat(view.hash(1_201)).isEqualTo("b1201");
        assertThat(view.find("a1200")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"80, true", "81, false"})
    void aReorganisationIsFollowedBlockByBlockUpToADepth(long depth, boolean followed) {
        follow(1_000, 1_200);
        blocks.fork("b", 1_201 - depth);
        assertThat(check(1_201)).isTrue();

        List<String> byNumber = new ArrayList<>(blocks.asked);
        byNumber.removeIf(asked -> asked.startsWith("hash"));
        assertThat(byNumber.equals(List.of("number 1201"))).isEqualTo(followed);
    }

    @Test
    void aGapOfAsManyBlocksIsReadAtOnceToo() {
        follow(1_000, 1_000);
        assertThat(check(1_080)).isTrue();

        assertThat(view.size()).isEqualTo(81);
    }

    @Test
    void theParentOfTheOnlyKnownBlockIsTheAncestorOfAReorganisationOfOneBlock() {
        follow(1_000, 1_000);
        blocks.fork("b", 1_000);
        assertThat(check(1_000)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).isEqualTo(999);
        assertThat(view.hash(1_000)).isEqualTo("b1000");
        assertThat(view.hash(999)).isEqualTo("a999");
    }

    @Test
    void besideAViewOfFewBlocksOnlyTheKnownOnesAreReplacedIfTheFinalOneStayed() {
        follow(1_000, 1_002);
        Finalities.raise(finalized, 900);
        finalized.anchor(890, "a890");
        blocks.fork("b", 950);
        assertThat(check(1_002)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).isEqualTo(900);
        assertThat(reorgs.get(0).replaced()).isEqualTo(999);
        assertThat(blocks.asked).contains("number 890");
    }

    @Test
    void ifTheFinalBlockWasReplacedTooNothingIsKnownToHaveStayed() {
        follow(1_000, 1_002);
        Finalities.raise(finalized, 900);
        finalized.anchor(890, "a890");
        blocks.fork("b", 800);
        assertThat(check(1_002)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).isEqualTo(-1);
    }

    @Test
    void aKnownBlockThatIsFinalAndWasReplacedCountsMoreThanALowerOneThatStayed() {
        follow(1_000, 1_002);
        Finalities.raise(finalized, 1_001);
        finalized.anchor(890, "a890");
        check(1_002);
        blocks.fork("b", 950);
        assertThat(check(1_002)).isTrue();

        assertThat(reorgs.get(0).ancestor()).isEqualTo(-1);
    }

    @Test
    void aKnownBlockBelowAFinalOneInAGapWasFinalTooWhenItWasReplaced() {
        follow(1_000, 1_002);
        Finalities.raise(finalized, 890);
        finalized.anchor(890, "a890");
        check(1_300);
        Finalities.raise(finalized, 1_250);
        check(1_300);
        blocks.fork("b", 950);
        assertThat(check(1_301)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).as("though block 890 has stayed").isEqualTo(-1);
    }

    @Test
    void aReorganisationAboveAGapIsLinkedBelowIt() {
        follow(1_000, 1_010);
        check(1_300);
        blocks.fork("b", 1_290);
        assertThat(check(1_301)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).ancestor()).isEqualTo(1_010);
        assertThat(reorgs.get(0).replaced()).isEqualTo(1_299);
        assertThat(view.find("a1004")).isNotNull();
    }

    @Test
    void aReplacedBlockThatBecameFinalSinceTheLastCheckWasNeverFinal() {
        follow(1_000, 1_010);
        Finalities.raise(finalized, 950);
        check(1_010);
        blocks.fork("b", 1_005);
        Finalities.raise(finalized, 1_100);
        assertThat(check(1_200)).isTrue();

        assertThat(reorgs).hasSize(1);
        assertThat(reorgs.get(0).replaced()).isEqualTo(1_005);
        assertThat(reorgs.get(0).mayReplace(950)).isFalse();
        assertThat(finalized.settled()).isEqualTo(1_100);
    }

    @Test
    void blocksThatAreFinalAreToldOnceTheyWereComparedWithTheNodes() {
        List<String> told = new ArrayList<>();
        view.listen(new ChainListener() {
            @Override
            public void reorganised(Reorg reorg) {}

            @Override
            public void finalized(CanonicalLinks links, long number) {
                told.add(number + " " + links.hash(number));
            }
        });
        follow(1_000, 1_010);
        Finalities.raise(finalized, 1_005);
        assertThat(told).isEmpty();
        check(1_011);
        check(1_012);
        assertThat(told).containsExactly("1005 a1005");
    }

    @Test
    void aHeadThatWasAskedForBeforeABlockWasFinalSettlesNothing() {
        follow(1_000, 1_010);
        HeadMoment round = head.tracker().now();
        Finalities.raise(finalized, 1_005);
        watch.offerHead(blocks.block(1_010), round, round.nanos(), "node");
        assertThat(finalized.settled()).isEqualTo(-1);

        HeadMoment later = head.tracker().now();
        watch.offerHead(blocks.block(1_010), later, later.nanos(), "node");
        assertThat(finalized.settled()).isEqualTo(1_005);
    }

    @Test
    void anOlderCheckThatEndsLaterChangesNothing() {
        follow(1_000, 1_010);
        HeadMoment older = head.tracker().now();
        long began = System.nanoTime();
        Finalities.raise(finalized, 1_005);
        watch.offerHead(blocks.block(1_010), head.tracker().now(), began + 1, "node");
        assertThat(finalized.settled()).isEqualTo(1_005);

        watch.offerHead(blocks.block(1_010), older, began, "node");
        assertThat(finalized.settled()).isEqualTo(1_005);
    }

    @Test
    void theFinalBlockAtACheckIsRemembered() {
        follow(1_000, 1_010);
        Finalities.raise(finalized, 1_005);
        assertThat(finalized.anchor()).isNull();
        check(1_010);
        assertThat(finalized.anchor()).isEqualTo(new Finality.Anchor(1_005, "a1005"));
    }

    @ParameterizedTest
    @CsvSource({"a1200, 1010", "z1200, -1"})
    void ifTheFinalBlockIsInAGapItIsAskedForToo(String anchor, long ancestor) {
        follow(1_000, 1_010);
        check(1_300);
        Finalities.raise(finalized, 1_250);
        check(1_300);
        finalized.anchor(1_200, anchor);
        blocks.fork("b", 1_290);
        assertThat(check(1_301)).isTrue();

        assertThat(blocks.asked).contains("number 1200");
        assertThat(reorgs.get(0).ancestor()).isEqualTo(ancestor);
        assertThat(reorgs.get(0).mayReplace(1_250)).isEqualTo(ancestor < 0);
    }

    @Test
    void whoeverNamesAHeadBeyondAGapSaysNothingOfTheBlocksBelowTheGap() {
        view.restart(List.of(blocks.block(1_000)), "one");
        check(1_001);
        assertThat(view.isAgreed(1_000)).as("by both").isTrue();
        assertThat(view.isAgreed(1_001)).isFalse();
        check(1_200);
        view.attach(List.of(blocks.block(1_201)), "one");
        assertThat(view.isAgreed(1_200)).isTrue();
        assertThat(view.isAgreed(1_001)).as("its link is not known").isFalse();
        assertThat(view.isAgreed(1_000)).as("as before").isTrue();
        for (long number = 1_199; number > 1_001; number--) {
            view.extend(blocks.block(number));
        }
        assertThat(view.isAgreed(1_001)).as("now it is linked").isTrue();
    }

    @Test
    void aHeadThatNoNodeShowsLeavesTheChainUnknown() {
        follow(1_000, 1_000);
        blocks.silent = number -> true;
        assertThat(check(1_200)).isFalse();
        assertThat(watch.isFresh()).isFalse();
        assertThat(view.top()).isEqualTo(1_000);
    }

    @Test
    void anOldTopThatNoNodeShowsLeavesTheChainUnknown() {
        follow(1_000, 1_000);
        blocks.silent = number -> number == 1_000;
        assertThat(check(1_200)).isFalse();
        assertThat(view.top()).isEqualTo(1_000);
        assertThat(reorgs).isEmpty();
    }
}
