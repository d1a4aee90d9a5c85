package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainViewTest {

    private final ChainView view = new ChainView();
    private final List<List<Long>> reorgs = new ArrayList<>();

    ChainViewTest() {
        view.listen(reorg -> reorgs.add(List.of(reorg.from(), reorg.to(), reorg.ancestor())));
    }

    /** A block of a branch; branches part above block 10. */
    private static BlockLink block(long number, String branch) {
        return new BlockLink(number, hash(number, branch), hash(number - 1, branch));
    }

    private static String hash(long number, String branch) {
        return (number <= 10 ? "a" : branch) + number;
    }

    private void grow(long from, long to, String branch) {
        for (long number = from; number <= to; number++) {
            assertThat(view.attach(List.of(block(number, branch)), "node")).isTrue();
        }
    }

    @Test
    void blocksHangTogetherByTheirParents() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 12, "a");
        assertThat(view.top()).isEqualTo(12);
        assertThat(view.hash(9)).isEqualTo("a9");
        assertThat(view.hash(7)).as("the parent of the lowest").isEqualTo("a7");
        assertThat(view.hash(6)).isNull();
        assertThat(view.hash(13)).isNull();
        assertThat(reorgs).isEmpty();
    }

    @Test
    void aBlockThatSeveralUpstreamsNamedOrBuiltOnIsAgreed() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 12, "a");
        assertThat(view.isAgreed(8)).as("by one alone").isFalse();
        assertThat(view.attach(List.of(block(13, "a")), "other")).isTrue();
        assertThat(view.isAgreed(12)).isTrue();
        assertThat(view.isAgreed(13)).isFalse();
        assertThat(view.attach(List.of(block(13, "a")), "node")).isTrue();
        assertThat(view.isAgreed(13)).isTrue();
        assertThat(view.attach(List.of(block(13, "b"), block(12, "b"), block(11, "b")), "node"))
                .isTrue();
        assertThat(view.isAgreed(10)).as("both had it").isTrue();
        assertThat(view.isAgreed(11)).as("the branch of one alone").isFalse();
    }

    @Test
    void anUnlinkedBranchChangesNothing() {
        view.restart(List.of(block(8, "a")), "node");
        assertThat(view.attach(List.of(block(12, "a")), "node")).isFalse();
        assertThat(view.attach(List.of(block(13, "b"), block(12, "b")), "node")).isFalse();
        assertThat(view.top()).isEqualTo(8);
    }

    @Test
    void aReorganisationIsReportedWithTheCommonAncestor() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 13, "a");
        assertThat(view.attach(List.of(block(12, "b"), block(11, "b")), "node")).isTrue();
        assertThat(reorgs).containsExactly(List.of(13L, 12L, 10L));
        assertThat(view.top()).isEqualTo(12);
        assertThat(view.hash(11)).isEqualTo("b11");
        assertThat(view.hash(10)).isEqualTo("a10");
        assertThat(view.find("a11")).isNull();
    }

    @Test
    void aBlockThatComesBackGetsANewSlot() {
        view.restart(List.of(block(10, "a")), "node");
        grow(11, 11, "a");
        Slot before = view.at(11);
        assertThat(view.attach(List.of(block(11, "b")), "node")).isTrue();
        assertThat(view.attach(List.of(block(11, "a")), "node")).isTrue();
        assertThat(view.at(11).block()).isEqualTo(before.block());
        assertThat(view.at(11)).isNotEqualTo(before);
        assertThat(reorgs).hasSize(2);
    }

    @Test
    void aHeadThatGoesBackIsAReorganisation() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 13, "a");
        assertThat(view.attach(List.of(block(9, "a")), "node")).isTrue();
        assertThat(reorgs).containsExactly(List.of(13L, 9L, 9L));
        assertThat(view.top()).isEqualTo(9);
    }

    @Test
    void theSameHeadFromAnotherUpstreamIsItsWordToo() {
        view.restart(List.of(block(8, "a")), "one");
        assertThat(view.isNamedBy("two")).isFalse();
        assertThat(view.attach(List.of(block(8, "a")), "two")).isTrue();
        assertThat(view.isNamedBy("one")).isTrue();
        assertThat(view.isNamedBy("two")).isTrue();
        assertThat(view.attach(List.of(block(9, "a")), "two")).isTrue();
        assertThat(view.isNamedBy("one")).isFalse();
    }

    @Test
    void onlyTheNewestBlockItselfIsAnotherUpstreamsWordAboutIt() {
        view.restart(List.of(block(8, "a")), "one");
        grow(9, 12, "a");
        view.named(block(12, "b"), "two");
        view.named(block(11, "a"), "two");
        assertThat(view.isNamedBy("two")).isFalse();
        view.named(block(12, "a"), "two");
        assertThat(view.isNamedBy("two")).isTrue();
        assertThat(view.top()).isEqualTo(12);
        assertThat(reorgs).isEmpty();
    }

    @Test
    void anotherBlockAtAHeightIsNotAgreed() {
        view.restart(List.of(block(8, "a")), "one");
        grow(9, 12, "a");
        view.agree(11, hash(11, "b"));
        assertThat(view.isAgreed(11)).isFalse();
        view.agree(11, hash(11, "a"));
        assertThat(view.isAgreed(11)).isTrue();
        assertThat(view.isAgreed(12)).isFalse();
        view.agree(9, hash(9, "a"));
        assertThat(view.isAgreed(11)).as("an older word takes nothing back").isTrue();
    }

    @Test
    void newerBlocksGoOnAboveABlockThatStayedOnlyIfTheyFitIt() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 12, "a");
        assertThat(view.resume(List.of(block(20, "a")), "node", 12, hash(12, "b")))
                .as("another block")
                .isFalse();
        assertThat(view.resume(List.of(block(12, "a")), "node", 12, hash(12, "a")))
                .as("not above it")
                .isFalse();
        assertThat(view.resume(List.of(block(13, "b")), "node", 12, hash(12, "a")))
                .as("the child of another block")
                .isFalse();
        assertThat(view.top()).isEqualTo(12);
        assertThat(view.resume(List.of(block(20, "a")), "node", 12, hash(12, "a")))
                .isTrue();
        assertThat(view.hash(20)).isEqualTo("a20");
        assertThat(view.hash(12)).isEqualTo("a12");
        assertThat(view.hash(15)).as("in the gap").isNull();
    }

    @Test
    void theWordAboutABlockAboveAGapSaysNothingAboutTheBlocksInIt() {
        view.restart(List.of(block(8, "a")), "one");
        grow(9, 12, "a");
        view.agree(11, hash(11, "a"));
        assertThat(view.resume(List.of(block(20, "a")), "one", 12, hash(12, "a")))
                .isTrue();
        view.agree(20, hash(20, "a"));
        assertThat(List.of(11L, 20L)).allMatch(view::isAgreed);
        assertThat(List.of(12L, 15L)).noneMatch(view::isAgreed);
    }

    @Test
    void aBlockThatWasReadIsNotReadAgain() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 12, "a");
        view.extend(new BlockLink(10, hash(10, "a"), "z9"));
        assertThat(view.hash(9)).isEqualTo("a9");
    }

    @Test
    void blocksBeforeTheLowestAreTakenInOneByOne() {
        view.restart(List.of(block(8, "a")), "node");
        view.extend(block(6, "a"));
        assertThat(view.size()).isEqualTo(1);
        view.extend(block(7, "a"));
        view.extend(block(6, "a"));
        assertThat(view.size()).isEqualTo(3);
        view.extend(new BlockLink(5, "z5", "a4"));
        assertThat(view.size()).as("not the parent").isEqualTo(3);
    }

    @Test
    void noMoreBlocksAreKnownThanTheBound() {
        view.restart(List.of(block(8, "a")), "node");
        grow(9, 8 + 2L * ChainView.MAX_BLOCKS, "a");
        assertThat(view.size()).isEqualTo(ChainView.MAX_BLOCKS);
        view.extend(block(8 + ChainView.MAX_BLOCKS, "a"));
        assertThat(view.size()).isEqualTo(ChainView.MAX_BLOCKS);
    }

    @Test
    void aNewBeginningIsAReorganisationWhereItStandsBesideKnownBlocks() {
        view.restart(List.of(block(8, "a")), "node");
        view.restart(List.of(block(100, "a")), "node");
        assertThat(reorgs).isEmpty();
        view.restart(List.of(block(100, "b"), block(99, "b")), "node");
        assertThat(reorgs).containsExactly(List.of(100L, 100L, -1L));
    }
}
