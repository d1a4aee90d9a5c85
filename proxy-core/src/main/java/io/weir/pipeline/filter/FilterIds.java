package io.weir.pipeline.filter;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Random;

/** Mints ids that nobody can guess: 128 random bits, written as geth writes its own. Thread-safe, as its source is. */
final class FilterIds {

    private static final int BITS = 128;

    private final Random random;

    FilterIds(SecureRandom random) {
        this.random = random;
    }

    String next() {
        return "0x" + new BigInteger(BITS, random).toString(16);
    }
}
