package io.weir.upstream.head;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Choice of the node that is polled: the same one while it shows new blocks. A node that owes an answer is not chosen. Confined
 * to the monitor's event loop.
 */
final class PollSource {

    private final HeadFeed feed;
    private final Set<HeadNode> unanswered = new HashSet<>();
    private @Nullable HeadNode node;

    PollSource(HeadFeed feed) {
        this.feed = feed;
    }

    /** Returns the node to ask; null if there is none. */
    @Nullable
    HeadNode get() {
        List<HeadNode> preferred = feed.sources();
        HeadNode known = node;
        if (known == null || !preferred.contains(known) || unanswered.contains(known)) {
            node = preferred.stream()
                    .filter(one -> !unanswered.contains(one))
                    .findFirst()
                    .orElse(null);
        }
        return node;
    }

    /** Chooses the next node from now on: another one may be ahead of the asked one. */
    void rotate(HeadNode asked) {
        List<HeadNode> preferred = feed.sources();
        int index = preferred.indexOf(asked);
        if (index >= 0) {
            node = preferred.get((index + 1) % preferred.size());
        }
    }

    /** Chooses the node that showed a block first. */
    void prefer(HeadNode ahead) {
        if (feed.sources().contains(ahead)) {
            node = ahead;
        }
    }

    /** Chooses another node than one that announces its blocks: a poll is to find what that one missed. */
    void leave(HeadNode announcing) {
        if (announcing.equals(get())) {
            rotate(announcing);
        }
    }

    /** Notes that a node is asked. */
    void began(HeadNode asked) {
        unanswered.add(asked);
    }

    /** Notes that a node has answered. */
    void answered(HeadNode asked) {
        unanswered.remove(asked);
    }
}
