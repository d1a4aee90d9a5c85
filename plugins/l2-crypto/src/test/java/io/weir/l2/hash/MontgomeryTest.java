package io.weir.l2.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The arithmetic against that of the JDK: numbers at the edges of limbs and of the field, and random ones. */
class MontgomeryTest {
    private static final long SEED = 20_261_128;
    private static final long PRIME_TOP = Felt.PRIME.shiftRight(3 * Long.SIZE).longValue();

    private static List<BigInteger> numbers() {
        List<BigInteger> numbers = new ArrayList<>();
        for (int bits = 0; bits <= 250; bits++) {
            BigInteger power = BigInteger.ONE.shiftLeft(bits);
            numbers.add(power);
            numbers.add(power.subtract(BigInteger.ONE));
            numbers.add(Felt.PRIME.subtract(power));
        }
        Random random = new Random(SEED);
        for (int i = 0; i < 500; i++) {
            numbers.add(new BigInteger(252, random).mod(Felt.PRIME));
        }
        return numbers;
    }

    /** Values in Montgomery form whose limbs are at the edges, so that carries and borrows run through some of them. */
    private static List<long[]> edges() {
        List<long[]> edges = new ArrayList<>();
        long[] limbs = {0, 1, -1};
        for (long limb0 : limbs) {
            for (long limb1 : limbs) {
                for (long limb2 : limbs) {
                    for (long limb3 : new long[] {0, 1, PRIME_TOP - 1, PRIME_TOP}) {
                        long[] edge = {limb0, limb1, limb2, limb3};
                        if (number(edge).compareTo(Felt.PRIME) < 0) {
                            edges.add(edge);
                        }
                    }
                }
            }
        }
        return edges;
    }

    private static BigInteger number(long[] limbs) {
        BigInteger number = BigInteger.ZERO;
        for (int limb = 3; limb >= 0; limb--) {
            number = number.shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(limbs[limb])));
        }
        return number;
    }

    private static BigInteger plain(long[] value) {
        return Montgomery.toFelt(value).toBigInteger();
    }

    @Test
    void aNumberComesBackAsItWent() {
        numbers().forEach(number -> assertThat(plain(Montgomery.of(number))).isEqualTo(number));
    }

    @Test
    void sumsDifferencesAndProductsAreThoseOfTheField() {
        List<BigInteger> numbers = numbers();
        Random random = new Random(SEED + 1);
        for (BigInteger left : numbers) {
            for (int i = 0; i < 40; i++) {
                BigInteger right = numbers.get(random.nextInt(numbers.size()));
                check(left, right);
                check(right, left);
            }
            check(left, left);
        }
    }

    @Test
    void carriesAndBorrowsRunThroughAllLimbs() {
        BigInteger radix = BigInteger.ONE.shiftLeft(4 * Long.SIZE);
        long[] result = new long[4];
        for (long[] left : edges()) {
            for (long[] right : edges()) {
                BigInteger one = number(left);
                BigInteger other = number(right);
                Montgomery.add(result, left, right);
                assertThat(number(result))
                        .as("%s + %s", one, other)
                        .isEqualTo(one.add(other).mod(Felt.PRIME));
                Montgomery.subtract(result, left, right);
                assertThat(number(result))
                        .as("%s - %s", one, other)
                        .isEqualTo(one.subtract(other).mod(Felt.PRIME));
                Montgomery.multiply(result, left, right);
                assertThat(number(result).multiply(radix).mod(Felt.PRIME))
                        .as("%s * %s", one, other)
                        .isEqualTo(one.multiply(other).mod(Felt.PRIME));
                assertThat(number(result)).as("%s * %s", one, other).isLessThan(Felt.PRIME);
            }
        }
    }

    private static void check(BigInteger left, BigInteger right) {
        long[] one = Montgomery.of(left);
        long[] other = Montgomery.of(right);
        long[] result = new long[4];
        Montgomery.add(result, one, other);
        assertThat(plain(result))
                .as("%s + %s", left, right)
                .isEqualTo(left.add(right).mod(Felt.PRIME));
        Montgomery.subtract(result, one, other);
        assertThat(plain(result))
                .as("%s - %s", left, right)
                .isEqualTo(left.subtract(right).mod(Felt.PRIME));
        Montgomery.multiply(result, one, other);
        assertThat(plain(result))
                .as("%s * %s", left, right)
                .isEqualTo(left.multiply(right).mod(Felt.PRIME));
        Montgomery.multiply(one, one, other);
        assertThat(one).as("into an operand").isEqualTo(result);
    }

    @Test
    void aNumberTimesItsInverseIsOne() {
        for (BigInteger number : numbers()) {
            if (number.signum() != 0) {
                long[] inverse = Montgomery.of(number);
                Montgomery.invert(inverse, inverse);
                assertThat(plain(inverse)).isEqualTo(number.modInverse(Felt.PRIME));
            }
        }
    }
}
