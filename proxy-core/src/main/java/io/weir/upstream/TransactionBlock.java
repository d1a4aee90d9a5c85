package io.weir.upstream;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.JsonObject;
import java.util.Set;

/** Number of the block of a transaction or receipt, as an answer names it. Pure. */
public final class TransactionBlock {

    /** The answer names no block. */
    public static final long NONE = -1;

    private static final NameTable BLOCK_NUMBER = NameTable.of(Set.of("blockNumber"));

    private TransactionBlock() {}

    /**
     * Returns the number, or {@link #NONE}. A raw transaction names no block. A transaction without a block waits in a pool, and pools
     * differ.
     */
    public static long of(RawJson transaction) {
        if (transaction.first() != '{') {
            return NONE;
        }
        try {
            RawJson number = JsonObject.member(transaction, BLOCK_NUMBER);
            return number == null ? NONE : BlockIds.ETHEREUM.number(number);
        } catch (IllegalArgumentException e) {
            return NONE;
        }
    }
}
