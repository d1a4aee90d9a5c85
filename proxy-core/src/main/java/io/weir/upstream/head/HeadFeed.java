package io.weir.upstream.head;

import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the tracker what a pool's nodes name as their heads. Those count that calls may be sent to now. Of them the lowest tier
 * raises the head; one of a higher tier, which is asked only where the lower ones fail, must not draw calls by being a block
 * ahead, but all of them must agree before the head goes back. Confined to the monitor's event loop.
 */
public final class HeadFeed {

    private final HeadTracker tracker;
    private final List<? extends HeadNode> nodes;

    /** Begins with what the tracker knows. */
    public HeadFeed(HeadTracker tracker, List<? extends HeadNode> nodes) {
        this.tracker = tracker;
        this.nodes = nodes;
    }

    /** A round under way: which nodes have named their heads in it. */
    public static final class Round {

        private final HeadRound round;
        private final Set<HeadNode> named = new HashSet<>();

        private Round(HeadRound round) {
            this.round = round;
        }

        HeadRound round() {
            return round;
        }

        /** Whether a node has named its head. */
        boolean heard() {
            return !named.isEmpty();
        }
    }

    HeadTracker tracker() {
        return tracker;
    }

    /** The nodes that a call may be sent to. */
    List<HeadNode> ready() {
        return nodes.stream()
                .filter(HeadNode::ready)
                .<HeadNode>map(node -> node)
                .toList();
    }

    /** Those of them that calls go to first. */
    List<HeadNode> preferred() {
        int lowest = lowestTier();
        return nodes.stream()
                .filter(node -> node.ready() && node.tier() == lowest)
                .<HeadNode>map(node -> node)
                .toList();
    }

    /** Begins a round; called before the first node is asked. */
    public Round begin() {
        return new Round(tracker.begin());
    }

    /** Takes the head that a node named in a round. */
    public void named(Round round, HeadNode node, long head) {
        round.named.add(node);
        if (node.ready()) {
            tracker.named(round.round, head, node.tier() == lowestTier());
        }
    }

    /** Takes the head of a node that came back by itself. */
    public void returned(HeadNode node, long head) {
        if (node.ready() && node.tier() == lowestTier()) {
            tracker.raise(head);
        }
    }

    /** Ends a round; one that is dropped instead changes nothing. */
    public Verdict end(Round round) {
        return tracker.end(round.round, round.named.containsAll(ready()));
    }

    private int lowestTier() {
        int lowest = Integer.MAX_VALUE;
        for (HeadNode node : nodes) {
            if (node.ready()) {
                lowest = Math.min(lowest, node.tier());
            }
        }
        return lowest;
    }
}
