package io.weir.pipeline.admission;

import io.weir.method.CacheClass;

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
record AdmissionFacts(
        CacheClass rule,
        Selector selector,
        Content content,
        boolean unanchored,
        boolean manyUpstreams,
        ProofState proof,
        boolean isFinal,
        Place place) {

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

    /** Whether answers are verified, and this one was. */
    enum ProofState {
        /** Answers are stored without proof. */
        OFF,
        /** Answers are verified, and this one is not yet. */
        OPEN,
        /** This answer was verified before it was served. */
        DONE
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

    /** The same with what the chain says of the answer's block. */
    AdmissionFacts at(boolean blockIsFinal, Place known) {
        return new AdmissionFacts(rule, selector, content, unanchored, manyUpstreams, proof, blockIsFinal, known);
    }
}
