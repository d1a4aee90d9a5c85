package io.weir.cache.block;

import org.jspecify.annotations.Nullable;

/** What of a block a call asks for. */
public enum BlockField {
    /** The block with its transactions. */
    WHOLE(false),
    /** The block with its transactions' hashes. */
    HASHES(false),
    /** A transaction by its hash, or by its place in the block. */
    TRANSACTION(false),
    /** How many transactions there are. */
    TRANSACTION_COUNT(false),
    /** How many uncles there are. */
    UNCLE_COUNT(false),
    /** An uncle by its place: of these the block says only which ones are not there. */
    UNCLE(false),
    /** All receipts. */
    RECEIPTS(true),
    /** The receipt of a transaction. */
    RECEIPT(true),
    /** Logs. */
    LOGS(true);

    private final boolean ofReceipts;

    BlockField(boolean ofReceipts) {
        this.ofReceipts = ofReceipts;
    }

    /** Whether it is the receipts that it is cut out of. */
    public boolean isOfReceipts() {
        return ofReceipts;
    }

    static @Nullable BlockField of(String method, boolean full) {
        return switch (method) {
            case "eth_getBlockByHash", "eth_getBlockByNumber" -> full ? WHOLE : HASHES;
            case "eth_getTransactionByHash",
                    "eth_getTransactionByBlockHashAndIndex",
                    "eth_getTransactionByBlockNumberAndIndex" -> TRANSACTION;
            case "eth_getBlockTransactionCountByHash", "eth_getBlockTransactionCountByNumber" -> TRANSACTION_COUNT;
            case "eth_getUncleCountByBlockHash", "eth_getUncleCountByBlockNumber" -> UNCLE_COUNT;
            case "eth_getUncleByBlockHashAndIndex", "eth_getUncleByBlockNumberAndIndex" -> UNCLE;
            case "eth_getBlockReceipts" -> RECEIPTS;
            case "eth_getTransactionReceipt" -> RECEIPT;
            case "eth_getLogs" -> LOGS;
            default -> null;
        };
    }
}
