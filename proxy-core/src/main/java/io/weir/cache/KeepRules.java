package io.weir.cache;

import static io.weir.cache.CacheClass.BLOCK;
import static io.weir.cache.CacheClass.COUNT;
import static io.weir.cache.CacheClass.HEADER;
import static io.weir.cache.CacheClass.LOGS;
import static io.weir.cache.CacheClass.RECEIPT;
import static io.weir.cache.CacheClass.RECEIPTS;
import static io.weir.cache.CacheClass.TRANSACTION;
import static io.weir.cache.CacheClass.UNCLE;
import static io.weir.cache.CacheClass.VALUE;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which methods' answers may be kept. What is not here never is: estimates ({@code eth_estimateGas}), what a node may forget or
 * change ({@code eth_getRawTransactionByHash}, fees, filters), and everything whose parameters are not read. Immutable.
 *
 * <p>Never kept, whatever the method: {@code null}, errors, what is pending, and answers by the tags that stay in a call
 * ({@code pending}, {@code safe}, {@code finalized}, {@code earliest}); {@code latest} has become a number before. Kept until
 * evicted: what depends on a final block. Kept while its block is canonical: what depends on a newer one. Not kept: what depends
 * on a newer one that is not known to be canonical; and, of several upstreams, what one alone says of an old block's place.
 */
public final class KeepRules {

    private static final Map<String, CacheClass> RULES = Map.ofEntries(
            Map.entry("eth_getBlockByHash", BLOCK),
            Map.entry("eth_getBlockByNumber", BLOCK),
            Map.entry("eth_getHeaderByHash", HEADER),
            Map.entry("eth_getHeaderByNumber", HEADER),
            Map.entry("eth_getUncleByBlockHashAndIndex", UNCLE),
            Map.entry("eth_getUncleByBlockNumberAndIndex", UNCLE),
            Map.entry("eth_getTransactionByHash", TRANSACTION),
            Map.entry("eth_getTransactionByBlockHashAndIndex", TRANSACTION),
            Map.entry("eth_getTransactionByBlockNumberAndIndex", TRANSACTION),
            Map.entry("eth_getTransactionReceipt", RECEIPT),
            Map.entry("eth_getBlockReceipts", RECEIPTS),
            Map.entry("eth_getLogs", LOGS),
            Map.entry("eth_getBlockTransactionCountByHash", COUNT),
            Map.entry("eth_getBlockTransactionCountByNumber", COUNT),
            Map.entry("eth_getUncleCountByBlockHash", COUNT),
            Map.entry("eth_getUncleCountByBlockNumber", COUNT),
            Map.entry("eth_getRawTransactionByBlockHashAndIndex", COUNT),
            Map.entry("eth_getRawTransactionByBlockNumberAndIndex", COUNT),
            Map.entry("eth_getBalance", VALUE),
            Map.entry("eth_getCode", VALUE),
            Map.entry("eth_getStorageAt", VALUE),
            Map.entry("eth_getTransactionCount", VALUE),
            Map.entry("eth_getProof", VALUE),
            Map.entry("eth_call", VALUE),
            Map.entry("eth_createAccessList", VALUE));

    private KeepRules() {}

    /** The rule of a method; null where its answers are never kept. */
    public static @Nullable CacheClass of(String method) {
        return RULES.get(method);
    }
}
