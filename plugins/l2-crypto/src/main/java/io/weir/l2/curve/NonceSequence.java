package io.weir.l2.curve;

import io.weir.l2.Felt;
import java.math.BigInteger;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.util.BigIntegers;

/** The nonce of a signature (RFC 6979 with SHA-256), with a seed where an earlier one gave no signature. Confined to one thread. */
final class NonceSequence extends HMacDSAKCalculator {
    private final byte[] seed;

    private NonceSequence(BigInteger seed) {
        super(new SHA256Digest());
        this.seed = seed.signum() == 0 ? new byte[0] : BigIntegers.asUnsignedByteArray(seed);
    }

    /** The nonce for a hash, a key and a seed; the seed 0 is as none. */
    static BigInteger nonce(Felt hash, BigInteger privateKey, BigInteger seed) {
        NonceSequence sequence = new NonceSequence(seed);
        // RFC 6979 keeps the first 252 bits of a hash, as long as the order. The network's hashes are numbers of at
        // most 63
        // digits whose last digit counts: with a digit 0 after it, what is cut off is that digit and the number stays
        // whole.
        byte[] message = BigIntegers.asUnsignedByteArray(
                Felt.SIZE_BYTES, hash.toBigInteger().shiftLeft(4));
        sequence.init(StarkCurve.ORDER, privateKey, message);
        return sequence.nextK();
    }

    @Override
    protected void initAdditionalInput0(HMac hmac) {
        hmac.update(seed, 0, seed.length);
    }

    @Override
    protected void initAdditionalInput1(HMac hmac) {
        hmac.update(seed, 0, seed.length);
    }
}
