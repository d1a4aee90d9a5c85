package io.weir.method;

/** The part of a block, or of its receipts, that a call asks for. */
public enum BlockField {
    /** The block with its transactions. A call that asks for hashes only asks for {@link #HASHES} instead. */
    WHOLE(false),
    /** The block with the hashes of its transactions. */
    HASHES(false),
    /** One transaction, by its hash or its index. */
    TRANSACTION(false),
    /** The number of transactions. */
    TRANSACTION_COUNT(false),
    /** The number of uncles. */
    UNCLE_COUNT(false),
    /** One uncle, by its index. The block holds only the hash, which shows that an index is out of range. */
    UNCLE(false),
    /** All receipts. */
    RECEIPTS(true),
    /** The receipt of one transaction. */
    RECEIPT(true),
    /** Logs. */
    LOGS(true);

    private final boolean ofReceipts;

    BlockField(boolean ofReceipts) {
        this.ofReceipts = ofReceipts;
    }

    public boolean isOfReceipts() {
        return ofReceipts;
    }
}
