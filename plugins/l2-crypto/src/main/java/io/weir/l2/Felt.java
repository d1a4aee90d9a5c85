package io.weir.l2;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** A field element: a whole number from 0 to below the field's prime, 2^251 + 17 * 2^192 + 1. Immutable. */
public final class Felt implements Comparable<Felt> {
    /** The number of elements of the field. */
    public static final BigInteger PRIME = BigInteger.ONE
            .shiftLeft(251)
            .add(BigInteger.valueOf(17).shiftLeft(192))
            .add(BigInteger.ONE);

    /** How many bytes a felt takes. */
    public static final int SIZE_BYTES = 32;

    public static final Felt ZERO = new Felt(BigInteger.ZERO);
    public static final Felt ONE = new Felt(BigInteger.ONE);

    private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]{1,64}");
    /** 2^256 has 78 digits. */
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,78}");

    private final BigInteger value;

    private Felt(BigInteger value) {
        this.value = value;
    }

    /**
     * A number as a felt.
     *
     * @throws IllegalArgumentException when it is negative or not below the prime
     */
    public static Felt of(BigInteger value) {
        if (value.signum() < 0 || value.compareTo(PRIME) >= 0) {
            throw new IllegalArgumentException(
                    "felt: " + shown(value) + " (expected: from 0 to below the field's prime)");
        }
        return new Felt(value);
    }

    /** A number as a felt, see {@link #of(BigInteger)}. */
    public static Felt of(long value) {
        return of(BigInteger.valueOf(value));
    }

    /** A number as a felt, counted round the prime: -1 is the greatest felt. */
    public static Felt reduced(BigInteger value) {
        return new Felt(value.mod(PRIME));
    }

    /** 32 bytes, the most significant first, see {@link #of(BigInteger)}. */
    public static Felt of(byte[] bytes) {
        if (bytes.length != SIZE_BYTES) {
            throw new IllegalArgumentException("felt: " + bytes.length + " bytes (expected: 32)");
        }
        return of(new BigInteger(1, bytes));
    }

    /**
     * {@code 0x} and up to 64 hexadecimal digits, leading zeros allowed.
     *
     * @throws IllegalArgumentException when it is something else or not below the prime
     */
    public static Felt parseHex(String text) {
        if (!HEX.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "felt: " + shown(text) + " (expected: 0x and 1 to 64 hexadecimal digits)");
        }
        return of(new BigInteger(text.substring(2), 16));
    }

    /**
     * Hexadecimal after {@code 0x}, otherwise decimal.
     *
     * @throws IllegalArgumentException when it is something else or not below the prime
     */
    public static Felt parse(String text) {
        if (text.startsWith("0x") || text.startsWith("0X")) {
            return parseHex(text);
        }
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "felt: " + shown(text) + " (expected: a decimal number, or 0x and hexadecimal digits)");
        }
        return of(new BigInteger(text));
    }

    /** The number. */
    public BigInteger toBigInteger() {
        return value;
    }

    /** 32 bytes, the most significant first; a new array each time. */
    public byte[] toBytes() {
        byte[] bytes = new byte[SIZE_BYTES];
        byte[] shortest = value.toByteArray();
        // The prime has 252 bits: the sign never needs a byte more.
        System.arraycopy(shortest, 0, bytes, SIZE_BYTES - shortest.length, shortest.length);
        return bytes;
    }

    /** {@code 0x} and the digits without leading zeros, as nodes want it. */
    public String toHex() {
        return "0x" + value.toString(16);
    }

    /** {@code 0x} and 64 digits, as wallets show addresses. */
    public String toPaddedHex() {
        String digits = value.toString(16);
        return "0x" + "0".repeat(2 * SIZE_BYTES - digits.length()) + digits;
    }

    /** Whether it is 0. */
    public boolean isZero() {
        return value.signum() == 0;
    }

    @Override
    public int compareTo(Felt other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Felt felt && felt.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return toHex();
    }

    private static String shown(BigInteger value) {
        return value.bitLength() > 512 ? "a number of " + value.bitLength() + " bits" : value.toString();
    }

    private static String shown(String text) {
        return text.length() > 80 ? text.length() + " characters" : text;
    }
}
