package io.weir.l2.curve;

import io.weir.l2.Felt;
import java.math.BigInteger;
import org.bouncycastle.math.ec.ECPoint;

/** Signatures of the network's accounts: ECDSA on the Stark curve, the same nonce for the same input. Thread-safe. */
public final class StarkSigner {
    private static final BigInteger ORDER = StarkCurve.ORDER;

    private StarkSigner() {}

    /** The public key of a private one: the first coordinate of its point. */
    public static Felt publicKey(PrivateKey key) {
        return Felt.of(x(Blinding.multiplyGenerator(key.toNumber())));
    }

    /**
     * Signs a hash.
     *
     * @throws IllegalArgumentException when the hash is not below 2^251: no contract would accept the signature
     */
    public static Signature sign(Felt hash, PrivateKey key) {
        if (hash.toBigInteger().compareTo(StarkCurve.ELEMENT_BOUND) >= 0) {
            throw new IllegalArgumentException("hash: " + hash + " (expected: below 2^251)");
        }
        BigInteger secret = key.toNumber();
        for (BigInteger seed = BigInteger.ZERO; ; seed = seed.add(BigInteger.ONE)) {
            BigInteger nonce = NonceSequence.nonce(hash, secret, seed);
            BigInteger r = x(Blinding.multiplyGenerator(nonce));
            BigInteger sum =
                    hash.toBigInteger().add(Blinding.multiply(r, secret)).mod(ORDER);
            // Nonces that give numbers which the network's circuits do not hold are passed over; one in 2^54 is.
            if (!isElement(r) || sum.signum() == 0) {
                continue;
            }
            BigInteger inverse = Blinding.multiply(Blinding.invert(sum), nonce);
            if (isElement(inverse)) {
                return new Signature(Felt.of(r), Felt.of(inverse.modInverse(ORDER)));
            }
        }
    }

    /** Whether a signature of a hash is by the key with this public key. Numbers out of their range verify nothing. */
    public static boolean verify(Felt hash, Signature signature, Felt publicKey) {
        BigInteger r = signature.r().toBigInteger();
        BigInteger s = signature.s().toBigInteger();
        boolean inRange = hash.toBigInteger().compareTo(StarkCurve.ELEMENT_BOUND) < 0
                && isElement(r)
                && s.signum() > 0
                && s.compareTo(ORDER) < 0;
        if (!inRange) {
            return false;
        }
        BigInteger inverse = s.modInverse(ORDER);
        return isElement(inverse) && verify(hash.toBigInteger(), r, inverse, publicKey);
    }

    /** The public key is one coordinate: both points that have it must be tried. */
    private static boolean verify(BigInteger hash, BigInteger r, BigInteger inverse, Felt publicKey) {
        ECPoint key;
        try {
            key = StarkCurve.pointOfX(publicKey);
        } catch (IllegalArgumentException e) {
            return false;
        }
        BigInteger u1 = hash.multiply(inverse).mod(ORDER);
        BigInteger u2 = r.multiply(inverse).mod(ORDER);
        ECPoint ofHash = StarkCurve.multiplyFixed(StarkCurve.GENERATOR, u1);
        ECPoint ofKey = key.multiply(u2);
        return hasX(ofHash.add(ofKey), r) || hasX(ofHash.subtract(ofKey), r);
    }

    private static boolean hasX(ECPoint point, BigInteger x) {
        return !point.isInfinity() && x(point).equals(x);
    }

    private static BigInteger x(ECPoint point) {
        return point.normalize().getAffineXCoord().toBigInteger();
    }

    private static boolean isElement(BigInteger number) {
        return number.signum() > 0 && number.compareTo(StarkCurve.ELEMENT_BOUND) < 0;
    }
}
