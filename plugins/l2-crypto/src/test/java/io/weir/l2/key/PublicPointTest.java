package io.weir.l2.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;

class PublicPointTest {
    private static final ECPoint GENERATOR =
            CustomNamedCurves.getByName("secp256k1").getG();
    private static final BigInteger SECRET = new BigInteger("1234567890abcdef1234567890abcdef", 16);

    private final List<BigInteger> multiplied = new ArrayList<>();

    private byte[] publicKey(BigInteger secret, Random random) {
        return PublicPoint.of(secret, random, number -> {
            multiplied.add(number);
            return GENERATOR.multiply(number);
        });
    }

    @Test
    void noMultiplicationMeetsTheSecretAndNoTwoMeetTheSameNumber() {
        Random random = new Random(7);
        byte[] first = publicKey(SECRET, random);
        byte[] second = publicKey(SECRET, random);
        assertThat(first).isEqualTo(second).isEqualTo(GENERATOR.multiply(SECRET).getEncoded(true));
        assertThat(multiplied).hasSize(4).doesNotHaveDuplicates().doesNotContain(SECRET);
        for (int pair = 0; pair < 4; pair += 2) {
            assertThat(multiplied.get(pair).add(multiplied.get(pair + 1)).mod(PublicPoint.ORDER))
                    .isEqualTo(SECRET);
        }
    }

    @Test
    void theSmallestAndTheLargestKeyHaveTheirPoints() {
        for (BigInteger secret : List.of(BigInteger.ONE, PublicPoint.ORDER.subtract(BigInteger.ONE))) {
            assertThat(PublicPoint.of(secret, new Random(3)))
                    .isEqualTo(GENERATOR.multiply(secret).getEncoded(true));
        }
    }
}
