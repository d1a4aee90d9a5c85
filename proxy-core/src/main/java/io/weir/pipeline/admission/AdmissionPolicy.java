package io.weir.pipeline.admission;

import io.weir.cache.CacheMeters.Keeping;
import io.weir.method.CacheClass;
import org.jspecify.annotations.Nullable;

/**
 * The table of what is stored. Pure: the same facts always give the same decision.
 *
 * <pre>
 * answer                    its block            stored
 * names its block           final, canonical     until evicted
 *                           final, unknown       until evicted, if the call names its hash; of one upstream always
 *                           canonical            while canonical, unless the call requires a canonical block
 * says that its block is    final, canonical     until evicted
 * final                     final, unknown       until evicted, unless the call names its height; of one upstream always
 * does not; by height       final                until evicted
 *                           canonical            while canonical; no logs and traces
 * does not; by hash         final, canonical     until evicted
 *                           canonical            while canonical; no logs and traces, and not if the call requires a canonical block
 * of the head               as by height         under the number of the head
 * an uncle                  as above             of one upstream only
 * anything else                                  never
 * </pre>
 *
 * {@link io.weir.answer.Policy} says what is proven before. Receipts need their block, which must be stored. A part of it, such as one
 * receipt, is not stored alone: it is cut out of stored blocks and receipts.
 */
final class AdmissionPolicy {

    private static final Refuse UNFIT = new Refuse(Keeping.UNFIT);
    private static final Refuse UNANCHORED = new Refuse(Keeping.UNANCHORED);
    private static final Refuse UNVERIFIED = new Refuse(Keeping.UNVERIFIED);

    private AdmissionPolicy() {}

    /**
     * The facts that decide whether an answer is stored. Immutable.
     *
     * @param rule of the call's method
     * @param selector how the call names its block
     * @param content what the answer says
     * @param unanchored whether verification before serving could not tell that the answer's block is canonical; on a plugin's network,
     *     whether the answer's node is in bad health
     * @param manyUpstreams whether one upstream's word about an old block's place could contradict another's
     * @param proof whether answers are verified, and this one was
     * @param isFinal whether the answer's block is final
     * @param place of the answer's block
     */
    record Facts(
            CacheClass rule,
            Selector selector,
            Content content,
            boolean unanchored,
            boolean manyUpstreams,
            ProofState proof,
            boolean isFinal,
            Place place) {

        /** The same with what the chain says of the answer's block. */
        Facts at(boolean blockIsFinal, Place known) {
            return new Facts(rule, selector, content, unanchored, manyUpstreams, proof, blockIsFinal, known);
        }
    }

    /** How a call names its block. */
    enum Selector {
        /** By its hash. */
        HASH,
        /** By its hash, if it is canonical. */
        CANONICAL_HASH,
        /** By its height. */
        HEIGHT,
        /** Otherwise: by a transaction's hash, or not at all. */
        OTHER
    }

    /** Content of an answer. */
    enum Content {
        /** It is {@code null}. */
        NULL,
        /** It does not name its block as answers of its class do. */
        UNREADABLE,
        /** It is about another object than the call. */
        OF_OTHER,
        /** It depends on a tag of the call, which nodes may resolve differently. */
        OF_TAG,
        /** It may be an answer to the call. */
        FITS
    }

    /** The place of the answer's block in the chain. */
    enum Place {
        /** It is canonical. If the answer does not name it, node and chain view had the same block there. */
        CANONICAL,
        /** Another block is canonical at its height. */
        OTHER,
        /** It is not known whether it is canonical. */
        UNKNOWN
    }

    /** The decision about a node's answer: whether it is stored, and how. Immutable. */
    sealed interface Decision {}

    /** Do not store the answer. */
    record Refuse(Keeping reason) implements Decision {}

    /**
     * Store the answer.
     *
     * @param key to store it under
     * @param lasting whether its block is final; else it is stored for as long as its block is canonical
     * @param reference to its block
     * @param named whether its block is the one that the call names by its hash, or known to be canonical
     * @param placed whether its block is known to be canonical
     * @param placedByItsNode whether only the word of its node says so
     * @param proof whether it must be proven before
     */
    record Store(
            Key key,
            boolean lasting,
            Reference reference,
            boolean named,
            boolean placed,
            boolean placedByItsNode,
            ProofState proof)
            implements Decision {}

