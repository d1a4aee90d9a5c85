package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Kinds of single values: hexadecimal ones, and those that have one form only. Immutable and thread-safe. */
public enum ValueKind implements Kind.Uncounted {
    /** An account. */
    ADDRESS("address of 20 bytes in hex"),
    /** A hash, or another word of 32 bytes. */
    HASH("hash of 32 bytes in hex"),
    /** Any number of bytes. Like nodes, accepts no digits and an empty string as no bytes. */
    DATA("bytes in hex"),
    /** A number up to 2^256-1. Like nodes, accepts no digits as zero. */
    QUANTITY("quantity in hex"),
    /** A number up to 2^64-1, likewise. */
    QUANTITY_64("quantity in hex of at most 64 bits"),
    /** A position in a list, up to 2^64-1. */
    INDEX("index in hex"),
    /**
     * A storage position, or a word of storage, of up to 32 bytes. Nodes differ in the lengths they accept, except for the
     * full one.
     */
    STORAGE_WORD("storage word of at most 32 bytes in hex"),
    /** A storage position of {@code eth_getProof}, whose answer repeats the form, word or quantity. */
    PROOF_KEY("storage position of at most 32 bytes in hex"),
    /** {@code true} or {@code false}. */
    BOOLEAN("true or false"),
    /** A text that only the node that created it interprets, such as a filter's id. */
    TEXT("text"),
    /** Any value except {@code null}; the node interprets it. */
    ANYTHING("a value");

    private static final int ADDRESS_DIGITS = 40;
    private static final int LONG_DIGITS = 16;
    private static final int WORD_DIGITS = 64;
    private static final RawJson NO_BYTES = RawJson.of("\"0x\"");

    private final String expected;

    ValueKind(String expected) {
        this.expected = expected;
    }

    @Override
    public String expected() {
        return expected;
    }

    @Override
    public @Nullable RawJson normal(RawJson value, ParamCounts counts) {
        byte first = value.first();
        return switch (this) {
            case BOOLEAN -> first == 't' || first == 'f' ? value : null;
            case TEXT -> first == '"' ? value : null;
            case ANYTHING -> first != 'n' ? value : null;
            default -> hex(value);
        };
    }

    private @Nullable RawJson hex(RawJson value) {
        HexText text = HexText.read(value);
        return text == null ? emptyData(value) : normal(text);
    }

    private @Nullable RawJson emptyData(RawJson value) {
        return this == DATA && value.length() == 2 && value.first() == '"' ? NO_BYTES : null;
    }

    /** Returns the normal form of a value in hex, or null if it has too many or too few digits. */
    private @Nullable RawJson normal(HexText text) {
        int digits = text.digits();
        return switch (this) {
            case ADDRESS -> digits == ADDRESS_DIGITS ? text.bytes() : null;
            case HASH -> digits == WORD_DIGITS ? text.bytes() : null;
            case DATA -> digits % 2 == 0 ? text.bytes() : null;
            case QUANTITY -> quantity(WORD_DIGITS, text);
            case QUANTITY_64 -> quantity(LONG_DIGITS, text);
            case INDEX -> digits == 0 ? null : quantity(LONG_DIGITS, text);
            case STORAGE_WORD -> digits > WORD_DIGITS ? null : text.padded(WORD_DIGITS);
            case PROOF_KEY -> digits > WORD_DIGITS ? null : digits == WORD_DIGITS ? text.bytes() : text.quantity();
            // Not in hex.
            case BOOLEAN, TEXT, ANYTHING -> null;
        };
    }

    private static @Nullable RawJson quantity(int maxDigits, HexText text) {
        return text.significantDigits() > maxDigits ? null : text.quantity();
    }
}
