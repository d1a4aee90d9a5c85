package io.weir.ethereum.signature;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.jspecify.annotations.Nullable;

/** The curve of Ethereum's accounts. Thread-safe. */
public final class Secp256k1 {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByName("secp256k1");
    private static final ECDomainParameters DOMAIN = new ECDomainParameters(CURVE);

    /** The order of the group: keys, r and s are below it. */
    public static final BigInteger ORDER = CURVE.getN();

    static final BigInteger HALF_ORDER = ORDER.shiftRight(1);

    private Secp256k1() {}

    /** Signs a hash with a private key: the same nonce for the same input (RFC 6979), s in the lower half (EIP-2). */
    public static Signature sign(Hash32 hash, BigInteger privateKey) {
        checkKey(privateKey);
        PointSigner signer = new PointSigner();
        signer.init(true, new ECPrivateKeyParameters(privateKey, DOMAIN));
        BigInteger[] rs = signer.generateSignature(hash.toArray());
        boolean high = rs[1].compareTo(HALF_ORDER) > 0;
        // The lower s is that of the opposite point.
        int yParity = signer.isPointOdd() == high ? 0 : 1;
        return new Signature(yParity, rs[0], high ? ORDER.subtract(rs[1]) : rs[1]);
    }

    /**
     * The address whose key signed a hash. Uses the native library where there is one.
     *
     * @throws IllegalArgumentException when r or s break the rule or belong to no point of the curve
     */
    public static Address recover(Hash32 hash, Signature signature, SignatureRule rule) {
        rule.check(signature);
        NativeRecovery library = Library.RECOVERY;
        byte[] key = library == null ? null : library.recover(hash, signature);
        // Without a key, the own code says what is wrong.
        return key == null ? recover(hash, signature) : Address.ofHash(Hash32.keccak(key));
    }

    /** The same without the native library and the rule. */
    static Address recover(Hash32 hash, Signature signature) {
        ECPoint point = point(signature);
        BigInteger inverse = signature.r().modInverse(ORDER);
        BigInteger message = new BigInteger(1, hash.toArray());
        BigInteger u1 = inverse.multiply(message).negate().mod(ORDER);
        BigInteger u2 = inverse.multiply(signature.s()).mod(ORDER);
        ECPoint key = ECAlgorithms.sumOfTwoMultiplies(CURVE.getG(), u1, point, u2);
        if (key.isInfinity()) {
            throw new IllegalArgumentException("signature: recovers no key (expected: a point of the curve)");
        }
        return address(key);
    }

    /** Loaded with the first recovery, so that a start does not wait for it. */
    private static final class Library {

        static final @Nullable NativeRecovery RECOVERY = load();

        private static @Nullable NativeRecovery load() {
            try {
                return NativeRecovery.load();
            } catch (RuntimeException | LinkageError e) {
                // Our own code does the same.
                return null;
            }
        }
    }

    /** The address of a private key. */
    public static Address address(BigInteger privateKey) {
        checkKey(privateKey);
        return address(new FixedPointCombMultiplier().multiply(CURVE.getG(), privateKey));
    }

    private static Address address(ECPoint publicKey) {
        byte[] encoded = publicKey.normalize().getEncoded(false);
        return Address.ofHash(Hash32.keccak(Arrays.copyOfRange(encoded, 1, encoded.length)));
    }

    /** Coordinates between the order and the field's prime would need a recovery id of 2 or 3, which Ethereum has not. */
    private static ECPoint point(Signature signature) {
        byte[] encoded = new byte[33];
        encoded[0] = (byte) (2 + signature.yParity());
        byte[] r = signature.r().toByteArray();
        int length = Math.min(r.length, Hash32.SIZE_BYTES);
        System.arraycopy(r, r.length - length, encoded, encoded.length - length, length);
        try {
            return CURVE.getCurve().decodePoint(encoded);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "r: 0x" + signature.r().toString(16) + " (expected: the coordinate of a point of the curve)", e);
        }
    }

    private static void checkKey(BigInteger privateKey) {
        if (privateKey.signum() <= 0 || privateKey.compareTo(ORDER) >= 0) {
            // The value itself is a secret, even a wrong one.
            throw new IllegalArgumentException("private key: out of range (expected: above 0 and below the order)");
        }
    }
}
