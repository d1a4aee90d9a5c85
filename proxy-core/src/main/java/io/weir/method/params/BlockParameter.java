package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonString;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.Members;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamCounts;
import io.weir.method.params.kind.ValueKind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Kinds of the block parameters that methods take. Immutable and thread-safe. */
enum BlockParameter implements Kind.Uncounted {
    /** A number or a tag. */
    NUMBERED("block number in hex or a tag"),
    /**
     * A number, a tag, or an object with a hash (EIP-1898), which is the only form of a hash that every node accepts. An
     * object with a number becomes a number.
     */
    STATE("block number in hex or a tag"),
    /** A number, a tag, a hash, or an object as for state. */
    TRACED("block number in hex, a tag or a block hash"),
    /** As for state, or a decimal number, with or without quotes. Here {@code pending} means {@code latest}. */
    RECEIPTS("block number in hex or decimal, a tag or a block hash");

    private static final String NUMBER = "blockNumber";
    private static final String HASH = "blockHash";
    private static final String CANONICAL = "requireCanonical";
    private static final NameTable NUMBER_NAME = NameTable.of(Set.of(NUMBER));
    private static final NameTable HASH_NAME = NameTable.of(Set.of(HASH));
    private static final NameTable CANONICAL_NAME = NameTable.of(Set.of(CANONICAL));
    private static final int HASH_DIGITS = 64;

    /** The object of EIP-1898. */
    private static final ObjectKind OBJECT = ObjectKind.of("block object")
            .optional(NUMBERED, NUMBER)
            .optional(ValueKind.HASH, HASH)
            .optional(ValueKind.BOOLEAN, CANONICAL)
            .rule(BlockParameter::oneOfBoth)
            .build();

    private static final int MAX_NUMBER_DIGITS = 16;
    private static final int MAX_DECIMAL_LENGTH = 40;

    private final String expected;

    BlockParameter(String expected) {
        this.expected = expected;
    }

    @Override
    public String expected() {
        return expected;
    }

    @Override
    public @Nullable RawJson normal(RawJson value, ParamCounts counts) throws InvalidParamsException {
        return switch (this) {
            case NUMBERED -> numberOrTag(value);
            case STATE -> state(value, counts);
            case TRACED -> traced(value, counts);
            case RECEIPTS -> receipts(value, counts);
        };
    }

    private static @Nullable RawJson state(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (value.first() == '{') {
            return object(value, counts);
        }
        RawJson hash = hash(value);
        return hash == null ? numberOrTag(value) : RawJson.of("{\"blockHash\":" + hash + "}");
    }

    private static @Nullable RawJson traced(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (value.first() == '{') {
            return object(value, counts);
        }
        RawJson hash = hash(value);
        return hash == null ? numberOrTag(value) : hash;
    }

    private static @Nullable RawJson receipts(RawJson value, ParamCounts counts) throws InvalidParamsException {
        if (value.first() == '{') {
            return receiptsObject(value, counts);
        }
        RawJson hash = hash(value);
        RawJson decimal = hash == null ? decimal(value) : null;
        return hash != null ? hash : decimal != null ? decimal : numberOrTagForReceipts(value);
    }

    private static @Nullable RawJson numberOrTag(RawJson value) {
        if (value.first() != '"') {
            return null;
        }
        HexText text = HexText.read(value);
        if (text != null) {
            boolean fits = text.digits() > 0 && text.significantDigits() <= MAX_NUMBER_DIGITS && text.toLong() >= 0;
            return fits ? text.quantity() : null;
        }
        return BlockTag.read(value) != null ? value : escapedTag(value);
    }

    private static @Nullable RawJson escapedTag(RawJson value) {
        String text = text(value);
        for (BlockTag tag : BlockTag.values()) {
            if (tag.text().equals(text)) {
                return tag.json();
            }
        }
        return null;
    }

