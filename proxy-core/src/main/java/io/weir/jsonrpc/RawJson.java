package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One complete JSON value as UTF-8 text: a range of a heap array that nobody modifies any more. Immutable. Equality
 * compares the content.
 */
public final class RawJson {

    /** {@code null} */
    public static final RawJson NULL = of("null");

    /** {@code []} */
    public static final RawJson EMPTY_ARRAY = of("[]");

    /** Digits of a number that surely fits into a {@code long}. */
    private static final int MAX_DIGITS = 18;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SECRET = new SplittableRandom().nextLong();
    private static final long MULTIPLIER = new SplittableRandom().nextLong() | 1;

    private final byte[] array;
    private final int offset;
    private final int length;

    private RawJson(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Returns the value in a range of an array. The caller must not modify the array afterwards. */
    public static RawJson slice(byte[] array, int offset, int length) {
        return new RawJson(array, offset, length);
    }

    /** Returns the value that fills a whole array. The caller must not modify the array afterwards. */
    public static RawJson of(byte[] array) {
        return new RawJson(array, 0, array.length);
    }

    public static RawJson of(String json) {
        return of(json.getBytes(UTF_8));
    }

    /** Returns the array that holds the value. Callers must not modify it. */
    public byte[] array() {
        return array;
    }

    /** Returns the index in the array at which the value begins. */
    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** Returns the value's first byte, which determines its type. */
    public byte first() {
        return array[offset];
    }

    public byte[] toBytes() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** Returns the same value in an array of its own, so that the original array can be freed. */
    public RawJson compact() {
        return length == array.length ? this : of(toBytes());
    }

    /**
     * Returns this value with another text in place of a part of it.
     *
     * @param part a range of this value's array within this value
     */
    public RawJson with(RawJson part, String text) {
        byte[] middle = text.getBytes(UTF_8);
        int before = part.offset - offset;
        int rest = part.offset + part.length;
        byte[] changed = new byte[length - part.length + middle.length];
        System.arraycopy(array, offset, changed, 0, before);
        System.arraycopy(middle, 0, changed, before, middle.length);
        System.arraycopy(array, rest, changed, before + middle.length, offset + length - rest);
        return of(changed);
    }

    /** Returns whether the other value is the same range of the same array. Does not read the content. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isSame(RawJson other) {
        return array == other.array && offset == other.offset && length == other.length;
    }

    /** Returns whether the value is this number, which is not negative, in decimal digits and nothing else. */
    public boolean isNumber(long number) {
        long rest = number;
        int at = offset + length;
        do {
            if (--at < offset || array[at] != '0' + rest % 10) {
                return false;
            }
            rest /= 10;
        } while (rest > 0);
        return at == offset;
    }

    /** Returns the number that the value is, if it is up to 18 decimal digits and nothing else; otherwise -1. */
    public long toNumber() {
        if (length == 0 || length > MAX_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int at = offset; at < offset + length; at++) {
            int digit = array[at] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawJson that
                && length == that.length
                && (isSame(that)
                        || Arrays.equals(
                                array, offset, offset + length, that.array, that.offset, that.offset + that.length));
    }

    /**
     * Hashes eight bytes at a time, mixed with a secret that no sender knows. Without the secret, a sender could give
     * many values one hash and turn each lookup into a search. The hash differs between processes.
     */
    @Override
    public int hashCode() {
        long hash = SECRET ^ length;
        int at = offset;
        for (int last = offset + length - Long.BYTES; at <= last; at += Long.BYTES) {
            hash = mixed(hash ^ (long) WORD.get(array, at));
        }
        long rest = 0;
        for (int end = offset + length; at < end; at++) {
            rest = (rest << Byte.SIZE) | (array[at] & 0xff);
        }
        long last = mixed(hash ^ rest);
        return (int) (last ^ last >>> 32);
    }

    /**
     * Folds the 128 bits of a product into 64. Every bit of the upper half depends on the secret, so no sender can
     * choose two words whose difference a later word cancels. The lower half alone would allow that in its uppermost
     * bits.
     */
    private static long mixed(long word) {
        return word * MULTIPLIER ^ Math.multiplyHigh(word, MULTIPLIER);
    }

    @Override
    public String toString() {
        return new String(array, offset, length, UTF_8);
    }
}
