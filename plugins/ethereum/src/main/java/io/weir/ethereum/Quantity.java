package io.weir.ethereum;

import java.math.BigInteger;

/** Whole numbers as JSON-RPC writes them: {@code 0x} and the fewest digits, zero as {@code 0x0}. Thread-safe. */
public final class Quantity {
    private static final int MAX_DIGITS = 64;

    private Quantity() {}

    /** A number from 0 up as text. */
    public static String encode(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("quantity: " + value + " (expected: not negative)");
        }
        return "0x" + Long.toHexString(value);
    }

    /** All 64 bits as an unsigned number as text. */
    public static String encodeUnsigned(long value) {
        return "0x" + Long.toHexString(value);
    }

    /** A number from 0 up as text. */
    public static String encode(BigInteger value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException("quantity: " + value + " (expected: not negative)");
        }
        return "0x" + value.toString(16);
    }

    /** The number that a text stands for, up to 2^63-1. */
    public static long decodeLong(String text) {
        int digits = digits(text);
        if (digits > 16 || (digits == 16 && Hex.digit(text, 2) > 7)) {
            throw new IllegalArgumentException("quantity: " + Hex.excerpt(text) + " (expected: at most 2^63-1)");
        }
        return parse(text);
    }

    /** The number that a text stands for, up to 2^64-1, as the bits of an unsigned long. */
    public static long decodeUnsignedLong(String text) {
        if (digits(text) > 16) {
            throw new IllegalArgumentException("quantity: " + Hex.excerpt(text) + " (expected: at most 2^64-1)");
        }
        return parse(text);
    }

    /** The number that a text stands for, up to 2^256-1. */
    public static BigInteger decode(String text) {
        int digits = digits(text);
        if (digits <= 15) {
            return BigInteger.valueOf(parse(text));
        }
        for (int i = 2; i < text.length(); i++) {
            Hex.digit(text, i);
        }
        return new BigInteger(text.substring(2), 16);
    }

    private static long parse(String text) {
        long value = 0;
        for (int i = 2; i < text.length(); i++) {
            value = value << 4 | Hex.digit(text, i);
        }
        return value;
    }

    private static int digits(String text) {
        if (!Hex.hasPrefix(text) || text.length() == 2) {
            throw new IllegalArgumentException("quantity: " + Hex.excerpt(text) + " (expected: 0x and digits)");
        }
        int digits = text.length() - 2;
        if (digits > 1 && text.charAt(2) == '0') {
            throw new IllegalArgumentException("quantity: " + Hex.excerpt(text) + " (expected: no leading zeros)");
        }
        if (digits > MAX_DIGITS) {
            throw new IllegalArgumentException("quantity: " + Hex.excerpt(text) + " (expected: at most 2^256-1)");
        }
        return digits;
    }
}
