package io.weir.method;

/** Kind of the data of old blocks, which nodes may drop. */
public enum DataKind {
    /** None: the call needs no data of an old block. */
    NONE,
    /** The state after a block. */
    STATE,
    /** The transactions and receipts of a block. */
    HISTORY,
    /** The logs of a range of blocks, which an index finds. */
    LOGS,
    /** The traces of a block, which nodes compute from the state before it, or store. */
    TRACES
}
