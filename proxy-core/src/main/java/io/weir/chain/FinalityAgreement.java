package io.weir.chain;

import io.weir.method.params.BlockTag;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks with the tags {@code safe} and {@code finalized} on which a network's nodes agree. Thread-safe.
 *
 * <ul>
 *   <li>A block counts if two nodes named it or a later one: the lower of the two highest words.
 *   <li>If only one node ever named a tag, and every other one in reach lacks it, its word counts up to the depth under the head.
 *   <li>If no node ever named a tag, and two lack it, or the only one in reach, the depth replaces it.
 *   <li>An agreed block never goes back, unless all nodes have lost it.
 * </ul>
 */
public final class FinalityAgreement {

    /**
     * Block that a tag stands for. Immutable.
     *
     * @param number -1 if nothing is known
     * @param hash the block's, if two nodes named the same one; else null
     * @param byDepth whether nodes lack the tag and none ever named it, so that the depth replaces it
     */
    public record Agreed(long number, @Nullable String hash, boolean byDepth) {

        /** Returns whether a block or the depth replaces the tag. */
        public boolean isKnown() {
            return number >= 0 || byDepth;
        }
    }

    private record Word(long number, String hash) {}

    /** State of one tag. Guarded by the agreement. */
    private static final class Tagged {
        private final Map<String, Word> words = new HashMap<>();
        private final Set<String> lacking = new HashSet<>();
        private boolean named;
        private boolean byDepth;
        private long agreed = -1;
        private @Nullable String hash;
    }

    private final long depth;
    private final Map<BlockTag, Tagged> tags = new EnumMap<>(BlockTag.class);

    /**
     * Creates an agreement without any word.
     *
     * @param depth blocks behind the head at which one counts as final
     */
    public FinalityAgreement(long depth) {
        this.depth = depth;
        for (BlockTag tag : BlockTag.values()) {
            tags.put(tag, new Tagged());
        }
    }

    /**
     * Notes the block that a node named.
     *
     * @param nodeId the node's id in the configuration
     */
    public synchronized void named(BlockTag tag, String nodeId, long number, String hash) {
        Tagged tagged = of(tag);
        // The words of one node may go back: only its newest one counts.
        tagged.words.put(nodeId, new Word(number, hash));
        tagged.named = true;
        settle(tagged);
    }

    /**
     * Notes that all nodes that can be asked have answered. If one of them is the only one that ever named the tag, its word
     * counts, up to the depth.
     *
     * @param head the network's head; -1 if none is known
     */
    public synchronized void alone(BlockTag tag, long head) {
        Tagged tagged = of(tag);
        if (tagged.words.size() == 1) {
            long word = tagged.words.values().iterator().next().number();
            raise(tagged, Math.min(word, head - depth));
        }
        tagged.byDepth |= !tagged.lacking.isEmpty();
    }

    /**
     * Notes that a node answered that it has no block with the tag. Its earlier words still count.
     *
     * @param nodeId the node's id in the configuration
     */
    public synchronized void lacks(BlockTag tag, String nodeId) {
        Tagged tagged = of(tag);
        tagged.lacking.add(nodeId);
        tagged.byDepth |= tagged.lacking.size() > 1;
    }

    /** Notes that a number was used for a tag, so that no lower one is used later. */
    public synchronized void used(BlockTag tag, long number) {
        raise(of(tag), number);
    }

    private static void raise(Tagged tagged, long number) {
        if (number > tagged.agreed) {
            tagged.agreed = number;
            tagged.hash = null;
        }
    }

    /** Returns the block on which nodes agree. */
    public synchronized Agreed agreed(BlockTag tag) {
        Tagged tagged = of(tag);
        return new Agreed(tagged.agreed, tagged.hash, !tagged.named && tagged.byDepth);
    }

    /** Forgets blocks above the head, because the chain was set back. */
    public synchronized void wentBack(long head) {
        for (Tagged tagged : tags.values()) {
            tagged.words.values().removeIf(word -> word.number() > head);
            if (tagged.agreed > head) {
                tagged.agreed = -1;
                tagged.hash = null;
            }
        }
    }

    private static void settle(Tagged tagged) {
        Word first = null;
        Word second = null;
        for (Word word : tagged.words.values()) {
            if (first == null || word.number() > first.number()) {
                second = first;
                first = word;
            } else if (second == null || word.number() > second.number()) {
                second = word;
            }
        }
        if (second != null) {
            raise(tagged, second.number());
            if (second.number() == tagged.agreed && second.equals(first)) {
                tagged.hash = second.hash();
            }
        }
    }

    private Tagged of(BlockTag tag) {
        return Objects.requireNonNull(tags.get(tag));
    }
}
