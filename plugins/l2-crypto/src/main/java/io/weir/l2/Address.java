package io.weir.l2;

import java.util.Arrays;
import org.bouncycastle.crypto.digests.KeccakDigest;

/** How addresses of contracts are written. Thread-safe. */
public final class Address {
    private Address() {}

    /** {@code 0x} and 64 digits whose letters are upper case where the Keccak-256 of the address has a 1 bit. */
    public static String checksummed(Felt address) {
        byte[] hash = keccak(address.toBigInteger().signum() == 0 ? new byte[0] : shortest(address));
        StringBuilder text = new StringBuilder(address.toPaddedHex());
        for (int digit = 0; digit < 2 * Felt.SIZE_BYTES; digit++) {
            int bit = 4 * digit;
            if ((hash[bit / 8] >> (7 - bit % 8) & 1) == 1) {
                text.setCharAt(digit + 2, Character.toUpperCase(text.charAt(digit + 2)));
            }
        }
        return text.toString();
    }

    private static byte[] shortest(Felt felt) {
        byte[] bytes = felt.toBigInteger().toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    private static byte[] keccak(byte[] bytes) {
        KeccakDigest digest = new KeccakDigest(256);
        digest.update(bytes, 0, bytes.length);
        byte[] hash = new byte[32];
        digest.doFinal(hash, 0);
        return hash;
    }
}
