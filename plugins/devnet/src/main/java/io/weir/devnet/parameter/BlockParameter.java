package io.weir.devnet.parameter;

import io.weir.ethereum.Hash32;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which block is meant: exactly one of a tag, a number and a hash. Immutable.
 *
 * @param number up to 2^63-1
 */
public record BlockParameter(
        @Nullable Tag tag, @Nullable Long number, @Nullable Hash32 hash) {
    /** The newest block. */
    public static final BlockParameter LATEST = new BlockParameter(Tag.LATEST, null, null);

    private static final int HASH_CHARACTERS = 66;
    private static final int MAX_DECIMAL_DIGITS = 18;

    /** Blocks by what they are to the chain. */
    public enum Tag {
        EARLIEST,
        FINALIZED,
        SAFE,
        LATEST,
        PENDING
    }

    private static final Map<String, Tag> TAGS = Map.of(
            "earliest", Tag.EARLIEST,
            "finalized", Tag.FINALIZED,
            "safe", Tag.SAFE,
            "latest", Tag.LATEST,
            "pending", Tag.PENDING);

    /** The block of a number. */
    public static BlockParameter at(long number) {
        return new BlockParameter(null, number, null);
    }

    /** The block of a hash. */
    public static BlockParameter of(Hash32 hash) {
        return new BlockParameter(null, null, hash);
    }

    /** A tag or a hexadecimal number. */
    static BlockParameter numberOrTag(Argument argument) {
        JsonNode json = argument.json();
        String text = json.isString() ? json.stringValue() : json.toString();
        Tag tag = TAGS.get(text);
        return tag == null ? at(argument.blockNumber(text)) : new BlockParameter(tag, null, null);
    }

    /** A tag, a number, a hash, or an object with one of the last two (EIP-1898). */
    static BlockParameter any(Argument argument) {
        JsonNode json = argument.json();
        if (json.isObject()) {
            return object(argument);
        }
        if (!json.isString()) {
            throw argument.mismatch(argument.kind(), "string");
        }
        return json.stringValue().length() == HASH_CHARACTERS ? of(argument.hash()) : numberOrTag(argument);
    }

    /** As {@link #any}, or a decimal number, written with or without quotation marks. */
    static BlockParameter anyOrDecimal(Argument argument) {
        JsonNode json = argument.json();
        String text = json.isString() ? json.stringValue() : json.toString();
        boolean decimal = text.length() <= MAX_DECIMAL_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return decimal && !text.isEmpty() ? at(Long.parseLong(text)) : any(argument);
    }

    private static BlockParameter object(Argument argument) {
        JsonNode hash = argument.json().path("blockHash");
        JsonNode number = argument.json().path("blockNumber");
        boolean hasHash = hash.isValueNode() && !hash.isNull();
        boolean hasNumber = number.isValueNode() && !number.isNull();
        if (hasHash && hasNumber) {
            throw argument.invalid("cannot specify both BlockHash and BlockNumber, choose one or the other");
        }
        if (hasHash) {
            return of(new Argument(hash, argument.position(), "").hash());
        }
        if (hasNumber) {
            return numberOrTag(new Argument(number, argument.position(), ""));
        }
        throw argument.invalid("invalid arguments; neither block nor hash specified");
    }

    @Override
    public String toString() {
        return tag != null ? tag.name().toLowerCase(Locale.ROOT) : hash != null ? hash.hex() : String.valueOf(number);
    }
}
