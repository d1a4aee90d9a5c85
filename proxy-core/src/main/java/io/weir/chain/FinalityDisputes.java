package io.weir.chain;

import io.weir.method.params.BlockTag;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Words of nodes about the block with one tag, compared with each other for operators. Confined to one thread.
 *
 * <ul>
 *   <li>A node is disputed if it names a later block than all other nodes, an earlier one than two others, or none where most
 *       of the nodes name one.
 *   <li>Honest nodes follow at different speeds. So a dispute counts only if it lasts: the node that is behind has answered
 *       again after the patience, and has not reached the block that was named first.
 *   <li>Two nodes cannot tell which of them is wrong. Both are disputed, unless one names a block above the head.
 * </ul>
 */
public final class FinalityDisputes {

    private enum Kind {
        NONE,
        HIGH,
        LOW,
        LACKING
    }

    /** Newest word of one node, with its dispute. */
    private static final class Word {
        private long number;
        private long nanos;
        private Kind kind = Kind.NONE;
        /** The block that ends the dispute, once the node that is behind names it. */
        private long target;

        private long sinceNanos;
        private boolean counts;
    }

    /**
     * Words of the other nodes.
     *
     * @param highest number named; -1 if none is
     * @param confirmed the lower of the two highest numbers up to the head, or the only one; -1 if there is none
     * @param nanos when the newest word came
     */
    private record Others(long highest, long confirmed, int naming, int lacking, long nanos) {}

    private final BlockTag tag;
    private final Map<String, Word> words = new LinkedHashMap<>();

    public FinalityDisputes(BlockTag tag) {
        this.tag = tag;
    }

    /**
     * Notes the answer of a node.
     *
     * @param nodeId the node's id in the configuration
     * @param number of the block that it named; -1 if it has none with the tag
     */
    public void answered(String nodeId, long number, long nowNanos) {
        Word word = words.computeIfAbsent(nodeId, none -> new Word());
        word.number = number;
        word.nanos = nowNanos;
    }

    /** Forgets all words, because the chain was set back. */
    public void clear() {
        words.clear();
    }

    /**
     * Compares the words. Called once the answers of one request are noted.
     *
     * @param head the network's head; -1 if none is known
     * @param patienceNanos for how long honest nodes may differ
     * @return by the ids of disputed nodes, why they are
     */
    public Map<String, String> judged(long head, long nowNanos, long patienceNanos) {
        Map<String, String> reasons = new HashMap<>();
        words.forEach((id, word) -> {
            Others others = others(word, head, nowNanos);
            judge(word, others, nowNanos, patienceNanos);
            if (word.counts) {
                reasons.put(id, reason(word, others, head));
            }
        });
        return reasons;
    }

    private Others others(Word own, long head, long nowNanos) {
        long highest = -1;
        long first = -1;
        long second = -1;
        int naming = 0;
        int lacking = 0;
        long age = Long.MAX_VALUE;
        for (Word word : words.values()) {
            if (word == own) {
                continue;
            }
            age = Math.min(age, nowNanos - word.nanos);
            naming += word.number >= 0 ? 1 : 0;
            lacking += word.number < 0 ? 1 : 0;
            highest = Math.max(highest, word.number);
            if (word.number <= head) {
                second = Math.max(second, Math.min(first, word.number));
                first = Math.max(first, word.number);
            }
        }
        return new Others(highest, second >= 0 ? second : first, naming, lacking, nowNanos - age);
    }

    private static void judge(Word word, Others others, long nowNanos, long patienceNanos) {
        Kind kind = kind(word, others);
        long lasted = nowNanos - word.sinceNanos;
        boolean reached = switch (kind) {
            case HIGH -> others.highest() >= word.target;
            case LOW -> word.number >= word.target;
            case NONE, LACKING -> false;
        };
        if (kind != word.kind || reached) {
            // A dispute that has lasted goes on, although the old block is reached at last.
            word.counts = word.counts && kind == word.kind && lasted > patienceNanos;
            word.kind = kind;
            word.target = kind == Kind.HIGH ? word.number : others.confirmed();
            word.sinceNanos = nowNanos;
            return;
        }
        long evidenceNanos = kind == Kind.HIGH ? others.nanos() : word.nanos;
        word.counts |= kind != Kind.NONE && evidenceNanos - word.sinceNanos > patienceNanos;
    }

    private static Kind kind(Word word, Others others) {
        if (word.number < 0) {
            return others.naming() > others.lacking() ? Kind.LACKING : Kind.NONE;
        }
        if (word.number > others.highest() && (others.naming() > 0 || others.lacking() > 1)) {
            return Kind.HIGH;
        }
        return word.number < others.confirmed() ? Kind.LOW : Kind.NONE;
    }

    private String reason(Word word, Others others, long head) {
        String own = "names block " + word.number + " as " + tag.text();
        return switch (word.kind) {
            case HIGH -> own + highReason(word, others, head);
            case LOW -> own + ", while other nodes name " + others.confirmed();
            case NONE, LACKING -> "names no block as " + tag.text() + ", while other nodes name " + others.highest();
        };
    }

    private static String highReason(Word word, Others others, long head) {
        if (head >= 0 && word.number > head) {
            return ", which is above the head " + head;
        }
        return others.naming() == 0
                ? ", while other nodes name none"
                : ", while the highest of the other nodes is " + others.highest();
    }
}
