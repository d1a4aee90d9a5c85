package io.weir.pipeline.admission;

import io.weir.cache.CacheMeters.Keeping;

/** The decision about a node's answer: whether it is stored, and how. Immutable. */
sealed interface AdmissionDecision {

    /** Do not store the answer. */
    record Refuse(Keeping reason) implements AdmissionDecision {}

    /**
     * Store the answer.
     *
     * @param key to store it under
     * @param lasting whether its block is final; else it is stored for as long as its block is canonical
     * @param reference to its block
     * @param named whether its block is the one that the call names by its hash, or known to be canonical
     * @param placed whether its block is known to be canonical
     * @param placedByItsNode whether only the word of its node says so
     * @param proof that is needed before it is stored
     */
    record Store(
            Key key,
            boolean lasting,
            Reference reference,
            boolean named,
            boolean placed,
            boolean placedByItsNode,
            Proof proof)
            implements AdmissionDecision {}

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

    /** The proof that an answer needs before it is stored. */
    enum Proof {
        /** None: answers are not verified, or no proof of this one exists. */
        NONE,
        /** None any more: it was verified before it was served. */
        DONE,
        /** By its hash. */
        HASH,
        /** By its hash, and its place by its block, if that is stored. */
        HASH_AND_BLOCK,
        /** By its block, which must be stored. */
        BLOCK
    }
}