    private static @Nullable RawJson hash(RawJson value) {
        HexText text = HexText.read(value);
        return text != null && text.digits() == HASH_DIGITS ? text.bytes() : null;
    }

    private static RawJson object(RawJson value, ParamCounts counts) throws InvalidParamsException {
        Members members = OBJECT.read(value, counts);
        RawJson number = members.get(NUMBER);
        return number != null && !members.hasOthers() ? number : members.json();
    }

    private static RawJson receiptsObject(RawJson value, ParamCounts counts) throws InvalidParamsException {
        Members members = OBJECT.read(value, counts);
        RawJson number = members.get(NUMBER);
        RawJson hash = members.get(HASH);
        if (number != null) {
            RawJson now = latestForPending(number);
            if (!now.isSame(number)) {
                members.put(NUMBER, now);
            }
            return members.hasOthers() ? members.json() : now;
        }
        if (hash != null && members.get(CANONICAL) == null && !members.hasOthers()) {
            return hash;
        }
        return members.json();
    }

    private static @Nullable RawJson numberOrTagForReceipts(RawJson value) {
        RawJson block = numberOrTag(value);
        return block == null ? null : latestForPending(block);
    }

    private static RawJson latestForPending(RawJson block) {
        return BlockTag.read(block) == BlockTag.PENDING ? BlockTag.LATEST.json() : block;
    }

    private static @Nullable RawJson decimal(RawJson value) {
        String text = value.first() == '"' ? text(value) : value.length() > MAX_DECIMAL_LENGTH ? "" : value.toString();
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        try {
            return RawJson.of("\"0x" + Long.toHexString(Long.parseLong(text)) + '"');
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns a short string's text; empty if it is longer than any tag or number, escapes included. */
    private static String text(RawJson value) {
        int start = value.offset() + 1;
        int end = value.offset() + value.length() - 1;
        return end - start > MAX_DECIMAL_LENGTH * 6 ? "" : JsonString.unescape(value.array(), start, end);
    }

    private static void oneOfBoth(Members members) throws InvalidParamsException {
        boolean number = members.get(NUMBER) != null;
        boolean hash = members.get(HASH) != null;
        if (number == hash) {
            throw InvalidParamsException.of(
                    number ? "both blockNumber and blockHash" : "neither blockNumber nor blockHash", "one of them");
        }
        RawJson canonical = members.get(CANONICAL);
        // It has no meaning for a number, and its default is false.
        if (canonical != null && (number || canonical.first() == 'f')) {
            members.remove(CANONICAL);
        }
    }

    /** Returns the block of a parameter in normal form. */
    static BlockSelector block(RawJson normal) {
        if (normal.first() == '{') {
            return blockOfObject(normal);
        }
        HexText text = HexText.read(normal);
        if (text != null) {
            return text.digits() == HASH_DIGITS ? blockOfHash(normal) : new BlockSelector.Height(text.toLong());
        }
        BlockTag tag = BlockTag.read(normal);
        return tag == null ? BlockSelector.NONE : new BlockSelector.Tag(tag);
    }

    /** Returns the block whose hash is a parameter in normal form. */
    static BlockSelector.Hash blockOfHash(RawJson normal) {
        return new BlockSelector.Hash(unquoted(normal), false);
    }

    private static BlockSelector blockOfObject(RawJson normal) {
        RawJson hash = JsonObject.member(normal, HASH_NAME);
        if (hash == null) {
            RawJson number = JsonObject.member(normal, NUMBER_NAME);
            return number == null ? BlockSelector.NONE : block(number);
        }
        RawJson canonical = JsonObject.member(normal, CANONICAL_NAME);
        return new BlockSelector.Hash(unquoted(hash), canonical != null && canonical.first() == 't');
    }

    /** Returns the text between the quotes of a string without escapes. */
    static String unquoted(RawJson string) {
        String text = string.toString();
        return text.substring(1, text.length() - 1);
    }
}
