package io.weir.chain;

import io.weir.method.params.BlockTag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rules about the blocks that nodes call {@code safe} or {@code finalized}. Pure: each event makes new words from the known ones.
 *
 * <ul>
 *   <li>A block counts if two nodes named it or a later one: the lower of the two highest words. Of a network of one node its
 *       word counts.
 *   <li>If only one of several nodes ever named a tag, and every other one in reach lacks it, its word counts up to the depth
 *       under the head.
 *   <li>If no node ever named a tag, and as many lack it as must name it, or the only one in reach, the depth replaces it.
 *   <li>An agreed block never goes back, unless the chain was set back below it.
 *   <li>A word for the head or above says nothing about results: development nodes call the head final, and then roll it back.
 *       If two call the present head final, the depth replaces their words. An old word for the head counts for neither.
 *   <li>A node is disputed if it names a later block than all other nodes, an earlier one than two others, or none where most
 *       of the nodes name one. Honest nodes follow at different speeds, so a dispute counts only if it lasts. That is so once the
 *       node that is behind has answered again after the patience, and has not reached the block that was named first. Two nodes cannot tell
 *       which of them is wrong. Both are disputed, unless one names a block above the head.
 * </ul>
 */
final class FinalityRules {

    private static final long UNHEARD = -2;

    private FinalityRules() {}

    enum Kind {
        NONE,
        HIGH,
        LOW,
        LACKING
    }

    /**
     * Dispute about the newest answer of a node. Immutable.
     *
     * @param target the block that ends the dispute, once the node that is behind names it
     * @param counts whether it has lasted
     */
    record Dispute(Kind kind, long target, long sinceNanos, boolean counts) {

        static final Dispute NONE = new Dispute(Kind.NONE, 0, 0, false);
    }

    /**
     * Words of one node about a tag. Immutable.
     *
     * @param number of the block that it named last; -1 if there is none
     * @param atHead whether that was the head, or a block above it
     * @param lacked whether it ever answered that it has no such block
     * @param answer its newest answer: a number, or -1 if it has no such block
     * @param nanos when that came
     */
    record Word(long number, String hash, boolean atHead, boolean lacked, long answer, long nanos, Dispute dispute) {

        private static final Word NONE = new Word(-1, "", false, false, UNHEARD, 0, Dispute.NONE);

        private Word named(long block, String itsHash, boolean isAtHead, long now) {
            return new Word(block, itsHash, isAtHead, lacked, block, now, dispute);
        }

        private Word lacking(long now) {
            return new Word(number, hash, atHead, true, -1, now, dispute);
        }

        private Word upTo(long head) {
            boolean stays = number <= head;
            boolean isAtHead = stays && (atHead || number == head);
            return new Word(stays ? number : -1, hash, isAtHead, lacked, UNHEARD, 0, Dispute.NONE);
        }

        private Word disputed(Dispute now) {
            return new Word(number, hash, atHead, lacked, answer, nanos, now);
        }
    }

    /** @param hash the block's, if as many nodes named the same one as must agree; else null */
    record Decided(long number, @Nullable String hash, boolean atHead) {}

