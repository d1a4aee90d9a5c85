package io.weir.upstream.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BranchesTest {

    private final List<HeadNode> different = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final Map<Long, Set<HeadNode>> agreed = new HashMap<>();
    private final Map<HeadNode, String> tips = new HashMap<>();
    private final Branches branches = new Branches(new Branches.Listener() {
        @Override
        public void differs(HeadNode node) {
            different.add(node);
        }

        @Override
        public void left(HeadNode node, long number, long before) {
            left.add(number + " after " + before);
        }

        @Override
        public void alone(HeadNode node, @Nullable BlockLink tip, boolean passed) {
            tips.put(node, tip == null ? "" : tip.hash() + (passed ? " passed" : ""));
        }

        @Override
        public void agreed(HeadNode node, long number) {
            agreed.computeIfAbsent(number, key -> new HashSet<>()).add(node);
        }
    });
    private final HeadNode first = node();
    private final HeadNode second = node();
    private final HeadNode alone = node();

    /** Returns a node of which nothing but its identity is used. */
    private static HeadNode node() {
        return (HeadNode) Proxy.newProxyInstance(
                HeadNode.class.getClassLoader(),
                new Class<?>[] {HeadNode.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "equals" -> proxy == args[0];
                    case "toString" -> "node " + System.identityHashCode(proxy);
                    default -> System.identityHashCode(proxy);
                });
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
        assertThat(different).containsExactly(alone);
        branches.wentBack(10);
        show(11);
        assertThat(different).hasSize(1);
        show(12);
        assertThat(different).containsExactly(alone, alone);
    }

    @Test
    void aNodeIsAloneOnceAtEachHeightAndOnlyInARow() {
        show(1_000);
        show(1_000);
        assertThat(different).isEmpty();
        branches.shown(alone, block(1_001, "0xa"));
        branches.shown(first, block(1_001, "0xa"));
        show(1_002);
        assertThat(different).isEmpty();
        show(1_003);
        assertThat(different).containsExactly(alone);
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
        assertThat(branches.isAgreed(child(10, "0xa", "0xa"))).isTrue();
        assertThat(branches.isAgreed(child(11, "0xb", "0xb"))).isFalse();
    }

    @Test
    void theBlockOfANodeIsPassedOnceAnotherOneNamesABlockAsHigh() {
        branches.shown(first, child(10, "0xa", "0xa"));
        branches.shown(second, child(9, "0xb", "0xb"));
        assertThat(tips).containsEntry(first, "0xa10").containsEntry(second, "0xb9 passed");
        branches.shown(second, child(10, "0xb", "0xb"));
        assertThat(tips).containsEntry(first, "0xa10 passed").containsEntry(second, "0xb10 passed");
    }

    @Test
    void aBlockAfterAGapLeadsToTheOneBeforeOnceTheBlocksBetweenAreKnown() {
        branches.shown(first, child(10, "0xa", "0xa"));
        assertThat(tips).containsEntry(first, "0xa10");
        branches.shown(first, child(12, "0xa", "0xa"));
        assertThat(tips).containsEntry(first, "0xa10 passed");
        branches.linked(List.of(new BlockLink(11, "0xa11", "0xa10")));
        assertThat(tips).containsEntry(first, "0xa12");
        branches.shown(second, child(12, "0xa", "0xa"));
        assertThat(tips).containsEntry(first, "");
    }
}
