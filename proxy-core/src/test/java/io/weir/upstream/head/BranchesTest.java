package io.weir.upstream.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.upstream.head.Witness.BlockAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BranchesTest {

    private final List<String> left = new ArrayList<>();
    private final Map<Long, Set<Witness>> agreed = new HashMap<>();
    private final Witness first = new StillWitness();
    private final Witness second = new StillWitness();
    private final Witness alone = new StillWitness();
    private final Branches branches = new Branches(List.of(first, second, alone), new Branches.Listener() {
        @Override
        public void left(Witness node, long number, long before) {
            left.add(number + " after " + before);
        }

        @Override
        public void agreed(Witness node, long number) {
            agreed.computeIfAbsent(number, key -> new HashSet<>()).add(node);
        }
    });

    private static String tip(Witness witness) {
        Witness.Tip tip = witness.tip();
        return tip == null ? "" : tip.block().hash() + (tip.passed() ? " passed" : "");
    }

    private void show(long number) {
        branches.shown(first, block(number, "0xa"));
        branches.shown(second, block(number, "0xa"));
        branches.shown(alone, block(number, "0xb"));
    }

    private static BlockAnswer block(long number, String branch) {
        return new BlockAnswer(BlockAnswer.Kind.SHOWN, number, branch + number, "", 0, null);
    }

    @Test
    void aNodeWithABranchOfItsOwnIsFoundAfterTheChainWentBackByMoreHeightsThanAreRemembered() {
        show(1_000);
        show(1_001);
        assertThat(alone.mustShow()).isTrue();
        alone.doubt(false);
        branches.wentBack(1_001, 10);
        show(11);
        assertThat(alone.mustShow()).isFalse();
        show(12);
        assertThat(alone.mustShow()).isTrue();
        assertThat(first.mustShow() || second.mustShow()).isFalse();
    }

    @Test
    void aNodeIsAloneOnceAtEachHeightAndOnlyInARow() {
        show(1_000);
        show(1_000);
        assertThat(alone.mustShow()).isFalse();
        branches.shown(alone, block(1_001, "0xa"));
        branches.shown(first, block(1_001, "0xa"));
        show(1_002);
        assertThat(alone.mustShow()).isFalse();
        show(1_003);
        assertThat(alone.mustShow()).isTrue();
    }

    private static BlockAnswer child(long number, String branch, String parent) {
        return new BlockAnswer(BlockAnswer.Kind.SHOWN, number, branch + number, parent + (number - 1), 0, null);
    }

    @Test
    void aNodeLeavesABlockOfItsOwnWithTheParentOfTheNextOne() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(first, child(11, "0xb", "0xa"));
        assertThat(left).isEmpty();
        branches.shown(first, child(12, "0xc", "0xa"));
        assertThat(left).containsExactly("11 after 10");
    }

    @Test
    void aNodeDoesNotLeaveABlockThatAnotherOneNamed() {
        branches.shown(first, child(11, "0xb", "0xa"));
        branches.shown(second, child(11, "0xb", "0xa"));
        branches.shown(first, child(12, "0xc", "0xa"));
        assertThat(left).isEmpty();
    }

    @Test
    void nodesThatNameABlockAgreeOnItAndOnItsAncestors() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(first, child(11, "0xa", "0xa"));
        branches.shown(alone, child(11, "0xb", "0xb"));
        assertThat(agreed).isEmpty();
        branches.shown(second, child(11, "0xa", "0xa"));
        assertThat(agreed)
                .containsOnly(
                        Map.entry(9L, Set.of(first, second)),
                        Map.entry(10L, Set.of(first, second)),
                        Map.entry(11L, Set.of(first, second)));
        assertThat(branches.isAgreed(10, "0xa10")).isTrue();
        assertThat(branches.isAgreed(11, "0xb11")).isFalse();
    }

    @Test
    void theBlockOfANodeIsPassedOnceAnotherOneNamesABlockAsHigh() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(second, child(9, "0xb", "0xb"));
        assertThat(tip(first)).isEqualTo("0xa10");
        assertThat(tip(second)).isEqualTo("0xb9 passed");
        branches.shown(second, child(10, "0xb", "0xb"));
        assertThat(tip(first)).isEqualTo("0xa10 passed");
        assertThat(tip(second)).isEqualTo("0xb10 passed");
    }

    @Test
    void aBlockAfterAGapLeadsToTheOneBeforeOnceTheBlocksBetweenAreKnown() {
        branches.shown(first, child(10, "0xa", "0xa"));
        assertThat(tip(first)).isEqualTo("0xa10");
        branches.shown(first, child(12, "0xa", "0xa"));
        assertThat(tip(first)).isEqualTo("0xa10 passed");
        branches.linked(List.of(new BlockLink(11, "0xa11", "0xa10")));
        assertThat(tip(first)).isEqualTo("0xa12");
        branches.shown(second, child(12, "0xa", "0xa"));
        assertThat(tip(first)).isEqualTo("");
    }

    @Test
    void blocksThatNoNodeNamedAreForgottenOnceTheirHeightHasManyAndOthersStay() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(second, child(10, "0xa", "0xa"));
        branches.shown(first, child(11, "0xa", "0xa"));
        branches.linked(List.of(new BlockLink(12, "0xa12", "0xa11")));
        for (int i = 0; i < 300; i++) {
            branches.linked(List.of(new BlockLink(10, "0xc" + i, "0xa9"), new BlockLink(12, "0xc" + i, "0xa11")));
        }
        branches.shown(first, child(13, "0xa", "0xa"));
        assertThat(tip(first)).as("nothing leads to the higher block").isEqualTo("0xa11 passed");
        assertThat(branches.isAgreed(10, "0xa10")).isTrue();
    }

    @Test
    void afterTheChainWentBackNoNodeMustShowThatItsBlocksLeadToAHigherOne() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(second, child(10, "0xb", "0xb"));
        assertThat(tip(first)).isEqualTo("0xa10 passed");
        branches.wentBack(10, 5);
        assertThat(tip(first)).isEmpty();
    }
}
