package io.weir.l2.curve;

import io.weir.l2.Felt;
import java.math.BigInteger;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** The curve y^2 = x^3 + x + b over the field of felts, and its generator. Thread-safe. */
public final class StarkCurve {
    /** The order of the group: private keys, r and s are below it. */
    public static final BigInteger ORDER =
            new BigInteger("0800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2f", 16);

    /** The bound below which a message hash, r and the inverse of s stay. The network's circuits hold no more. */
    public static final BigInteger ELEMENT_BOUND = BigInteger.ONE.shiftLeft(251);

    private static final BigInteger B =
            new BigInteger("06f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89", 16);

    private static final ECCurve CURVE = new ECCurve.Fp(Felt.PRIME, BigInteger.ONE, B, ORDER, BigInteger.ONE, true);

    static final ECPoint GENERATOR = point(
            "01ef15c18599971b7beced415a40f0c7deacfd9b0d1819e03d723d8bc943cfca",
            "005668060aa49730b7be4801df46ec62de53ecd11abe43a32873000c36e8dc1f");

    private StarkCurve() {}

    /** The point of two hexadecimal coordinates, checked to lie on the curve. */
    public static ECPoint point(String x, String y) {
        return CURVE.validatePoint(new BigInteger(x, 16), new BigInteger(y, 16));
    }

    /** The neutral point. */
    public static ECPoint infinity() {
        return CURVE.getInfinity();
    }

    /** A point times a number, with a table of the point's multiples that is kept with the point. */
    static ECPoint multiplyFixed(ECPoint point, BigInteger factor) {
        return new FixedPointCombMultiplier().multiply(point, factor);
    }

    /**
     * One of the two points with a coordinate x.
     *
     * @throws IllegalArgumentException when there is none
     */
    static ECPoint pointOfX(Felt x) {
        byte[] encoded = new byte[Felt.SIZE_BYTES + 1];
        encoded[0] = 2;
        System.arraycopy(x.toBytes(), 0, encoded, 1, Felt.SIZE_BYTES);
        try {
            return CURVE.decodePoint(encoded);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "public key: " + x + " (expected: the coordinate of a point of the curve)", e);
        }
    }
}
