package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import org.jspecify.annotations.Nullable;

/** Block that a call is about. Immutable. */
public sealed interface BlockSelector
        permits BlockSelector.None, BlockSelector.Tag, BlockSelector.Height, BlockSelector.Hash {

    /** No block, or none that the call names. */
    None NONE = new None();

    /** Selects no block. */
    record None() implements BlockSelector {}

    /** Selects a block by its role in the chain. */
    record Tag(BlockTag tag) implements BlockSelector {}

    /** Selects a block by its height. */
    record Height(long number) implements BlockSelector {}

    /**
     * Selects a block by its hash.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     * @param requireCanonical whether the call must fail if the block is not part of the canonical chain
     */
    record Hash(String hash, boolean requireCanonical) implements BlockSelector {}

    /** Returns the block of a parameter in normal form. */
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

    /** Returns the block whose hash is a parameter in normal form. */
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

    /** Returns the text between the quotes of a string without escapes. */
    static String unquoted(RawJson string) {
        String text = string.toString();
        return text.substring(1, text.length() - 1);
    }
}
