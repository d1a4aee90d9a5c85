package io.weir.method;

import java.util.Set;

/** The methods that look something up, and answer {@code null} where it does not exist. Pure and thread-safe. */
public final class Lookups {

    private static final Set<String> BY_HASH = Set.of(
            "eth_getBlockByHash",
            "eth_getBlockReceipts",
            "eth_getBlockTransactionCountByHash",
            "eth_getHeaderByHash",
            "eth_getRawTransactionByBlockHashAndIndex",
            "eth_getRawTransactionByHash",
            "eth_getTransactionByBlockHashAndIndex",
            "eth_getTransactionByHash",
            "eth_getTransactionReceipt",
            "eth_getUncleByBlockHashAndIndex",
            "eth_getUncleCountByBlockHash");

    private static final Set<String> BY_NUMBER = Set.of(
            "eth_getBlockByNumber",
            "eth_getBlockTransactionCountByNumber",
            "eth_getHeaderByNumber",
            "eth_getRawTransactionByBlockNumberAndIndex",
            "eth_getTransactionByBlockNumberAndIndex",
            "eth_getTransactionBySenderAndNonce",
            "eth_getUncleByBlockNumberAndIndex",
            "eth_getUncleCountByBlockNumber");

    /** The lookups that nodes answer from an index of transactions, which many keep for new blocks only. */
    private static final Set<String> OF_TRANSACTION =
            Set.of("eth_getRawTransactionByHash", "eth_getTransactionByHash", "eth_getTransactionReceipt");

    private Lookups() {}

    /** Whether a node that finds nothing is to answer {@code null}. */
    public static boolean is(String method) {
        return BY_HASH.contains(method) || BY_NUMBER.contains(method);
    }

    /** Whether a transaction is looked up by its hash. */
    public static boolean ofTransaction(String method) {
        return OF_TRANSACTION.contains(method);
    }

    /** Whether what is looked up has a hash, so that another node may know it already, or still. */
    public static boolean byHash(String method) {
        return BY_HASH.contains(method);
    }
}
