package io.weir.upstream.head;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Questions whether the other nodes of the lowest tier have a new head too, so that calls about it can go to them. Confined to the
 * monitor's event loop.
 */
final class OtherHeads {

    /** Seconds after which a node that lacked the new head is asked again. */
    private static final int[] AGAIN_SECONDS = {1, 3};

    /** Below this block time a node that lacks the new head is soon asked for the next one. */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final HeadFeed feed;
    private final HeadTracker tracker;
    private final EventLoop loop;
    private final Set<HeadNode> unanswered = new HashSet<>();

    OtherHeads(HeadFeed feed, EventLoop loop) {
        this.feed = feed;
        this.tracker = feed.tracker();
        this.loop = loop;
    }

    /** Asks all but the node that has shown the new head. */
    void ask(HeadNode shown, long head) {
        ask(shown, head, 0);
    }

    private void ask(HeadNode shown, long head, int turn) {
        if (tracker.number() != head) {
            return;
        }
        List<HeadNode> others = feed.preferred().stream()
                .filter(node -> !node.equals(shown) && node.head() < head && !unanswered.contains(node))
                .toList();
        if (others.isEmpty()) {
            return;
        }
        HeadFeed.Round round = feed.begin();
        for (HeadNode node : others) {
            unanswered.add(node);
            node.askHead(named -> {
                unanswered.remove(node);
                if (named >= 0) {
                    feed.named(round, node, named);
                }
            });
        }
        if (turn < AGAIN_SECONDS.length && tracker.blockNanos() > SHORT_NANOS) {
            loop.schedule(() -> ask(shown, head, turn + 1), AGAIN_SECONDS[turn], TimeUnit.SECONDS);
        }
    }
}
