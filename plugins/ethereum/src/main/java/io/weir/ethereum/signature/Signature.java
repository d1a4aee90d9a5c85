package io.weir.ethereum.signature;

import java.math.BigInteger;

/**
 * An ECDSA signature with the parity of its point, which lets the signer be found. The range of r and s is checked on use, so
 * that a block's signature can be kept as it is. Immutable.
 */
public record Signature(int yParity, BigInteger r, BigInteger s) {
    public Signature {
        if (yParity != 0 && yParity != 1) {
            throw new IllegalArgumentException("yParity: " + yParity + " (expected: 0 or 1)");
        }
        if (r.signum() < 0 || r.bitLength() > 256) {
            throw new IllegalArgumentException("r: 0x" + r.toString(16) + " (expected: 0 to 2^256-1)");
        }
        if (s.signum() < 0 || s.bitLength() > 256) {
            throw new IllegalArgumentException("s: 0x" + s.toString(16) + " (expected: 0 to 2^256-1)");
        }
    }
}
