package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What listeners hear, and when. */
class ChainEventsTest {

    private final ChainView view = new ChainView(256);
    private final List<String> heard = new ArrayList<>();

    ChainEventsTest() {
        view.listen(new ChainListener() {
            @Override
            public void reorganised(Reorg reorg) {
                heard.add("ancestor " + reorg.ancestor() + ", replaced " + reorg.replaced() + ", dropped "
                        + hashes(reorg.dropped()) + ", added " + hashes(reorg.added()) + ", top " + view.top());
            }

            @Override
            public void finalized(CanonicalLinks links, long number) {
                heard.add("final " + number + " " + links.hash(number));
            }
        });
    }

    private static List<String> hashes(List<BlockLink> blocks) {
        return blocks.stream().map(BlockLink::hash).toList();
    }

    /** A block of a branch; branches part above block 10. */
    private static BlockLink block(long number, String branch) {
        return new BlockLink(number, hash(number, branch), hash(number - 1, branch));
    }

    private static String hash(long number, String branch) {
        return (number <= 10 ? "a" : branch) + number;
    }

    @Test
    void newerBlocksAndTheSameHeadAgainReplaceNothing() {
        view.restart(List.of(block(8, "a")), "node");
        view.attach(List.of(block(8, "a")), "other");
        view.attach(List.of(block(10, "a"), block(9, "a")), "node");
        assertThat(heard).isEmpty();
    }

    @Test
    void finalBlocksAreToldWithTheHashesOfThatTime() {
        view.restart(List.of(block(8, "a")), "node");
        view.attach(List.of(block(10, "a"), block(9, "a")), "node");
        view.settle(9);
        view.settle(9);
        view.settle(8);
        assertThat(heard).containsExactly("final 9 a9");
    }

    @Test
    void aFinalBlockIsToldOnceMoreWhenASecondNodeNamedIt() {
        view.restart(List.of(block(9, "a")), "node");
        view.settle(9);
        view.agree(9, "a9");
        view.settle(9);
        view.settle(9);
        assertThat(heard).containsExactly("final 9 a9", "final 9 a9");
    }

    @Test
    void finalBlocksOfAReplacedChainAreToldAfresh() {
        view.restart(List.of(block(20, "a")), "node");
        view.settle(20);
        view.replaceAll(List.of(block(15, "b")), "node", -1);
        heard.clear();
        view.settle(15);
        assertThat(heard).containsExactly("final 15 b15");
    }

    @Test
    void finalBlocksAboveTheAncestorOfAReorganisationAreToldAfresh() {
        view.restart(List.of(block(9, "a")), "node");
        view.attach(List.of(block(13, "a"), block(12, "a"), block(11, "a"), block(10, "a")), "node");
        view.settle(12);
        view.attach(List.of(block(13, "b"), block(12, "b"), block(11, "b")), "node");
        heard.clear();
        view.settle(10);
        view.settle(12);
        view.settle(12);
        assertThat(heard).containsExactly("final 12 b12");
    }

    @Test
    void aReorganisationTellsWhatWasDroppedAndAdded() {
        view.restart(List.of(block(9, "a")), "node");
        view.attach(List.of(block(13, "a"), block(12, "a"), block(11, "a"), block(10, "a")), "node");
        heard.clear();
        view.attach(List.of(block(12, "b"), block(11, "b")), "node");
        assertThat(heard)
                .containsExactly("ancestor 10, replaced 11, dropped [a13, a12, a11], added [b12, b11], top 13");
    }

    @Test
    void besideAGapTheLowestBlockThatIsKnownToBeReplacedIsTold() {
        view.restart(List.of(block(10, "a")), "node");
        view.resume(List.of(block(100, "a")), "node", 10, "a10");
        heard.clear();
        view.resume(List.of(block(101, "b")), "node", 10, "a10");
        assertThat(heard).containsExactly("ancestor 10, replaced 99, dropped [a100], added [b101], top 100");
    }

    @Test
    void aBlockThatIsNotKnownCannotHaveStayed() {
        view.restart(List.of(block(10, "a")), "node");
        assertThat(view.resume(List.of(block(100, "a")), "node", 10, "z10")).isFalse();
        assertThat(view.resume(List.of(block(100, "a")), "node", 8, "a8")).isFalse();
        assertThat(view.resume(List.of(new BlockLink(11, "b11", "z10")), "node", 10, "a10"))
                .as("another parent")
                .isFalse();
        assertThat(view.top()).isEqualTo(10);
    }

    @Test
    void blocksThatLeaveAtTheLowerEndAreNotFoundByTheirHash() {
        view.restart(List.of(block(0, "a")), "node");
        for (long number = 1; number <= 1_000; number++) {
            view.attach(List.of(block(number, "a")), "node");
        }
        assertThat(view.find("a700")).as("below the bound").isNull();
        assertThat(view.find("a745")).isNotNull();
    }

    @Test
    void aBlockWhoseParentIsNotTheKnownOneEndsTheLinkToWhatIsBelow() {
        view.restart(List.of(block(5, "a")), "node");
        view.resume(List.of(block(9, "a")), "node", 5, "a5");
        view.extend(block(8, "a"));
        view.extend(new BlockLink(7, "a7", "a6"));
        view.extend(new BlockLink(6, "a6", "z5"));
        assertThat(view.hash(5)).isEqualTo("z5");
        assertThat(view.find("a5")).isNull();
        assertThat(view.hash(4)).isNull();
        assertThat(view.hash(9)).isEqualTo("a9");
    }
}
