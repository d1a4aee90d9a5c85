package io.weir.method;

/** The evidence that proves an answer before it is served. */
public enum ProofKind {
    /** No evidence exists, or the proxy does not ask for it. */
    NONE,
    /** The hash of the answer itself. */
    HEADER,
    /** The whole block that the call names, with its uncles or receipts where the answer depends on them. */
    BLOCK,
    /** The block that contains an object looked up by a transaction's hash. */
    LOOKUP,
    /** The block that contains a transaction. The proxy encodes the transaction again from the block. */
    RAW_TRANSACTION
}
