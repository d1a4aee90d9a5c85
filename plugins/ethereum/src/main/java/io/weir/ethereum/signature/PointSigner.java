package io.weir.ethereum.signature;

import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.math.ec.ECMultiplier;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.jspecify.annotations.Nullable;

/**
 * A signer that remembers the point with the coordinate r. Finding its parity by recovering a key would cost more than signing.
 * Confined to one thread.
 */
final class PointSigner extends ECDSASigner {
    private @Nullable ECPoint point;

    PointSigner() {
        super(new HMacDSAKCalculator(new SHA256Digest()));
    }

    @Override
    protected ECMultiplier createBasePointMultiplier() {
        ECMultiplier multiplier = new FixedPointCombMultiplier();
        return (base, nonce) -> {
            ECPoint product = multiplier.multiply(base, nonce).normalize();
            point = product;
            return product;
        };
    }

    /** Whether the last signature's point has an odd second coordinate. */
    boolean isPointOdd() {
        ECPoint last = point;
        if (last == null) {
            throw new IllegalStateException("point: none (expected: after a signature)");
        }
        return last.getAffineYCoord().testBitZero();
    }
}
