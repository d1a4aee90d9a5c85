package io.weir.pipeline.admission;

import io.weir.cache.CacheMeters.Keeping;
import io.weir.method.CacheClass;
import io.weir.pipeline.admission.AdmissionDecision.Proof;
import io.weir.pipeline.admission.AdmissionDecision.Reference;
import io.weir.pipeline.admission.AdmissionDecision.Refuse;
import io.weir.pipeline.admission.AdmissionDecision.Store;
import io.weir.pipeline.admission.AdmissionFacts.Content;
import io.weir.pipeline.admission.AdmissionFacts.Place;
import io.weir.pipeline.admission.AdmissionFacts.ProofState;
import io.weir.pipeline.admission.AdmissionFacts.Selector;
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
 *
 * class                     proof, if answers are verified
 * block, header             its hash
 * transaction, uncle        its hash; its place by its block, if that is stored
 * receipts of a block       its block, which must be stored
 * receipt, logs, counts     none alone: such answers are cut out of stored blocks and receipts
 * state, executed calls,    none exists
 * fees, traces, all results
 * of a plugin's network
 * no rule of the family     none exists: stored only if the call names its block or transaction by a hash
 * </pre>
 */
final class AdmissionPolicy {

    private static final Refuse UNFIT = new Refuse(Keeping.UNFIT);
    private static final Refuse UNANCHORED = new Refuse(Keeping.UNANCHORED);
    private static final Refuse UNVERIFIED = new Refuse(Keeping.UNVERIFIED);

    private AdmissionPolicy() {}

    /** Decides on an answer. */
    static AdmissionDecision decide(AdmissionFacts facts) {
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
    static @Nullable Refuse refuse(AdmissionFacts facts) {
        if (facts.unanchored() && facts.content() != Content.NULL) {
            return UNANCHORED;
        }
        boolean placed = facts.rule().namesBlock() || facts.selector() != Selector.OTHER;
        return facts.content() == Content.FITS && placed ? null : UNFIT;
    }

    private static @Nullable Store ofNamed(AdmissionFacts facts) {
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

    private static @Nullable Store ofHeight(AdmissionFacts facts) {
        if (isDisputedUncle(facts)) {
            return null;
        }
        if (facts.isFinal()) {
            return store(facts, Reference.HEIGHT, false, true);
        }
        boolean stored = facts.place() == Place.CANONICAL && !facts.rule().isOfFinalBlocks();
        return stored ? store(facts, Reference.SLOT, false, true) : null;
    }

    private static @Nullable Store ofHash(AdmissionFacts facts) {
        boolean onlyFinal =
                facts.selector() == Selector.CANONICAL_HASH || facts.rule().isOfFinalBlocks();
        boolean stored = facts.place() == Place.CANONICAL && (facts.isFinal() || !onlyFinal) && !isDisputedUncle(facts);
        return stored ? store(facts, Reference.HASH, false, true) : null;
    }

    private static boolean isDisputedUncle(AdmissionFacts facts) {
        return facts.rule() == CacheClass.UNCLE && facts.manyUpstreams();
    }

    private static Store store(AdmissionFacts facts, Reference reference, boolean named, boolean placed) {
        boolean byItsNode = placed && !facts.manyUpstreams() && facts.place() != Place.CANONICAL;
        return new Store(key(facts.rule()), facts.isFinal(), reference, named, placed, byItsNode, proof(facts));
    }

    private static AdmissionDecision.Key key(CacheClass rule) {
        return switch (rule) {
            case BLOCK -> AdmissionDecision.Key.BLOCK;
            case RECEIPTS -> AdmissionDecision.Key.RECEIPTS;
            default -> AdmissionDecision.Key.CALL;
        };
    }

    private static Proof proof(AdmissionFacts facts) {
        CacheClass rule = facts.rule();
        boolean provable = rule.isProvable() || rule.isProvenByItsBlock();
        if (facts.proof() == ProofState.OFF || !provable) {
            return Proof.NONE;
        }
        if (facts.proof() == ProofState.DONE) {
            return Proof.DONE;
        }
        return rule.isProvenByItsBlock() ? Proof.BLOCK : rule.isPlacedByItsBlock() ? Proof.HASH_AND_BLOCK : Proof.HASH;
    }

    /** Only a whole block with its receipts proves such an answer: it is cut out of these, never stored itself. */
    private static boolean isPartOfBlock(CacheClass rule) {
        return rule.isProvenByItsBlock() && rule != CacheClass.RECEIPTS;
    }
}
