package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamSource;
import io.weir.upstream.NetworkHead;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Heads of a plugin's kind of network: the block at the height to which calls are held. Another block at or below the last head
 * counts only once no node has that one any more, because two nodes may disagree for a while. Confined to the event loop of the
 * stream.
 */
final class NamedHeads implements ChainFollower.Heads {

    private final EventLoop loop;
    private final NetworkHead head;
    private final StreamSource blocks;
    private @Nullable BlockLink last;

    NamedHeads(EventLoop loop, NetworkHead head, StreamSource blocks) {
        this.loop = loop;
        this.head = head;
        this.blocks = blocks;
    }

    @Override
    public void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
        head.whenFresh(loop, deadlineNanos, number -> {
            if (number < 0) {
                found.accept(null);
            } else {
                blocks.fetchAt(number, block -> compare(block, found));
            }
        });
    }

    private void compare(@Nullable StreamBlock block, Consumer<@Nullable BlockLink> found) {
        BlockLink before = last;
        BlockLink link = block == null ? null : block.link();
        if (link == null || before == null || link.number() > before.number() || link.equals(before)) {
            take(link, found);
            return;
        }
        blocks.fetch(before.hash(), before.number(), known -> {
            if (known == null) {
                take(link, found);
            } else {
                found.accept(before);
            }
        });
    }

    private void take(@Nullable BlockLink link, Consumer<@Nullable BlockLink> found) {
        last = link == null ? last : link;
        found.accept(link);
    }

    @Override
    public void forget() {
        last = null;
    }
}
