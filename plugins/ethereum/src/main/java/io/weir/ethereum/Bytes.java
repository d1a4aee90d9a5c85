package io.weir.ethereum;

import java.util.Arrays;

/** A byte string that is equal to another with the same bytes. Immutable. */
public final class Bytes {
    /** No bytes at all. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** The bytes as they are now; later changes to the array are not seen. */
    public static Bytes copyOf(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array.clone());
    }

    /** The bytes of an array from one index up to, not including, another. */
    public static Bytes copyOf(byte[] array, int from, int to) {
        return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(array, from, to));
    }

    /** The array itself, without a copy: the caller gives it away and may not change it any more. */
    public static Bytes wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    /** The bytes that a text like {@code 0x00ff} stands for. */
    public static Bytes fromHex(String text) {
        return wrap(Hex.decode(text));
    }

    /** How many bytes. */
    public int size() {
        return array.length;
    }

    /** Whether there are no bytes. */
    public boolean isEmpty() {
        return array.length == 0;
    }

    /** The byte at an index, 0 to 255. */
    public int at(int index) {
        return array[index] & 0xff;
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        return array.clone();
    }

    /** Puts the bytes into an array, beginning at an offset. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(array, 0, target, offset, array.length);
    }

    /** Keccak-256 of the bytes. */
    public Hash32 keccak() {
        return Hash32.wrap(Keccak.hash(array));
    }

    /** The text form, {@code 0x} and two digits a byte. */
    public String hex() {
        return Hex.encode(array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return hex();
    }
}
