package io.weir.ethereum.transaction;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The {@code v} of a legacy transaction: 27 or 28, or with a chain id 35 + 2 * chain id + parity (EIP-155). Immutable. */
record LegacyV(@Nullable BigInteger chainId, int yParity) {
    private static final BigInteger UNBOUND = BigInteger.valueOf(27);
    private static final BigInteger BOUND = BigInteger.valueOf(35);

    static BigInteger of(@Nullable BigInteger chainId, int yParity) {
        BigInteger base = chainId == null ? UNBOUND : chainId.shiftLeft(1).add(BOUND);
        return base.add(BigInteger.valueOf(yParity));
    }

    static LegacyV parse(BigInteger v) {
        if (v.equals(UNBOUND) || v.equals(UNBOUND.add(BigInteger.ONE))) {
            return new LegacyV(null, v.subtract(UNBOUND).intValue());
        }
        BigInteger rest = v.subtract(BOUND);
        if (rest.signum() < 0) {
            throw new IllegalArgumentException("v: " + v + " (expected: 27, 28 or at least 35)");
        }
        return new LegacyV(rest.shiftRight(1), rest.testBit(0) ? 1 : 0);
    }
}
