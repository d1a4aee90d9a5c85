package io.weir.l2.curve;

import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.math.ec.ECPoint;

/**
 * Arithmetic with secrets. The library's is not of constant time, so each operation works on numbers that are random anew every time
 * and together give the same result. Thread-safe.
 */
final class Blinding {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final BigInteger ORDER = StarkCurve.ORDER;
    private static final int SPARE_BITS = 64;

    private Blinding() {}

    /** The generator times a secret: the sum of its products with two random numbers that add up to it. */
    static ECPoint multiplyGenerator(BigInteger secret) {
        BigInteger one = random();
        BigInteger other = secret.subtract(one).mod(ORDER);
        return StarkCurve.multiplyFixed(StarkCurve.GENERATOR, one)
                .add(StarkCurve.multiplyFixed(StarkCurve.GENERATOR, other));
    }

    /** A number times a secret, by the order of the curve: the secret is raised by a random multiple of the order. */
    static BigInteger multiply(BigInteger number, BigInteger secret) {
        BigInteger raised = secret.add(ORDER.multiply(new BigInteger(SPARE_BITS, RANDOM)));
        return number.multiply(raised).mod(ORDER);
    }

    /** The inverse of a secret, by way of its product with a random number. */
    static BigInteger invert(BigInteger secret) {
        BigInteger factor = random();
        return multiply(factor, secret).modInverse(ORDER).multiply(factor).mod(ORDER);
    }

    private static BigInteger random() {
        BigInteger number;
        do {
            number = new BigInteger(ORDER.bitLength(), RANDOM);
        } while (number.signum() == 0 || number.compareTo(ORDER) >= 0);
        return number;
    }
}
