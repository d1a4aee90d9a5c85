package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One complete JSON value as UTF-8 text: a range of a heap array that nobody writes to any more. Immutable; equal by
 * content.
 */
public final class RawJson {

    /** {@code null} */
    public static final RawJson NULL = of("null");

    /** {@code []} */
    public static final RawJson EMPTY_ARRAY = of("[]");

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

    /** The value that stands at a range of an array, which the caller gives up. */
    public static RawJson slice(byte[] array, int offset, int length) {
        return new RawJson(array, offset, length);
    }

    /** The value that a whole array holds, which the caller gives up. */
    public static RawJson of(byte[] array) {
        return new RawJson(array, 0, array.length);
    }

    /** The value of this text. */
    public static RawJson of(String json) {
        return of(json.getBytes(UTF_8));
    }

    /** The array that holds the value; not to be written to. */
    public byte[] array() {
        return array;
    }

    /** Where in the array the value begins. */
    public int offset() {
        return offset;
    }

    /** How many bytes the value has. */
    public int length() {
        return length;
    }

    /** The value's first byte, which tells its type. */
    public byte first() {
        return array[offset];
    }

    /** The value's bytes, copied. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** The same value in an array of its own, so that the one it was cut from can be freed. */
    public RawJson compact() {
        return length == array.length ? this : of(toBytes());
    }

    /** Whether it is the very same range of the very same array: told without reading it. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isSame(RawJson other) {
        return array == other.array && offset == other.offset && length == other.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawJson that
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    /**
     * Eight bytes at a time, mixed with what no sender knows: many values under one hash would make each lookup a search. Not the same
     * in another process.
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
     * Folds the 128 bits of a product into 64. The upper half depends on the secret in every bit, so that no sender can choose two words
     * whose difference a later word takes back; the lower half alone allows that, in the uppermost bits.
     */
    private static long mixed(long word) {
        return word * MULTIPLIER ^ Math.multiplyHigh(word, MULTIPLIER);
    }

    /** The value's text. */
    @Override
    public String toString() {
        return new String(array, offset, length, UTF_8);
    }
}
