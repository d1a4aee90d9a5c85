package io.weir.l2.key;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.util.BigIntegers;

/** A private node of a BIP-32 tree: a key of secp256k1 and a chain code, wiped on close. Confined to one thread. */
final class Bip32Node implements AutoCloseable {
    /** Added to the number of a child that follows from the private key alone, written with an apostrophe in paths. */
    static final int HARDENED = 0x8000_0000;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] MASTER = "Bitcoin seed".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_BYTES = 32;

    private final byte[] key;
    private final byte[] chainCode;

    private Bip32Node(byte[] key, byte[] chainCode) {
        this.key = key;
        this.chainCode = chainCode;
    }

    /** The root of a seed. The array stays as it is. */
    static Bip32Node master(byte[] seed) {
        byte[] hash = hmac(MASTER, seed);
        try {
            return of(new BigInteger(1, hash, 0, KEY_BYTES), hash);
        } finally {
            Arrays.fill(hash, (byte) 0);
        }
    }

    /** The node at the end of a path from this one; every node between is wiped. The caller closes both. */
    Bip32Node derive(int... path) {
        Bip32Node node = new Bip32Node(key.clone(), chainCode.clone());
        for (int index : path) {
            Bip32Node child = node.child(index);
            node.close();
            node = child;
        }
        return node;
    }

    private Bip32Node child(int index) {
        byte[] data = new byte[1 + KEY_BYTES + 4];
        if ((index & HARDENED) != 0) {
            System.arraycopy(key, 0, data, 1, KEY_BYTES);
        } else {
            System.arraycopy(PublicPoint.of(new BigInteger(1, key), RANDOM), 0, data, 0, 1 + KEY_BYTES);
        }
        for (int shift = 0; shift < 4; shift++) {
            data[1 + KEY_BYTES + shift] = (byte) (index >> (24 - 8 * shift));
        }
        byte[] hash = hmac(chainCode, data);
        try {
            return child(hash);
        } finally {
            Arrays.fill(data, (byte) 0);
            Arrays.fill(hash, (byte) 0);
        }
    }

    /** The child with this hash, whose first half is added to the key and whose other half is the chain code. */
    Bip32Node child(byte[] hash) {
        BigInteger tweak = new BigInteger(1, hash, 0, KEY_BYTES);
        if (tweak.compareTo(PublicPoint.ORDER) >= 0) {
            throw new IllegalStateException("node: none at this place (expected: another index)");
        }
        return of(tweak.add(new BigInteger(1, key)).mod(PublicPoint.ORDER), hash);
    }

    /** One place in 2^127 has no node: BIP-32 says to take the next. */
    static Bip32Node of(BigInteger key, byte[] hash) {
        if (key.signum() == 0 || key.compareTo(PublicPoint.ORDER) >= 0) {
            throw new IllegalStateException("node: none at this place (expected: another index)");
        }
        return new Bip32Node(
                BigIntegers.asUnsignedByteArray(KEY_BYTES, key), Arrays.copyOfRange(hash, KEY_BYTES, 2 * KEY_BYTES));
    }

    /** A copy of the key: whoever asks wipes it. */
    byte[] key() {
        return key.clone();
    }

    /** A copy of the chain code: whoever asks wipes it. */
    byte[] chainCode() {
        return chainCode.clone();
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        HMac hmac = new HMac(new SHA512Digest());
        hmac.init(new KeyParameter(key));
        hmac.update(data, 0, data.length);
        byte[] hash = new byte[2 * KEY_BYTES];
        hmac.doFinal(hash, 0);
        return hash;
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
        Arrays.fill(chainCode, (byte) 0);
    }

    @Override
    public String toString() {
        return "Bip32Node";
    }
}
