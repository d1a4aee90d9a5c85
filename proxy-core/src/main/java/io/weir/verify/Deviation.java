package io.weir.verify;

/** Fact in which a family's hashes or members differ from Ethereum's. */
public enum Deviation {
    /** No hash covers anything that the proxy knows. */
    NO_HASHES,
    /** No hash covers a block or its receipts; transactions have hashes. */
    NO_BLOCK_HASHES,
    /** Old headers end in AuRa's step and signature, in place of {@code mixHash} and {@code nonce}. */
    AURA_SEALS,
    /** {@code extraData} and {@code mixHash} repeat {@code sendRoot}, {@code sendCount} and {@code l1BlockNumber}. */
    NITRO_HEADERS,
    /** Blocks have no withdrawals, and nodes may leave out the list. */
    NO_WITHDRAWALS,
    /** {@code withdrawalsRoot} is the root of something else. */
    OTHER_WITHDRAWALS_ROOT,
    /** The price that was paid does not follow from the transaction and the base fee. */
    OTHER_PRICES,
    /** {@code blobGasUsed} of a receipt does not follow from the transaction's blobs. */
    OTHER_BLOB_GAS,
    /** A block may list the transaction of a state sync at its end, which is in no root. */
    STATE_SYNC,
    /** The header's rule was only read. */
    HEADERS_UNTESTED,
    /** The rule of Ethereum's types of transactions was only read. */
    TRANSACTIONS_UNTESTED,
    /** The receipts' rule was only read. */
    RECEIPTS_UNTESTED
}
