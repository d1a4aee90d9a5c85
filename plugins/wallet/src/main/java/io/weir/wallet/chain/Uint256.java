package io.weir.wallet.chain;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.Optional;

/** Numbers of 256 bits, which contracts write as two words of 128 bits, the lower one first. Thread-safe. */
public final class Uint256 {
    private static final int WORD_BITS = 128;

    /** The highest number, by which token contracts mean an allowance without a limit. */
    public static final BigInteger MAX = BigInteger.ONE.shiftLeft(2 * WORD_BITS).subtract(BigInteger.ONE);

    private Uint256() {}

    /** Returns the number of two words, or nothing if a word is longer than 128 bits. */
    public static Optional<BigInteger> of(Felt low, Felt high) {
        BigInteger lower = low.toBigInteger();
        BigInteger upper = high.toBigInteger();
        return lower.bitLength() > WORD_BITS || upper.bitLength() > WORD_BITS
                ? Optional.empty()
                : Optional.of(upper.shiftLeft(WORD_BITS).or(lower));
    }
}
