package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Questions whether the other nodes of the lowest tier have a new head too, so that calls about it can go to them. Nodes that show
 * blocks are asked for the block, because an answer can only be stored if its node has named the block. Confined to the monitor's
 * event loop.
 */
final class OtherHeads {

    /** Seconds after which a node that lacked the new head is asked again. */
    private static final int[] AGAIN_SECONDS = {1, 3};

    /** Below this block time a node that lacks the new head is soon asked for the next one. */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Longest time until other nodes are asked for an announced head, which they may get moments later. */
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Share of the block time until then. */
    private static final int SOON_SHARE = 40;

    private final HeadFeed feed;
    private final @Nullable NewestBlocks blocks;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final Set<HeadNode> unanswered = new HashSet<>();
    /** The head that each node named last. */
    private final Map<HeadNode, Long> named = new HashMap<>();

    /** @param blocks receives the blocks that nodes show; null if nodes only name their heads */
    OtherHeads(HeadFeed feed, @Nullable NewestBlocks blocks, EventLoop loop) {
        this.feed = feed;
        this.blocks = blocks;
        this.tracker = feed.tracker();
        this.loop = loop;
    }

    /** Notes the newest block that a node has named. */
    void named(HeadNode node, BlockAnswer block) {
        named.put(node, block.number());
    }

    /** Asks the nodes that do not announce the new head either, in a moment. */
    void askSoon(BlockAnswer head) {
        long nanos = Math.min(SOON_NANOS, tracker.blockNanos() / SOON_SHARE);
        loop.schedule(() -> ask(head), nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Asks the nodes that have not named the new head.
     *
     * @param head the block that a node has shown
     */
    void ask(BlockAnswer head) {
        ask(head, 0);
    }

    /** Asks all nodes but the one that has shown the head. They may have named it before. */
    void askAgain(HeadNode node, BlockAnswer head) {
        named.keySet().retainAll(Set.of(node));
        ask(head);
    }

    private void ask(BlockAnswer head, int turn) {
        if (tracker.number() != head.number()) {
            return;
        }
        List<HeadNode> others = feed.preferred().stream()
                .filter(node -> named.getOrDefault(node, -1L) != head.number() && !unanswered.contains(node))
                .toList();
        others.forEach(node -> askOne(node, head));
        if (!others.isEmpty() && turn < AGAIN_SECONDS.length && tracker.blockNanos() > SHORT_NANOS) {
            loop.schedule(() -> ask(head, turn + 1), AGAIN_SECONDS[turn], TimeUnit.SECONDS);
        }
    }

    private void askOne(HeadNode node, BlockAnswer head) {
        HeadFeed.Round round = feed.begin();
        unanswered.add(node);
        if (blocks == null) {
            node.askHead(number -> {
                unanswered.remove(node);
                if (number >= 0) {
                    feed.named(round, node, number);
                    named.put(node, number);
                }
            });
        } else {
            node.askBlock(new BlockSelector.Tag(BlockTag.LATEST), answer -> {
                unanswered.remove(node);
                if (answer.kind() == Kind.SHOWN && feed.shown(round, node, answer)) {
                    named(node, answer);
                    show(node, answer, round, head, blocks);
                }
            });
        }
    }

    private static void show(
            HeadNode node, BlockAnswer answer, HeadFeed.Round round, BlockAnswer head, NewestBlocks blocks) {
        // The next block shows which of two blocks at one height stays. Until then the first one counts.
        boolean same = answer.number() == head.number() && answer.hash().equals(head.hash());
        if (same || answer.number() > head.number()) {
            blocks.shown(node, answer, round.round());
        }
    }
}
