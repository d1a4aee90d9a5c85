package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import org.jspecify.annotations.Nullable;

/** Which block a call is about. Immutable. */
public sealed interface BlockSelector
        permits BlockSelector.None, BlockSelector.Tag, BlockSelector.Height, BlockSelector.Hash {

    /** The call is about no block, or does not say so. */
    None NONE = new None();

    /** No block in particular. */
    record None() implements BlockSelector {}

    /** A block by what it is to the chain. */
    record Tag(BlockTag tag) implements BlockSelector {}

    /** A block by its height. */
    record Height(long number) implements BlockSelector {}

    /**
     * A block by its hash.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     * @param requireCanonical whether the call shall fail where the block is not part of the canonical chain
     */
    record Hash(String hash, boolean requireCanonical) implements BlockSelector {}

    /** The block that a parameter in normal form means. */
    static BlockSelector of(RawJson normal) {
        if (normal.first() == '{') {
            return ofObject(normal);
        }
        BlockTag tag = BlockTag.read(normal);
        if (tag != null) {
            return new Tag(tag);
        }
        HexText text = HexText.read(normal);
        if (text == null) {
            return NONE;
        }
        return text.digits() == BlockParameter.HASH_DIGITS ? ofHash(normal) : new Height(text.toLong());
    }

    /** The block whose hash a parameter in normal form is. */
    static Hash ofHash(RawJson normal) {
        return new Hash(unquoted(normal), false);
    }

    private static BlockSelector ofObject(RawJson normal) {
        RawJson hash = JsonObject.member(normal, BlockParameter.HASH_NAME);
        if (hash == null) {
            RawJson number = JsonObject.member(normal, BlockParameter.NUMBER_NAME);
            return number == null ? NONE : of(number);
        }
        return new Hash(unquoted(hash), isTrue(JsonObject.member(normal, BlockParameter.CANONICAL_NAME)));
    }

    private static boolean isTrue(@Nullable RawJson value) {
        return value != null && value.first() == 't';
    }

    /** What stands between the quotes of a string without escapes. */
    static String unquoted(RawJson string) {
        String text = string.toString();
        return text.substring(1, text.length() - 1);
    }
}
