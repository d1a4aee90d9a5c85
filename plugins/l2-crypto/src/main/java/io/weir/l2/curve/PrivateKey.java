package io.weir.l2.curve;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A private key, in bytes that are wiped on close. Confined to one thread. It shows itself nowhere: {@code toString} names the
 * type alone.
 */
public final class PrivateKey implements AutoCloseable {
    private final byte[] bytes;
    private boolean closed;

    private PrivateKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A key of 32 bytes, the most significant first. The array is copied: whoever made it wipes it.
     *
     * @throws IllegalArgumentException when it is 0 or not below the order of the curve; the text does not hold the key
     */
    public static PrivateKey of(byte[] bytes) {
        if (bytes.length != Felt.SIZE_BYTES) {
            throw new IllegalArgumentException("private key: " + bytes.length + " bytes (expected: 32)");
        }
        BigInteger number = new BigInteger(1, bytes);
        if (number.signum() == 0 || number.compareTo(StarkCurve.ORDER) >= 0) {
            throw new IllegalArgumentException(
                    "private key: out of range (expected: above 0 and below the curve's order)");
        }
        return new PrivateKey(bytes.clone());
    }

    /** A copy of the 32 bytes: whoever asks wipes it. */
    public byte[] toBytes() {
        checkOpen();
        return bytes.clone();
    }

    /** A number that cannot be wiped: see the package's words on secrets. */
    BigInteger toNumber() {
        checkOpen();
        return new BigInteger(1, bytes);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("private key: wiped (expected: used before its close)");
        }
    }

    @Override
    public void close() {
        closed = true;
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public String toString() {
        return "PrivateKey";
    }
}
