package io.weir.cache.block;

import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import java.util.Objects;

/**
 * Under which keys blocks, their receipts and the ways to them are kept: a block and its receipts as the answers to the calls that
 * ask for them by hash, the others under names that no call can have. Pure.
 */
public final class BlockKeys {

    private static final String TRANSACTION = "place of a transaction";
    private static final String HEIGHT = "final block at a height";

    private BlockKeys() {}

    /** Where a block with its transactions is kept. */
    public static CallKey block(String network, String hash) {
        return key(network, ChainCalls.blockByHash(hash, true));
    }

    /** Where a block's receipts are kept. */
    public static CallKey receipts(String network, String hash) {
        return key(network, ChainCalls.receipts(hash));
    }

    /** Returns whether a block's receipts are kept under a key. */
    public static boolean isReceipts(CallKey key) {
        return key.method().equals(ChainCalls.BLOCK_RECEIPTS);
    }

    private static CallKey key(String network, RpcCall call) {
        return new CallKey(network, call.method(), Objects.requireNonNull(call.params()));
    }

    /** Where it is kept which block a transaction is in, and where in it: a {@link BlockPosition}. */
    public static CallKey transaction(String network, String hash) {
        return new CallKey(network, TRANSACTION, RawJson.of("[\"" + hash + "\"]"));
    }

    /** Where it is kept which block is the canonical one at a height, once that is final: a {@link BlockPosition}. */
    public static CallKey height(String network, long number) {
        return new CallKey(network, HEIGHT, RawJson.of("[\"0x" + Long.toHexString(number) + "\"]"));
    }
}