    /**
     * Words of all nodes about one tag. Immutable.
     *
     * @param needed nodes that must agree: two, or the only one
     * @param named whether a node ever named a block
     * @param lacking whether enough nodes lack the tag that the depth replaces it, unless one ever named it
     * @param decided by the present words; null if nothing is
     * @param agreed the highest block that was ever decided or used; -1 if there is none
     */
    record Words(
            int needed,
            Map<String, Word> nodes,
            boolean named,
            boolean lacking,
            @Nullable Decided decided,
            long agreed) {

        /** Returns no words about a network of so many nodes. */
        static Words none(int nodes) {
            return new Words(Math.min(2, nodes), Map.of(), false, false, null, -1);
        }

        boolean isByDepth() {
            return !named && lacking;
        }

        /** Notes the block that a node named. Only the newest word of a node counts, which may be lower than the one before. */
        Words named(String nodeId, long number, String itsHash, long head, long nanos) {
            boolean atHead = head >= 0 && number >= head;
            Words now = with(nodeId, word -> word.named(number, itsHash, atHead, nanos));
            return new Words(needed, now.nodes, true, lacking, null, agreed).decide();
        }

        /** Notes that a node has no block with the tag. Its earlier words still count. */
        Words lacks(String nodeId, long nanos) {
            Words now = with(nodeId, word -> word.lacking(nanos));
            boolean enough = now.nodes.values().stream().filter(Word::lacked).count() >= needed;
            return new Words(needed, now.nodes, named, lacking || enough, decided, agreed);
        }

        /** Notes that all nodes in reach have answered, so that the only one that ever named the tag is alone. */
        Words alone(long head, long depth) {
            List<Word> words = naming();
            boolean anyLacks = nodes.values().stream().anyMatch(Word::lacked);
            Words now = new Words(needed, nodes, named, lacking || anyLacks, decided, agreed);
            long bounded = words.size() == 1 ? Math.min(words.get(0).number(), head - depth) : -1;
            Decided decides = new Decided(bounded, null, bounded >= head);
            return needed == 1 || bounded < 0 ? now : now.decided(decides);
        }

        /** Notes that a number was used for the tag, so that no lower one is used later. */
        Words used(long number) {
            return number > agreed ? new Words(needed, nodes, named, lacking, decided, number) : this;
        }

        /** Forgets blocks above the head, because the chain was set back. */
        Words wentBack(long head) {
            Map<String, Word> left = new HashMap<>();
            nodes.forEach((id, word) -> left.put(id, word.upTo(head)));
            Decided stays = decided != null && decided.number() < head ? decided : null;
            return new Words(needed, Map.copyOf(left), named, lacking, stays, agreed > head ? -1 : agreed);
        }

        /** Forgets what the present words decided, until a node names a block again. */
        Words undecided() {
            return new Words(needed, nodes, named, lacking, null, agreed);
        }

        private Words with(String nodeId, UnaryOperator<Word> change) {
            Map<String, Word> all = new HashMap<>(nodes);
            all.put(nodeId, change.apply(all.getOrDefault(nodeId, Word.NONE)));
            return new Words(needed, Map.copyOf(all), named, lacking, decided, agreed);
        }

        private List<Word> naming() {
            List<Word> words = new ArrayList<>(nodes.values());
            words.removeIf(word -> word.number() < 0);
            words.sort(Comparator.comparingLong(Word::number).reversed().thenComparing(Word::atHead));
            return words;
        }

        private Words decide() {
            List<Word> words = naming();
            if (words.size() < needed) {
                return this;
            }
            Word deciding = words.get(needed - 1);
            String hash = common(words, deciding.number());
            return decided(new Decided(deciding.number(), hash, deciding.atHead()));
        }

        private Words decided(Decided now) {
            return new Words(needed, nodes, named, lacking, now, Math.max(agreed, now.number()));
        }

        /** Returns the only hash that enough nodes named at a height; null if there is none, or more than one. */
        private @Nullable String common(List<Word> words, long number) {
            Map<String, Integer> votes = new HashMap<>();
            words.stream()
                    .filter(word -> word.number() == number)
                    .forEach(word -> votes.merge(word.hash(), 1, Integer::sum));
            votes.remove("");
            votes.values().removeIf(count -> count < needed);
            return votes.size() == 1 ? votes.keySet().iterator().next() : null;
        }

        /**
         * Compares the newest answers. Called once the answers of one request are noted.
         *
         * @param head the network's head; -1 if none is known
         * @param patienceNanos for how long honest nodes may differ
         */
        Words compared(long head, long nowNanos, long patienceNanos) {
            Map<String, Word> all = new HashMap<>();
            nodes.forEach((id, word) -> all.put(
                    id,
                    word.answer() == UNHEARD
                            ? word
                            : word.disputed(judged(word, Others.of(this, id, head), nowNanos, patienceNanos))));
            return new Words(needed, Map.copyOf(all), named, lacking, decided, agreed);
        }

        Map<String, String> reasons(BlockTag tag, long head) {
            Map<String, String> reasons = new HashMap<>();
            nodes.forEach((id, word) -> {
                if (word.dispute().counts()) {
                    reasons.put(id, reason(tag, word, Others.of(this, id, head), head));
                }
            });
            return reasons;
        }
    }

