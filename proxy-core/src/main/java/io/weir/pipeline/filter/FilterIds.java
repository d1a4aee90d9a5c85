package io.weir.pipeline.filter;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Random;

/** Generator of unpredictable ids of filters and subscriptions: 128 random bits in geth's notation. Thread-safe, like its source. */
public final class FilterIds {

    private static final int BITS = 128;

    private final Random random;

    public FilterIds(SecureRandom random) {
        this.random = random;
    }

    /** Returns the next id. */
    public String next() {
        return "0x" + new BigInteger(BITS, random).toString(16);
    }
}
