package io.weir.ethereum.rlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hex;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RlpPropertyTest {
    @Test
    void whatIsWrittenIsReadBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            RlpTree tree = RlpTree.random(random, random.nextInt(5), 70_000);
            assertThat(RlpTree.decode(tree.encoded()))
                    .as("seed %d, tree %d", seed, i)
                    .isEqualTo(tree);
        }
    }

    /** Strictness in one sentence: each thing has one encoding, so what is accepted at all is written back the same. */
    @Test
    void whateverIsAcceptedIsTheOneEncodingOfWhatItMeans() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] input = damaged(random);
            try {
                RlpTree tree = RlpTree.decode(input);
                assertThat(tree.encoded())
                        .as("seed %d, input %d: %s", seed, i, Hex.encode(input))
                        .isEqualTo(input);
                accepted++;
            } catch (RlpException e) {
                assertThat(e).hasMessageMatching("rlp at byte \\d+: .+ \\(expected: .+\\)");
                refused++;
            }
        }
        assertThat(accepted).as("seed %d: accepted", seed).isPositive();
        assertThat(refused).as("seed %d: refused", seed).isPositive();
    }

    private static byte[] damaged(Random random) {
        if (random.nextInt(4) == 0) {
            byte[] noise = new byte[random.nextInt(20)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] encoded = RlpTree.random(random, 3, 300).encoded();
        switch (random.nextInt(3)) {
            case 0 -> encoded[random.nextInt(encoded.length)] = (byte) random.nextInt();
            case 1 -> encoded = Arrays.copyOf(encoded, random.nextInt(encoded.length));
            default -> encoded = Arrays.copyOf(encoded, encoded.length + 1 + random.nextInt(3));
        }
        return encoded;
    }
}
