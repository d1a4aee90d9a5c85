package io.weir.ethereum;

import java.math.BigInteger;

/** A 32-byte value: a hash, a root, a topic, a storage slot. Immutable. */
public record Hash32(Bytes bytes) {
    /** Length of a hash. */
    public static final int SIZE_BYTES = 32;

    /** 32 zero bytes. */
    public static final Hash32 ZERO = wrap(new byte[SIZE_BYTES]);

    public Hash32 {
        if (bytes.size() != SIZE_BYTES) {
            throw new IllegalArgumentException("hash: " + bytes.size() + " bytes (expected: 32)");
        }
    }

    /** The array itself, given away by the caller. */
    public static Hash32 wrap(byte[] array) {
        return new Hash32(Bytes.wrap(array));
    }

    /** The hash that 64 digits after {@code 0x} stand for. */
    public static Hash32 fromHex(String text) {
        return new Hash32(Bytes.fromHex(text));
    }

    /** A number from 0 to 2^256 - 1 in big-endian order, as the position of a storage slot. */
    public static Hash32 ofNumber(BigInteger number) {
        if (number.signum() < 0 || number.bitLength() > SIZE_BYTES * Byte.SIZE) {
            throw new IllegalArgumentException(
                    "number: " + number.bitLength() + " bits (expected: 0 to 256, unsigned)");
        }
        byte[] digits = number.toByteArray();
        byte[] array = new byte[SIZE_BYTES];
        int from = Math.max(0, digits.length - SIZE_BYTES);
        System.arraycopy(digits, from, array, SIZE_BYTES - (digits.length - from), digits.length - from);
        return wrap(array);
    }

    /** Keccak-256 of parts as if they were one. */
    public static Hash32 keccak(byte[]... parts) {
        return wrap(Keccak.hash(parts));
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        return bytes.toArray();
    }

    /** The text form, 66 characters. */
    public String hex() {
        return bytes.hex();
    }

    @Override
    public String toString() {
        return hex();
    }
}