    /**
     * Newest answers of the other nodes.
     *
     * @param highest number named; -1 if none is
     * @param confirmed the lower of the two highest numbers up to the head, or the only one; -1 if there is none
     * @param nanos when the newest answer came
     */
    private record Others(long highest, long confirmed, int naming, int lacking, long nanos) {

        static Others of(Words words, String nodeId, long head) {
            long highest = -1;
            long first = -1;
            long second = -1;
            int naming = 0;
            int heard = 0;
            long nanos = 0;
            for (Map.Entry<String, Word> each : words.nodes().entrySet()) {
                Word word = each.getValue();
                if (each.getKey().equals(nodeId) || word.answer() == UNHEARD) {
                    continue;
                }
                nanos = heard == 0 || word.nanos() - nanos > 0 ? word.nanos() : nanos;
                heard++;
                naming += word.answer() >= 0 ? 1 : 0;
                highest = Math.max(highest, word.answer());
                if (word.answer() <= head) {
                    second = Math.max(second, Math.min(first, word.answer()));
                    first = Math.max(first, word.answer());
                }
            }
            return new Others(highest, second >= 0 ? second : first, naming, heard - naming, nanos);
        }
    }

    private static Dispute judged(Word word, Others others, long nowNanos, long patienceNanos) {
        Dispute before = word.dispute();
        Kind kind = kind(word, others);
        boolean reached = switch (kind) {
            case HIGH -> others.highest() >= before.target();
            case LOW -> word.answer() >= before.target();
            case NONE, LACKING -> false;
        };
        if (kind != before.kind() || reached) {
            // A dispute that has lasted goes on, although the old block is reached at last.
            boolean lasted = nowNanos - before.sinceNanos() > patienceNanos;
            long target = kind == Kind.HIGH ? word.answer() : others.confirmed();
            return new Dispute(kind, target, nowNanos, before.counts() && kind == before.kind() && lasted);
        }
        long evidenceNanos = kind == Kind.HIGH ? others.nanos() : word.nanos();
        boolean lasts = kind != Kind.NONE && evidenceNanos - before.sinceNanos() > patienceNanos;
        return new Dispute(kind, before.target(), before.sinceNanos(), before.counts() || lasts);
    }

    private static Kind kind(Word word, Others others) {
        if (word.answer() < 0) {
            return others.naming() > others.lacking() ? Kind.LACKING : Kind.NONE;
        }
        if (word.answer() > others.highest() && (others.naming() > 0 || others.lacking() > 1)) {
            return Kind.HIGH;
        }
        return word.answer() < others.confirmed() ? Kind.LOW : Kind.NONE;
    }

    private static String reason(BlockTag tag, Word word, Others others, long head) {
        String own = "names block " + word.answer() + " as " + tag.text();
        return switch (word.dispute().kind()) {
            case HIGH -> own + highReason(word, others, head);
            case LOW -> own + ", while other nodes name " + others.confirmed();
            case NONE, LACKING -> "names no block as " + tag.text() + ", while other nodes name " + others.highest();
        };
    }

    private static String highReason(Word word, Others others, long head) {
        if (head >= 0 && word.answer() > head) {
            return ", which is above the head " + head;
        }
        return others.naming() == 0
                ? ", while other nodes name none"
                : ", while the highest of the other nodes is " + others.highest();
    }
}
