package io.weir.l2;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** Numbers of 256 bits, which contracts write as two words of 128 bits, the lower one first. Thread-safe. */
public final class Uint256 {
    /** The bits of a word. */
    public static final int WORD_BITS = 128;

    private Uint256() {}

    /** Returns the number of two words, or nothing if a word is longer than 128 bits. */
    public static Optional<BigInteger> of(Felt low, Felt high) {
        BigInteger lower = low.toBigInteger();
        BigInteger upper = high.toBigInteger();
        return lower.bitLength() > WORD_BITS || upper.bitLength() > WORD_BITS
                ? Optional.empty()
                : Optional.of(upper.shiftLeft(WORD_BITS).or(lower));
    }

    /** Returns the number that a contract answers, in one word or in two; nothing if it answers something else. */
    public static Optional<BigInteger> of(List<Felt> words) {
        return words.size() == 2
                ? of(words.get(0), words.get(1))
                : words.stream()
                        .filter(word -> words.size() == 1)
                        .map(Felt::toBigInteger)
                        .findFirst();
    }

    /** Returns the two words of a number. */
    public static List<Felt> words(BigInteger number) {
        BigInteger high = number.shiftRight(WORD_BITS);
        return List.of(Felt.of(number.subtract(high.shiftLeft(WORD_BITS))), Felt.of(high));
    }
}
