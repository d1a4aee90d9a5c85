package io.weir.cache;

/** What the answers of one method look like, and with that what must hold for one to be kept. Immutable. */
public enum CacheClass {
    /** A block: its own number, hash and parent's hash are in it. Proven by its hash and roots. */
    BLOCK(ResultKind.BLOCK, Names.ITS_OWN),
    /** A header. Proven by its hash. */
    HEADER(ResultKind.BLOCK, Names.ITS_OWN),
    /** An uncle of the block that was asked for, which its answer does not name. Its header is proven by its own hash. */
    UNCLE(ResultKind.UNCLE, Names.NONE),
    /** A transaction: its block's number and hash are in it once it is mined. Its signed fields are proven by its hash. */
    TRANSACTION(ResultKind.TRANSACTION, Names.ITS_BLOCKS),
    /** A receipt: its block's number and hash are in it. One alone cannot be proven. */
    RECEIPT(ResultKind.RECEIPT, Names.ITS_BLOCKS),
    /** All receipts of a block. Of a block that may have transactions no empty list is kept. */
    RECEIPTS(ResultKind.RECEIPT, Names.OF_EACH),
    /** Logs, kept of final blocks only: there may be none in them. */
    LOGS(ResultKind.LOGS, Names.NONE),
    /** What can be counted or copied out of a block: counts, raw transactions. Its block alone proves it. */
    COUNT(ResultKind.VALUE, Names.NONE),
    /** State and executed calls, for which no proof is sent along. Zero is a value. */
    VALUE(ResultKind.VALUE, Names.NONE);

    /** Where an answer names its block. */
    enum Names {
        /** Nowhere. */
        NONE,
        /** It is a block. */
        ITS_OWN,
        /** In the members of what is in a block. */
        ITS_BLOCKS,
        /** In those of each element. */
        OF_EACH
    }

    private final ResultKind kind;
    private final Names names;

    CacheClass(ResultKind kind, Names names) {
        this.kind = kind;
        this.names = names;
    }

    /** What meters call it. */
    public ResultKind kind() {
        return kind;
    }

    Names names() {
        return names;
    }

    /** Whether an answer names the block that it depends on. */
    public boolean namesBlock() {
        return names != Names.NONE;
    }

    /** Whether a proof of an answer exists, however small. */
    public boolean isProvable() {
        return this == BLOCK || this == HEADER || this == UNCLE || this == TRANSACTION;
    }

    /** Whether its hash proves what it holds, and only its block proves where it stands. */
    public boolean isPlacedByItsBlock() {
        return this == TRANSACTION || this == UNCLE;
    }

    /** Whether nothing less than its whole block proves all of it. */
    public boolean needsItsBlock() {
        return isProvenByItsBlock() || isPlacedByItsBlock();
    }

    /** Whether a proof exists, but only in the whole block with its receipts. */
    public boolean isProvenByItsBlock() {
        return this == RECEIPT || this == RECEIPTS || this == LOGS || this == COUNT;
    }
}
