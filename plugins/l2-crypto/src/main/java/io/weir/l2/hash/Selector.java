package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.digests.KeccakDigest;

/** The network's Keccak: the low 250 bits of Keccak-256. It names functions of contracts and types. Thread-safe. */
public final class Selector {
    private static final BigInteger MASK = BigInteger.ONE.shiftLeft(250).subtract(BigInteger.ONE);

    private Selector() {}

    /** The selector of a function by its name, or the hash of a text's UTF-8. */
    public static Felt of(String name) {
        return of(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of bytes. */
    public static Felt of(byte[] bytes) {
        KeccakDigest digest = new KeccakDigest(256);
        digest.update(bytes, 0, bytes.length);
        byte[] hash = new byte[Felt.SIZE_BYTES];
        digest.doFinal(hash, 0);
        return Felt.of(new BigInteger(1, hash).and(MASK));
    }
}
