package io.weir.bench.subscription;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.node.ForkingNode;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random growth of a chain: blocks, several at once, reorganisations, and returns to a dropped branch. Confined to one thread. */
final class Growth {

    private static final int MAX_DEPTH = 32;

    private final ForkingChain chain;
    private final List<ForkingNode> nodes;
    private final RandomGenerator random;
    private final Journal journal;
    private @Nullable Block dropped;
    private int reorganisations;
    private int deepest;

    Growth(ForkingChain chain, List<ForkingNode> nodes, RandomGenerator random, Journal journal) {
        this.chain = chain;
        this.nodes = nodes;
        this.random = random;
        this.journal = journal;
    }

    /** Returns how many reorganisations there were. */
    int reorganisations() {
        return reorganisations;
    }

    /** Returns how many blocks the deepest reorganisation dropped. */
    int deepest() {
        return deepest;
    }

    /** Adds to the chain, and lets the nodes announce it. */
    void step() {
        int chance = random.nextInt(100);
        if (chance < 8) {
            reorganise();
        } else if (chance < 10) {
            goBack();
        } else {
            chain.extend(chance < 15 ? 1 + random.nextInt(4) : 1);
        }
        nodes.forEach(ForkingNode::follow);
        if (random.nextInt(50) == 0) {
            // A node that repeats an earlier announcement.
            nodes.get(random.nextInt(nodes.size())).announce(chain.earlier(random.nextInt(3)));
        }
    }

    private void reorganise() {
        int depth = 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_DEPTH : 4);
        // Mostly a longer branch, at times one of equal length, seldom a shorter one.
        int more = random.nextInt(10);
        int count = Math.max(1, depth + (more < 7 ? 1 : more < 9 ? 0 : -1));
        dropped = chain.head();
        Block head = chain.reorganise(depth, count);
        noted(depth, head);
    }

    /** Makes the branch canonical again that the last reorganisation dropped, if both are still short. */
    private void goBack() {
        Block tip = dropped;
        Block head = chain.head();
        long behind = tip == null ? MAX_DEPTH : head.number() - tip.number();
        if (tip == null || head.descendsFrom(tip) || behind > 4 || depth(head, tip) > MAX_DEPTH) {
            chain.extend(1);
            return;
        }
        dropped = head;
        int depth = depth(head, tip);
        noted(depth, chain.returnTo(tip, (int) Math.max(1, behind + 1)));
    }

    private static int depth(Block head, Block tip) {
        int depth = 0;
        Block at = head;
        while (at != null && !tip.descendsFrom(at) && depth <= MAX_DEPTH) {
            at = at.parent();
            depth++;
        }
        return depth;
    }

    private void noted(int depth, Block head) {
        reorganisations++;
        deepest = Math.max(deepest, depth);
        journal.note("reorganisation: " + depth + " blocks are dropped, the head is " + head);
    }
}
