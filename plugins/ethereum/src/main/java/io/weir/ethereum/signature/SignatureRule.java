package io.weir.ethereum.signature;

import java.math.BigInteger;

/** Which values of s a signature may have. Immutable. */
public enum SignatureRule {
    /** Frontier blocks: any s below the curve's order, so that two signatures fit one message. */
    ANY_S,
    /** Since Homestead (EIP-2): at most half of the curve's order; for all transactions that are new. */
    LOW_S;

    void check(Signature signature) {
        inOrder("r", signature.r());
        inOrder("s", signature.s());
        if (this == LOW_S && signature.s().compareTo(Secp256k1.HALF_ORDER) > 0) {
            throw new IllegalArgumentException(
                    "s: 0x" + signature.s().toString(16) + " (expected: at most half of the order, EIP-2)");
        }
    }

    private static void inOrder(String name, BigInteger value) {
        if (value.signum() <= 0 || value.compareTo(Secp256k1.ORDER) >= 0) {
            throw new IllegalArgumentException(
                    name + ": 0x" + value.toString(16) + " (expected: above 0 and below the curve's order)");
        }
    }
}
