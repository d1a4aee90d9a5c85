package io.weir.pipeline.filter;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Random;

/** Generator of unpredictable ids: 128 random bits in geth's notation. Thread-safe, like its source. */
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
