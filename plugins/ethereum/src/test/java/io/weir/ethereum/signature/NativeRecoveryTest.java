package io.weir.ethereum.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The native library and the own code recover the same signer, or both none. */
class NativeRecoveryTest {

    private static final List<BigInteger> EDGES = List.of(
            BigInteger.ONE,
            BigInteger.TWO,
            Secp256k1.HALF_ORDER,
            Secp256k1.HALF_ORDER.add(BigInteger.ONE),
            Secp256k1.ORDER.subtract(BigInteger.ONE));

    @Test
    void bothFindTheSignersOfSignaturesAndOfNumbersThatMayBeSome() {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeThat(machine).as("a machine with a native library").isIn("Linux amd64", "Linux aarch64");
        NativeRecovery library = NativeRecovery.load();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            byte[] message = new byte[Hash32.SIZE_BYTES];
            if (i % 10 > 0) {
                random.nextBytes(message);
            }
            Hash32 hash = Hash32.wrap(message);
            Signature signature = i % 2 == 0
                    ? Secp256k1.sign(hash, number(random))
                    : new Signature(random.nextInt(2), edge(random), edge(random));
            assertThat(ofLibrary(library, hash, signature))
                    .as("seed %d, step %d: %s %s", seed, i, hash, signature)
                    .isEqualTo(ofOwnCode(hash, signature));
        }
    }

    private static String ofLibrary(NativeRecovery library, Hash32 hash, Signature signature) {
        byte[] key = library.recover(hash, signature);
        return key == null ? "none" : Address.ofHash(Hash32.keccak(key)).hex();
    }

    private static String ofOwnCode(Hash32 hash, Signature signature) {
        try {
            return Secp256k1.recover(hash, signature).hex();
        } catch (IllegalArgumentException e) {
            return "none";
        }
    }

    private static BigInteger edge(Random random) {
        return random.nextInt(3) == 0 ? EDGES.get(random.nextInt(EDGES.size())) : number(random);
    }

    private static BigInteger number(Random random) {
        return new BigInteger(256, random)
                .mod(Secp256k1.ORDER.subtract(BigInteger.ONE))
                .add(BigInteger.ONE);
    }
}
