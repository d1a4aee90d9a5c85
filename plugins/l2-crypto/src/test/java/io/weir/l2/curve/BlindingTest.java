package io.weir.l2.curve;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operations on secrets give the same results as the plain ones, on numbers that are others each time. */
class BlindingTest {

    private static final BigInteger SECRET =
            new BigInteger("3ca1f9d2b8e5", 16).pow(5).mod(StarkCurve.ORDER);
    private static final BigInteger NUMBER = BigInteger.valueOf(1_234_567);

    /** A number that notes the other number of each product and difference, and whose inverse nobody may ask for. */
    private static final class Watched extends BigInteger {
        private static final long serialVersionUID = 1;

        private final transient List<BigInteger> others = new ArrayList<>();

        Watched(BigInteger value) {
            super(value.toByteArray());
        }

        @Override
        public BigInteger multiply(BigInteger other) {
            others.add(other);
            return super.multiply(other);
        }

        @Override
        public BigInteger subtract(BigInteger other) {
            others.add(other);
            return super.subtract(other);
        }

        @Override
        public BigInteger modInverse(BigInteger order) {
            throw new AssertionError("the inverse of the secret itself");
        }
    }

    @Test
    void aProductIsNeverOneWithTheSecretItself() {
        Watched number = new Watched(NUMBER);
        BigInteger plain = NUMBER.multiply(SECRET).mod(StarkCurve.ORDER);
        assertThat(Blinding.multiply(number, SECRET)).isEqualTo(plain);
        assertThat(Blinding.multiply(number, SECRET)).isEqualTo(plain);
        assertThat(number.others).hasSize(2).doesNotContain(SECRET).doesNotHaveDuplicates();
    }

    @Test
    void anInverseIsNeverThatOfTheSecretItself() {
        assertThat(Blinding.invert(new Watched(SECRET))).isEqualTo(SECRET.modInverse(StarkCurve.ORDER));
    }

    @Test
    void aPointIsTheSumOfTwoThatAreOthersEachTime() {
        Watched secret = new Watched(SECRET);
        for (int i = 0; i < 2; i++) {
            assertThat(Blinding.multiplyGenerator(secret).normalize())
                    .isEqualTo(StarkCurve.multiplyFixed(StarkCurve.GENERATOR, SECRET)
                            .normalize());
        }
        assertThat(secret.others).hasSize(2).doesNotHaveDuplicates();
    }
}
