package io.weir.pipeline.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of one block: at least one of hash and height. Immutable.
 *
 * @param hash in lower case; null if it is not known
 * @param number the height; -1 if it is not known
 * @param byHeight whether nodes are asked for the block at that height, and not for the hash
 */
public record BlockNames(@Nullable String hash, long number, boolean byHeight) {

    static String height(long number) {
        return "#" + number;
    }

    /** Returns the name of the block's fetch: the hash if it is known, else the height. */
    String first() {
        return hash == null ? height(number) : hash;
    }

    /** Returns every name, the hash first. */
    List<String> all() {
        if (hash == null) {
            return List.of(height(number));
        }
        return number < 0 ? List.of(hash) : List.of(hash, height(number));
    }

    /** Returns the parameter that asks a node for the block. */
    String selector() {
        return byHeight || hash == null ? "0x" + Long.toHexString(number) : hash;
    }
}
