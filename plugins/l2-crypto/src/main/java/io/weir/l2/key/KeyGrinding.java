package io.weir.l2.key;

import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.StarkCurve;
import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.util.BigIntegers;

/**
 * Makes a key of the Stark curve from any 32 secret bytes. Hashes them with a running number until the result, taken modulo the
 * order, favours no key. Thread-safe.
 */
public final class KeyGrinding {
    private static final BigInteger SHA256_SIZE = BigInteger.ONE.shiftLeft(256);
    private static final BigInteger LIMIT = SHA256_SIZE.subtract(SHA256_SIZE.mod(StarkCurve.ORDER));

    private KeyGrinding() {}

    /** The key of 32 secret bytes. The array stays as it is: whoever made it wipes it. The caller closes the key. */
    public static PrivateKey grind(byte[] secret) {
        byte[] hash = new byte[32];
        // One hash in 31 is refused, so that 256 in a row never are.
        for (int number = 0; number < 256; number++) {
            SHA256Digest digest = new SHA256Digest();
            digest.update(secret, 0, secret.length);
            digest.update((byte) number);
            digest.doFinal(hash, 0);
            BigInteger candidate = new BigInteger(1, hash);
            if (candidate.compareTo(LIMIT) < 0) {
                Arrays.fill(hash, (byte) 0);
                return key(candidate.mod(StarkCurve.ORDER));
            }
        }
        throw new IllegalStateException("key: none found (expected: one below the limit within 256 hashes)");
    }

    private static PrivateKey key(BigInteger number) {
        byte[] bytes = BigIntegers.asUnsignedByteArray(32, number);
        try {
            return PrivateKey.of(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
