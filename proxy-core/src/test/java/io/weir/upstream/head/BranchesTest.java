package io.weir.upstream.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BranchesTest {

    private final List<HeadNode> different = new ArrayList<>();
    private final Branches branches = new Branches(new Branches.Listener() {
        @Override
        public void differs(HeadNode node) {
            different.add(node);
        }

        @Override
        public void left(HeadNode node, long number) {}

        @Override
        public void agreed(HeadNode node, long number) {}
    });
    private final HeadNode first = node();
    private final HeadNode second = node();
    private final HeadNode alone = node();

    /** Returns a node of which nothing but its identity is used. */
    private static HeadNode node() {
        return (HeadNode) Proxy.newProxyInstance(
                HeadNode.class.getClassLoader(),
                new Class<?>[] {HeadNode.class},
                (proxy, method, args) -> method.getName().equals("equals")
                        ? (Object) (proxy == args[0])
                        : (Object) System.identityHashCode(proxy));
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
}
