package io.weir.method;

import org.jspecify.annotations.Nullable;

/**
 * The form of a method's answers, and with it the conditions under which the cache stores one. Immutable.
 *
 * <p>The cache never stores {@code null}, errors or anything pending. It never stores an answer to a call that still names a tag
 * ({@code pending}, {@code safe}, {@code finalized}, {@code earliest}); {@code latest} has become a number before. An answer that
 * depends on a final block stays until it is evicted. An answer that depends on a newer block counts while that block is
 * canonical. The cache stores no answer about a newer block that is not known to be canonical. Of several upstreams, one alone is
 * not enough for the place of an old block.
 */
public enum CacheClass {
    /** A block, which holds its own number, its hash and the hash of its parent. Its hash and roots prove it. */
    BLOCK(ResultKind.BLOCK, BlockNaming.OWN),
    /** A header. Its hash proves it. */
    HEADER(ResultKind.BLOCK, BlockNaming.OWN),
    /** An uncle. The answer does not name the block that includes the uncle. The uncle's own hash proves its header. */
    UNCLE(ResultKind.UNCLE, BlockNaming.NONE),
    /** A transaction, which names its block once it is mined. Its hash proves the signed fields. */
    TRANSACTION(ResultKind.TRANSACTION, BlockNaming.CONTAINING),
    /** A receipt, which names its block. One receipt alone cannot be proven. */
    RECEIPT(ResultKind.RECEIPT, BlockNaming.CONTAINING),
    /** All receipts of a block. The cache stores no empty list of a block that may have transactions. */
    RECEIPTS(ResultKind.RECEIPT, BlockNaming.CONTAINING_EACH),
    /** Logs, stored for final blocks only, because a list without logs names no block. */
    LOGS(ResultKind.LOGS, BlockNaming.NONE),
    /** A count or a copy of a part of a block: counts, raw transactions. Only the block proves it. */
    COUNT(ResultKind.VALUE, BlockNaming.NONE),
    /** State and executed calls, which nodes send without a proof. Zero is a value. */
    VALUE(ResultKind.VALUE, BlockNaming.NONE),
    /** A fee of the head or a fact of the network, which the calls of no block name. It is served while the same block is the head. */
    HEAD_VALUE(ResultKind.VALUE, BlockNaming.NONE),
    /**
     * A trace of a block's or a transaction's execution; on a plugin's kind of network any result that depends on the call's block. Nodes
     * send it without a proof. Stored for final blocks only.
     */
    FINAL_VALUE(ResultKind.VALUE, BlockNaming.NONE),
    /** A result of a plugin's kind of network with a status, by which its block is final or not. Stored for final blocks only. */
    BY_STATUS(ResultKind.VALUE, BlockNaming.OF_KIND);

    /** The place in an answer that names the answer's block. */
    public enum BlockNaming {
        /** The answer names no block. */
        NONE,
        /** The answer is a block and names itself. */
        OWN,
        /** The answer is an object in a block and names that block. */
        CONTAINING,
        /** The answer is a list, and each element names the block. */
        CONTAINING_EACH,
        /** The answer names the block as its plugin's kind of network does. */
        OF_KIND
    }

    private final ResultKind kind;
    private final BlockNaming naming;

    CacheClass(ResultKind kind, BlockNaming naming) {
        this.kind = kind;
        this.naming = naming;
    }

    /** Returns the kind under which meters count the answers. */
    public ResultKind kind() {
        return kind;
    }

    /** Returns the place in an answer that names its block. */
    public BlockNaming naming() {
        return naming;
    }

    /** Returns the member that holds the number of an answer's block, or of the block of its first log; null if it names none. */
    public @Nullable String numberMember() {
        return switch (naming) {
            case NONE -> this == LOGS ? "blockNumber" : null;
            case OWN -> "number";
            case CONTAINING, CONTAINING_EACH -> "blockNumber";
            case OF_KIND -> null;
        };
    }

    /** Returns whether an answer names the block that it depends on. */
    public boolean namesBlock() {
        return naming != BlockNaming.NONE;
    }

    /** Returns whether an answer is about the head, which the call does not name. */
    public boolean isOfHead() {
        return this == HEAD_VALUE;
    }

    /** Returns whether answers about final blocks alone are stored. */
    public boolean isOfFinalBlocks() {
        return this == LOGS || this == FINAL_VALUE || this == BY_STATUS;
    }

    /** Returns whether an answer is stored under its block's hash, however the call names the block. */
    public boolean isStoredByBlock() {
        return this == BLOCK || this == RECEIPTS;
    }

    /** Returns the kind of answer that its own hash proves, at least in part; null if no hash does. */
    public @Nullable AnswerKind provenAs() {
        return switch (this) {
            case BLOCK -> AnswerKind.BLOCK;
            case HEADER -> AnswerKind.HEADER;
            case UNCLE -> AnswerKind.UNCLE;
            case TRANSACTION -> AnswerKind.TRANSACTION;
            default -> null;
        };
    }

    /** Returns whether an answer can be proven by itself, at least in part. */
    public boolean isProvable() {
        return provenAs() != null;
    }

    /** Returns whether the answer's hash proves its content, and only its block proves its place. */
    public boolean isPlacedByItsBlock() {
        return this == TRANSACTION || this == UNCLE;
    }

    /** Returns whether only the whole block proves all of an answer. */
    public boolean needsItsBlock() {
        return isProvenByItsBlock() || isPlacedByItsBlock();
    }

    /** Returns whether only the whole block with its receipts proves an answer. */
    public boolean isProvenByItsBlock() {
        return this == RECEIPT || this == RECEIPTS || this == LOGS || this == COUNT;
    }
}
