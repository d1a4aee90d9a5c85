package io.weir.upstream.head;

import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Forwards the heads that a pool's nodes name to the tracker. Only nodes that may receive calls now count. The lowest tier
 * among them raises the head. A higher tier is asked only if the lower ones fail, so it must not attract calls by being a
 * block ahead. All nodes must agree before the head goes back. Confined to the monitor's event loop.
 */
public final class HeadFeed {

    private final HeadTracker tracker;
    private final List<? extends HeadNode> nodes;

    /** Creates a feed that starts with the tracker's head. */
    public HeadFeed(HeadTracker tracker, List<? extends HeadNode> nodes) {
        this.tracker = tracker;
        this.nodes = nodes;
    }

    /** Round in progress, with the nodes that have named their heads in it. Confined to the monitor's event loop. */
    public static final class Round {

        private final HeadRound round;
        private final Set<HeadNode> named = new HashSet<>();

        private Round(HeadRound round) {
            this.round = round;
        }

        HeadRound round() {
            return round;
        }

        /** Returns whether a node has named its head. */
        boolean hasAnswers() {
            return !named.isEmpty();
        }
    }

    HeadTracker tracker() {
        return tracker;
    }

    /** Returns the nodes that may receive a call. */
    List<HeadNode> ready() {
        return nodes.stream()
                .filter(HeadNode::ready)
                .<HeadNode>map(node -> node)
                .toList();
    }

    /** Returns the nodes of the lowest tier that may receive a call. */
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

    /** Notes the head that a node named in a round. */
    public void named(Round round, HeadNode node, long head) {
        round.named.add(node);
        if (node.ready()) {
            tracker.named(round.round, head, node.tier() == lowestTier());
        }
    }

    /** Notes the head of a node that became healthy outside a round. */
    public void returned(HeadNode node, long head) {
        if (node.ready() && node.tier() == lowestTier()) {
            tracker.raise(head);
        }
    }

    /** Ends a round. A round that is never ended changes nothing. */
    public RoundResult end(Round round) {
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
