package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.upstream.head.BlockAnswer.Kind;
import java.util.HashSet;
import java.util.List;
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
    /** Nodes that have named the newest head. */
    private final Set<HeadNode> named = new HashSet<>();

    /** @param blocks receives the blocks that nodes show; null if nodes only name their heads */
    OtherHeads(HeadFeed feed, @Nullable NewestBlocks blocks, EventLoop loop) {
        this.feed = feed;
        this.blocks = blocks;
        this.tracker = feed.tracker();
        this.loop = loop;
    }

    /** Asks all but the node that has announced the new head, in a moment. */
    void askSoon(HeadNode announcing, BlockAnswer head) {
        long nanos = Math.min(SOON_NANOS, tracker.blockNanos() / SOON_SHARE);
        loop.schedule(() -> ask(announcing, head), nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Asks all but the node that has shown the new head.
     *
     * @param head the block that it has shown
     */
    void ask(HeadNode shown, BlockAnswer head) {
        if (tracker.number() == head.number()) {
            named.clear();
            named.add(shown);
            ask(head, 0);
        }
    }

    private void ask(BlockAnswer head, int turn) {
        if (tracker.number() != head.number()) {
            return;
        }
        List<HeadNode> others = feed.preferred().stream()
                .filter(node -> !named.contains(node) && !unanswered.contains(node))
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
                    noteNamed(node, number, head);
                }
            });
        } else {
            node.askBlock(ChainCalls.blockByTag(BlockTag.LATEST), answer -> {
                unanswered.remove(node);
                if (answer.kind() == Kind.SHOWN && feed.shown(round, node, answer.number())) {
                    noteNamed(node, answer.number(), head);
                    show(node, answer, round, head, blocks);
                }
            });
        }
    }

    private void noteNamed(HeadNode node, long number, BlockAnswer head) {
        if (number >= head.number() && tracker.number() == head.number()) {
            named.add(node);
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
