package io.weir.ethereum;

/** A 20-byte account address. Immutable. */
public record Address(Bytes bytes) {
    /** Length of an address. */
    public static final int SIZE_BYTES = 20;

    /** 20 zero bytes. */
    public static final Address ZERO = wrap(new byte[SIZE_BYTES]);

    public Address {
        if (bytes.size() != SIZE_BYTES) {
            throw new IllegalArgumentException("address: " + bytes.size() + " bytes (expected: 20)");
        }
    }

    /** The array itself, given away by the caller. */
    public static Address wrap(byte[] array) {
        return new Address(Bytes.wrap(array));
    }

    /** The address that 40 digits after {@code 0x} stand for; the case of digits is not looked at. */
    public static Address fromHex(String text) {
        return new Address(Bytes.fromHex(text));
    }

    /** The last 20 bytes of a hash: how keys and created contracts get their addresses. */
    public static Address ofHash(Hash32 hash) {
        return new Address(Bytes.copyOf(hash.toArray(), Hash32.SIZE_BYTES - SIZE_BYTES, Hash32.SIZE_BYTES));
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        return bytes.toArray();
    }

    /** The text form, 42 characters in lower case. */
    public String hex() {
        return bytes.hex();
    }

    @Override
    public String toString() {
        return hex();
    }
}
