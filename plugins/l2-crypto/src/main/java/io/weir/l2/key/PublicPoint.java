package io.weir.l2.key;

import java.math.BigInteger;
import java.util.Random;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** Public keys of secp256k1, whose private keys no product meets as they are. Thread-safe. */
final class PublicPoint {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByName("secp256k1");

    static final BigInteger ORDER = CURVE.getN();

    /** A number of the generator's product. */
    @FunctionalInterface
    interface Multiplier {
        ECPoint generatorTimes(BigInteger number);
    }

    private PublicPoint() {}

    /** The compressed public key of a private one. */
    static byte[] of(BigInteger secret, Random random) {
        return of(secret, random, number -> new FixedPointCombMultiplier().multiply(CURVE.getG(), number));
    }

    /**
     * The same. The multiplication is not of constant time: it gets two random numbers that add up to the secret.
     *
     * @param random of cryptographic strength, but in tests
     */
    static byte[] of(BigInteger secret, Random random, Multiplier multiplier) {
        BigInteger one = new BigInteger(ORDER.bitLength() + Long.SIZE, random).mod(ORDER);
        BigInteger other = secret.subtract(one).mod(ORDER);
        return multiplier
                .generatorTimes(one)
                .add(multiplier.generatorTimes(other))
                .normalize()
                .getEncoded(true);
    }
}
