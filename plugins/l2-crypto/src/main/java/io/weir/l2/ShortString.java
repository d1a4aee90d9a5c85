package io.weir.l2;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Text of up to 31 ASCII characters as one felt: the bytes, read as a number. Thread-safe. */
public final class ShortString {
    /** One character more could pass the prime. */
    public static final int MAX_CHARACTERS = 31;

    private ShortString() {}

    /**
     * The felt of a text.
     *
     * @throws IllegalArgumentException when it is too long or not ASCII
     */
    public static Felt encode(String text) {
        if (!fits(text)) {
            throw new IllegalArgumentException(
                    "short string: " + text.length() + " characters (expected: at most 31, all of them ASCII)");
        }
        return Felt.of(new BigInteger(1, text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** The text of a felt that holds one; any other byte is shown as its character in Latin-1. */
    public static String decode(Felt felt) {
        byte[] bytes = felt.toBytes();
        int start = 0;
        while (start < bytes.length && bytes[start] == 0) {
            start++;
        }
        return new String(bytes, start, bytes.length - start, StandardCharsets.ISO_8859_1);
    }

    /** Whether a felt is the number of this text; not if the text has none. */
    public static boolean spells(String text, Felt felt) {
        return fits(text) && encode(text).equals(felt);
    }

    private static boolean fits(String text) {
        return text.length() <= MAX_CHARACTERS && text.chars().allMatch(character -> character < 128);
    }
}
