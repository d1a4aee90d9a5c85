package io.weir.method;

/** Kind of an answer that its own hash proves, at least in part. */
public enum AnswerKind {
    /** A block: its hash and its roots prove it. */
    BLOCK,
    /** A header: its hash proves it. */
    HEADER,
    /** An uncle: its hash proves its header. Only its block proves that it is the requested uncle. */
    UNCLE,
    /** A transaction: its hash proves its signed fields. Only its block proves its position. */
    TRANSACTION
}
