package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cache keys of blocks, of their receipts, of answers about a head, and of the indexes to blocks. A block and its receipts have the keys of the calls
 * that request them by hash. The others have names that no call can have. Pure.
 */
public final class BlockKeys {

    private static final String TRANSACTION = "place of a transaction";
    private static final String AT_HEAD = " at a head";
    private static final String HEIGHT = "final block at a height";
    private static final String LOGS = "receipts of which the logs are proven";

    private BlockKeys() {}

    public static CallKey block(String network, String hash) {
        return key(network, ChainCalls.blockByHash(hash, true));
    }

    public static CallKey receipts(String network, String hash) {
        return key(network, ChainCalls.receipts(hash));
    }

    /** Returns the key of a block's receipts of which nothing but the logs is proven. */
    public static CallKey logs(String network, String hash) {
        return new CallKey(network, LOGS, RawJson.of("[\"" + hash + "\"]"));
    }

    public static boolean isIndex(CallKey key) {
        return key.method().equals(TRANSACTION) || key.method().equals(HEIGHT);
    }

    /** Returns the key of a method's answer about a head, which calls do not name. */
    public static CallKey head(String network, String method, long number) {
        return new CallKey(network, method + AT_HEAD, RawJson.of("[\"0x" + Long.toHexString(number) + "\"]"));
    }

    private static CallKey key(String network, RpcCall call) {
        return new CallKey(network, call.method(), Objects.requireNonNull(call.params()));
    }

    /** Returns the key of a transaction's {@link BlockPosition}. */
    public static CallKey transaction(String network, String hash) {
        return new CallKey(network, TRANSACTION, RawJson.of("[\"" + hash + "\"]"));
    }

    /** Returns the key of the final canonical block at a height, stored as a {@link BlockPosition}. */
    public static CallKey height(String network, long number) {
        return new CallKey(network, HEIGHT, RawJson.of("[\"0x" + Long.toHexString(number) + "\"]"));
    }

    /**
     * Block, and a position in it, in the form in which it is cached. Immutable.
     *
     * @param block its hash, in lower case
     * @param index the position; 0 if only the block matters
     */
    public record BlockPosition(String block, int index) {

        /** Reads the output of {@link #json}; null if it is something else. */
        public static @Nullable BlockPosition read(RawJson json) {
            try {
                List<RawJson> elements = json.first() == '[' ? JsonArray.elements(json, 3) : List.of();
                HexText block = elements.size() == 2 ? HexText.read(elements.get(0)) : null;
                HexText index = elements.size() == 2 ? HexText.read(elements.get(1)) : null;
                return block == null || index == null || block.digits() != 64 || index.digits() > 7
                        ? null
                        : new BlockPosition(BlockQuestion.unquoted(elements.get(0)), (int) index.toLong());
            } catch (InvalidParamsException e) {
                return null;
            }
        }

        /** Returns the form in which it is cached. */
        public RawJson json() {
            return RawJson.of("[\"" + block + "\",\"0x" + Integer.toHexString(index) + "\"]");
        }
    }
}
