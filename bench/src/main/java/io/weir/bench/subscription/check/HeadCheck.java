package io.weir.bench.subscription.check;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.KnownChain;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Check of a {@code newHeads} subscription, or of a filter of blocks, which tells their hashes. Confined to one thread.
 *
 * <p>A client follows the heads: {@link #branch} holds the blocks on the branch of the last one. The next head extends it, or its
 * parent is a block of the branch, and the blocks above this parent are dropped. Each other head is a violation.
 */
public final class HeadCheck implements Check {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_BRANCH = 512;
    private static final int MAX_LEFT = 2048;

    private final KnownChain chain;
    private final int startEvent;
    private final LinkedHashMap<String, Block> branch = new LinkedHashMap<>();
    private final Map<String, Block> left = new LinkedHashMap<>();
    private @Nullable Block last;
    private long heads;
    private long reorganisations;
    private int deepest;

    /**
     * Creates a check without heads.
     *
     * @param startEvent the event of the chain up to which blocks need not be told, because they may have been there before the
     *     subscription
     */
    public HeadCheck(KnownChain chain, int startEvent) {
        this.chain = chain;
        this.startEvent = startEvent;
    }

    @Override
    public void told(JsonNode result) throws Violation {
        boolean isHash = result.isString();
        Block block =
                chain.find(isHash ? result.asString() : result.path("hash").asString(""));
        if (block == null) {
            throw new Violation("newHeads: " + result + " (expected: a block of the chain)");
        }
        if (!isHash && !result.equals(JSON.readTree(block.head()))) {
            throw new Violation("newHeads: " + result + " (expected: " + block.head() + ")");
        }
        follow(block);
        heads++;
    }

    private void follow(Block block) throws Violation {
        Block before = last;
        if (branch.containsKey(block.hash())) {
            throw new Violation(
                    "duplicate: head " + block + " after " + before + " (expected: each block once on its branch)");
        }
        Block parent = block.parent();
        if (before != null && parent != null && !parent.equals(before)) {
            if (branch.containsKey(parent.hash())) {
                drop(parent);
            } else {
                beforeTheStart(block, before);
            }
        }
        left.remove(block.hash());
        branch.put(block.hash(), block);
        if (branch.size() > MAX_BRANCH) {
            remove(branch, branch.keySet().iterator().next());
        }
        last = block;
    }

    private void drop(Block parent) {
        Block top = last;
        int depth = 0;
        while (top != null && !top.equals(parent)) {
            remove(branch, top.hash());
            left.put(top.hash(), top);
            top = top.parent();
            depth++;
        }
        while (left.size() > MAX_LEFT) {
            remove(left, left.keySet().iterator().next());
        }
        reorganisations++;
        deepest = Math.max(deepest, depth);
    }

    private static void remove(Map<String, Block> blocks, String hash) {
        blocks.remove(hash);
    }

    /** Accepts a reorganisation that drops all blocks since the start of the subscription. */
    private void beforeTheStart(Block block, Block before) throws Violation {
        Block parent = block.parent();
        Block oldest = branch.values().iterator().next();
        if (parent != null && branch.size() < MAX_BRANCH && oldest.descendsFrom(parent)) {
            branch.values().forEach(dropped -> left.put(dropped.hash(), dropped));
            branch.clear();
            reorganisations++;
            return;
        }
        String what = parent != null && left.containsKey(parent.hash())
                ? "wrong order: the parent of head %s was told, but it is on a branch that was left"
                : "gap: the parent of head %s was not told";
        throw new Violation(what.formatted(block) + " (the head before is " + before + ")");
    }

    @Override
    public void end(Block head) throws Violation {
        boolean needNotBeTold = last == null && head.event() <= startEvent;
        if (!head.equals(last) && !needNotBeTold) {
            throw new Violation("missing at the end: the last head is " + last + " (expected: " + head + ")");
        }
    }

    /** Returns how many heads were told. */
    public long heads() {
        return heads;
    }

    /** Returns how many reorganisations were told. */
    public long reorganisations() {
        return reorganisations;
    }

    /** Returns how many blocks the deepest reorganisation dropped. */
    public int deepest() {
        return deepest;
    }
}
