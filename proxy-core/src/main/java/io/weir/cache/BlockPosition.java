package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
