package io.weir.l2.transaction;

import io.weir.l2.ShortString;
import java.math.BigInteger;

/** How much of one kind of gas a transaction may use, and what it pays for a unit at most. Immutable. */
public record ResourceBound(BigInteger maxAmount, BigInteger maxPricePerUnit) {
    private static final int AMOUNT_BITS = 64;
    private static final int PRICE_BITS = 128;

    public static final ResourceBound NONE = new ResourceBound(BigInteger.ZERO, BigInteger.ZERO);

    public ResourceBound {
        check("max_amount", maxAmount, AMOUNT_BITS);
        check("max_price_per_unit", maxPricePerUnit, PRICE_BITS);
    }

    /** The name of the resource, the amount and the price in one number. */
    BigInteger packed(String resource) {
        BigInteger name = ShortString.encode(resource).toBigInteger();
        return name.shiftLeft(AMOUNT_BITS).or(maxAmount).shiftLeft(PRICE_BITS).or(maxPricePerUnit);
    }

    static void check(String name, BigInteger value, int bits) {
        if (value.signum() < 0 || value.bitLength() > bits) {
            throw new IllegalArgumentException(name + ": out of range (expected: from 0 to below 2^" + bits + ")");
        }
    }
}
