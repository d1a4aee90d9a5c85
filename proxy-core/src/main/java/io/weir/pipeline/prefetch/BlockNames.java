package io.weir.pipeline.prefetch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of one block: at least one of hash and height. Immutable.
 *
 * @param hash in lower case; null if it is not known
 * @param number the height; -1 if it is not known
 */
public record BlockNames(@Nullable String hash, long number) {

    /** Returns the names of a block; null if neither hash nor height is known. */
    static @Nullable BlockNames of(@Nullable String hash, long number) {
        return hash == null && number < 0 ? null : new BlockNames(hash, number);
    }

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

    /** Returns the parameter that asks a node for the block: its height if that is known, else its hash. */
    String selector() {
        return number < 0 ? first() : "0x" + Long.toHexString(number);
    }
}
