package io.weir.subscription.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a client learns from a stream; it checks that the order is right. Confined to one thread. */
final class ClientView implements ChainStream.Listener {

    private final Deque<BlockLink> chain = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();

    @Override
    public void added(StreamBlock block) {
        BlockLink last = chain.peekLast();
        if (last != null) {
            assertThat(block.link().parentHash())
                    .as("%s after %s", block.link(), last)
                    .isEqualTo(last.hash());
        }
        chain.addLast(block.link());
        events.add("+" + block.link().number());
    }

    @Override
    public void removed(BlockLink block) {
        if (!chain.isEmpty()) {
            assertThat(chain.removeLast()).isEqualTo(block);
        }
        events.add("-" + block.number());
    }

    @Override
    public void lost(String reason, BlockLink newest) {
        chain.clear();
        losses.add(reason);
    }

    List<String> events() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    List<String> losses() {
        return losses;
    }

    BlockLink top() {
        return chain.getLast();
    }

    boolean isEmpty() {
        return chain.isEmpty();
    }
}