    /** Whether answers are proven, and this one was. */
    enum ProofState {
        /** Answers are stored without proof, or no proof of this one exists. */
        OFF,
        /** This answer is to be proven before it is stored. */
        OPEN,
        /** This answer was proven before it was served. */
        DONE
    }

    /** The key of a stored result. */
    enum Key {
        /** The call's own method and parameters. */
        CALL,
        /** The block's hash, however the call names the block. Hashes of transactions and the height lead to it. */
        BLOCK,
        /** The block's hash, for its receipts. */
        RECEIPTS
    }

    /** The reference of a stored result to its block. */
    enum Reference {
        /** By the hash that the answer, or the call, names. */
        HASH,
        /** By the height alone, of a final block. */
        HEIGHT,
        /** By the block that stood at the height when the node was asked, and still does. */
        SLOT
    }

    /** Decides on an answer. */
    static Decision decide(Facts facts) {
        Refuse refused = refuse(facts);
        if (refused != null) {
            return refused;
        }
        Store store = facts.rule().namesBlock()
                ? ofNamed(facts)
                : facts.selector() == Selector.HEIGHT ? ofHeight(facts) : ofHash(facts);
        if (store == null) {
            return UNANCHORED;
        }
        return facts.proof() == ProofState.OPEN && isPartOfBlock(facts.rule()) ? UNVERIFIED : store;
    }

    /** Returns the refusal of an answer for what it says; null if the place of its block decides. */
    static @Nullable Refuse refuse(Facts facts) {
        if (facts.unanchored() && facts.content() != Content.NULL) {
            return UNANCHORED;
        }
        boolean placed = facts.rule().namesBlock() || facts.selector() != Selector.OTHER;
        return facts.content() == Content.FITS && placed ? null : UNFIT;
    }

    private static @Nullable Store ofNamed(Facts facts) {
        boolean canonical = facts.place() == Place.CANONICAL;
        boolean byHash = facts.selector() == Selector.HASH || facts.selector() == Selector.CANONICAL_HASH;
        if (!facts.isFinal()) {
            boolean required = facts.selector() == Selector.CANONICAL_HASH;
            return canonical && !required && !facts.rule().isOfFinalBlocks()
                    ? store(facts, Reference.HASH, true, true)
                    : null;
        }
        boolean named = byHash || canonical;
        // Several nodes call the block final, and a call by a transaction's hash does not ask which one is at a height.
        boolean placed = named || (facts.rule() == CacheClass.BY_STATUS && facts.selector() == Selector.OTHER);
        boolean refused = facts.place() == Place.OTHER || (!placed && facts.manyUpstreams());
        return refused ? null : store(facts, Reference.HASH, named, canonical || !byHash);
    }

    private static @Nullable Store ofHeight(Facts facts) {
        if (isDisputedUncle(facts)) {
            return null;
        }
        if (facts.isFinal()) {
            return store(facts, Reference.HEIGHT, false, true);
        }
        boolean stored = facts.place() == Place.CANONICAL && !facts.rule().isOfFinalBlocks();
        return stored ? store(facts, Reference.SLOT, false, true) : null;
    }

    private static @Nullable Store ofHash(Facts facts) {
        boolean onlyFinal =
                facts.selector() == Selector.CANONICAL_HASH || facts.rule().isOfFinalBlocks();
        boolean stored = facts.place() == Place.CANONICAL && (facts.isFinal() || !onlyFinal) && !isDisputedUncle(facts);
        return stored ? store(facts, Reference.HASH, false, true) : null;
    }

    private static boolean isDisputedUncle(Facts facts) {
        return facts.rule() == CacheClass.UNCLE && facts.manyUpstreams();
    }

    private static Store store(Facts facts, Reference reference, boolean named, boolean placed) {
        boolean byItsNode = placed && !facts.manyUpstreams() && facts.place() != Place.CANONICAL;
        return new Store(key(facts.rule()), facts.isFinal(), reference, named, placed, byItsNode, facts.proof());
    }

    private static Key key(CacheClass rule) {
        return switch (rule) {
            case BLOCK -> Key.BLOCK;
            case RECEIPTS -> Key.RECEIPTS;
            default -> Key.CALL;
        };
    }

    /** Only a whole block with its receipts proves such an answer: it is cut out of these, never stored itself. */
    private static boolean isPartOfBlock(CacheClass rule) {
        return rule.isProvenByItsBlock() && rule != CacheClass.RECEIPTS;
    }
}
