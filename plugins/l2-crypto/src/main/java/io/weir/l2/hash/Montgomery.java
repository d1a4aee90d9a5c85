package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;

/**
 * Arithmetic of felts in Montgomery form: a felt times 2^256, reduced, as four limbs of 64 bits, the lowest first. A product takes a
 * twentieth of the time of {@link BigInteger}, and no memory. Results go into the first argument, which may be an operand too. The time
 * depends on the operands, so no secret may be among them. Thread-safe.
 *
 * <p>The prime is 2^251 + 17 * 2^192 + 1. Its lowest limb is 1, so the negated inverse that Montgomery's reduction multiplies with is -1.
 * Its next two limbs are 0, so each step of the reduction needs one product.
 */
final class Montgomery {
    private static final int LIMBS = 4;
    private static final long PRIME_TOP = 0x0800000000000011L;
    private static final int RADIX_BITS = LIMBS * Long.SIZE;

    private static final long[] RADIX_SQUARED =
            limbs(BigInteger.ONE.shiftLeft(2 * RADIX_BITS).mod(Felt.PRIME));
    private static final long[] PLAIN_ONE = {1, 0, 0, 0};

    private Montgomery() {}

    /** Returns a number from 0 to below the prime in this form. */
    static long[] of(BigInteger number) {
        long[] limbs = limbs(number);
        multiply(limbs, limbs, RADIX_SQUARED);
        return limbs;
    }

    /** Returns the felt that is in this form. */
    static Felt toFelt(long[] value) {
        long[] plain = new long[LIMBS];
        multiply(plain, value, PLAIN_ONE);
        BigInteger number = BigInteger.ZERO;
        for (int limb = LIMBS - 1; limb >= 0; limb--) {
            number = number.shiftLeft(Integer.SIZE)
                    .or(BigInteger.valueOf(plain[limb] >>> Integer.SIZE))
                    .shiftLeft(Integer.SIZE)
                    .or(BigInteger.valueOf(plain[limb] & 0xffffffffL));
        }
        return Felt.of(number);
    }

    private static long[] limbs(BigInteger number) {
        long[] limbs = new long[LIMBS];
        for (int limb = 0; limb < LIMBS; limb++) {
            limbs[limb] = number.shiftRight(limb * Long.SIZE).longValue();
        }
        return limbs;
    }

    static boolean isZero(long[] value) {
        return (value[0] | value[1] | value[2] | value[3]) == 0;
    }

    static void copy(long[] to, long[] from) {
        System.arraycopy(from, 0, to, 0, LIMBS);
    }

    /** Adds, and subtracts the prime where the sum reaches it. */
    static void add(long[] to, long[] left, long[] right) {
        long sum0 = left[0] + right[0];
        long carry = less(sum0, left[0]);
        long sum1 = left[1] + carry;
        carry = less(sum1, carry);
        sum1 += right[1];
        carry += less(sum1, right[1]);
        long sum2 = left[2] + carry;
        carry = less(sum2, carry);
        sum2 += right[2];
        carry += less(sum2, right[2]);
        reduced(to, sum0, sum1, sum2, left[3] + right[3] + carry);
    }

    /** Subtracts, and adds the prime where the difference is negative. */
    static void subtract(long[] to, long[] left, long[] right) {
        long limb0 = left[0] - right[0];
        long borrow = less(left[0], right[0]);
        long limb1 = left[1] - right[1] - borrow;
        borrow = less(left[1], right[1]) | (left[1] == right[1] ? borrow : 0);
        long limb2 = left[2] - right[2] - borrow;
        borrow = less(left[2], right[2]) | (left[2] == right[2] ? borrow : 0);
        long limb3 = left[3] - right[3] - borrow;
        if (limb3 < 0) {
            limb0++;
            if (limb0 == 0 && ++limb1 == 0 && ++limb2 == 0) {
                limb3++;
            }
            limb3 += PRIME_TOP;
        }
        set(to, limb0, limb1, limb2, limb3);
    }

    /** Multiplies, limb by limb of the left one, and reduces after each. */
    static void multiply(long[] to, long[] left, long[] right) {
        long right0 = right[0];
        long right1 = right[1];
        long right2 = right[2];
        long right3 = right[3];
        long sum0 = 0;
        long sum1 = 0;
        long sum2 = 0;
        long sum3 = 0;
        for (int limb = 0; limb < LIMBS; limb++) {
            long factor = left[limb];
            long low = factor * right0;
            sum0 += low;
            long carry = high(factor, right0) + less(sum0, low);
            low = factor * right1 + carry;
            long above = high(factor, right1) + less(low, carry);
            sum1 += low;
            carry = above + less(sum1, low);
            low = factor * right2 + carry;
            above = high(factor, right2) + less(low, carry);
            sum2 += low;
            carry = above + less(sum2, low);
            low = factor * right3 + carry;
            above = high(factor, right3) + less(low, carry);
            sum3 += low;
            long sum4 = above + less(sum3, low);
            // Makes the lowest limb zero, by a multiple of the prime, and drops it.
            long multiple = -sum0;
            carry = sum0 == 0 ? 0 : 1;
            sum0 = sum1 + carry;
            carry = less(sum0, carry);
            sum1 = sum2 + carry;
            carry = less(sum1, carry);
            low = multiple * PRIME_TOP + carry;
            above = high(multiple, PRIME_TOP) + less(low, carry);
            sum2 = sum3 + low;
            sum3 = sum4 + above + less(sum2, low);
        }
        reduced(to, sum0, sum1, sum2, sum3);
    }

    /** The inverse of a value other than 0: its power by the prime less 2, whose bits are two high ones and 192 low ones. */
    static void invert(long[] to, long[] value) {
        long[] six = value.clone();
        for (int bit = 1; bit < 6; bit++) {
            multiply(six, six, six);
            multiply(six, six, value);
        }
        long[] power = value.clone();
        square(power, 55);
        multiply(power, power, value);
        square(power, 4);
        for (int bits = 0; bits < 192; bits += 6) {
            square(power, 6);
            multiply(power, power, six);
        }
        copy(to, power);
    }

    private static void square(long[] value, int times) {
        for (int time = 0; time < times; time++) {
            multiply(value, value, value);
        }
    }

    /** Stores a number below twice the prime, less the prime where it reaches it. */
    private static void reduced(long[] to, long limb0, long limb1, long limb2, long limb3) {
        if (limb3 < PRIME_TOP || (limb3 == PRIME_TOP && (limb0 | limb1 | limb2) == 0)) {
            set(to, limb0, limb1, limb2, limb3);
            return;
        }
        long borrow1 = limb0 == 0 ? 1 : 0;
        long borrow2 = limb1 == 0 ? borrow1 : 0;
        long borrow3 = limb2 == 0 ? borrow2 : 0;
        set(to, limb0 - 1, limb1 - borrow1, limb2 - borrow2, limb3 - borrow3 - PRIME_TOP);
    }

    private static void set(long[] to, long limb0, long limb1, long limb2, long limb3) {
        to[0] = limb0;
        to[1] = limb1;
        to[2] = limb2;
        to[3] = limb3;
    }

    /** The upper half of a product without signs. */
    private static long high(long left, long right) {
        return Math.multiplyHigh(left, right) + ((left >> 63) & right) + ((right >> 63) & left);
    }

    /** Returns 1 if the left one is less, without signs; else 0. Has no branch, which a processor would often guess wrong. */
    private static long less(long left, long right) {
        return ((~left & right) | ((~left | right) & (left - right))) >>> 63;
    }
}
