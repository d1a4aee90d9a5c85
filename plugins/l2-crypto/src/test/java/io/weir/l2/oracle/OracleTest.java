package io.weir.l2.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.swmansion.starknet.crypto.StarknetCurve;
import com.swmansion.starknet.crypto.StarknetCurveSignature;
import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.hash.Pedersen;
import io.weir.l2.hash.Poseidon;
import io.weir.l2.hash.Selector;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

/**
 * This library against starknet-jvm, whose curve and hashes are native code, on random numbers. Not compared: signatures number
 * by number, since starknet-jvm takes other nonces for hashes of 63 digits; each verifies the other's.
 */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the oracle has native code for Linux and macOS alone")
class OracleTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void pedersenHashesAreTheSame() {
        for (int round = 0; round < 300; round++) {
            Felt left = felt(random);
            Felt right = felt(random);
            assertThat(Pedersen.hash(left, right).toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(
                            StarknetCurve.pedersen(theirs(left), theirs(right)).getValue());
        }
    }

    @Test
    void poseidonHashesAreTheSame() {
        for (int round = 0; round < 300; round++) {
            List<Felt> felts = felts(random, round % 9);
            assertThat(Poseidon.hashMany(felts).toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(com.swmansion.starknet.crypto.Poseidon.poseidonHash(theirs(felts))
                            .getValue());
            Felt one = felt(random);
            Felt other = felt(random);
            assertThat(Poseidon.hash(one, other).toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(com.swmansion.starknet.crypto.Poseidon.poseidonHash(theirs(one), theirs(other))
                            .getValue());
            assertThat(Poseidon.hash(one).toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(com.swmansion.starknet.crypto.Poseidon.poseidonHash(theirs(one))
                            .getValue());
        }
    }

    @Test
    void selectorsAreTheSame() {
        for (String name : List.of("transfer", "__execute__", "is_valid_signature", "")) {
            assertThat(Selector.of(name).toBigInteger())
                    .isEqualTo(com.swmansion.starknet.data.Selector.selectorFromName(name)
                            .getValue());
        }
    }

    @Test
    void eachVerifiesTheOthersSignatures() {
        for (int round = 0; round < 20; round++) {
            BigInteger secret = new BigInteger(250, random).add(BigInteger.ONE);
            // The oracle holds hashes below 2^251.
            Felt hash = Felt.of(new BigInteger(251, random));
            com.swmansion.starknet.data.types.Felt theirKey = new com.swmansion.starknet.data.types.Felt(secret);
            try (PrivateKey key = PrivateKey.of(Felt.of(secret).toBytes())) {
                Felt publicKey = StarkSigner.publicKey(key);
                assertThat(publicKey.toBigInteger())
                        .as("seed %d", seed)
                        .isEqualTo(StarknetCurve.getPublicKey(theirKey).getValue());
                Signature ours = StarkSigner.sign(hash, key);
                assertThat(StarknetCurve.verify(theirs(publicKey), theirs(hash), theirs(ours.r()), theirs(ours.s())))
                        .as("seed %d", seed)
                        .isTrue();
                StarknetCurveSignature other = StarknetCurve.sign(theirKey, theirs(hash));
                Signature signature = new Signature(
                        Felt.of(other.getR().getValue()), Felt.of(other.getS().getValue()));
                assertThat(StarkSigner.verify(hash, signature, publicKey))
                        .as("seed %d", seed)
                        .isTrue();
            }
        }
    }

    @Test
    void theTransfersThatDoNotVerifyHereDoNotVerifyThereEither() {
        JsonNode data = Vectors.json("starkex-resources/signature_test_data.json");
        for (String name : List.of("transfer_order", "conditional_transfer_order")) {
            JsonNode order = data.path(name);
            Felt hash = Vectors.felt(data.path("meta_data").path(name).path("message_hash"));
            Felt r = Vectors.felt(order.path("signature").path("r"));
            Felt s = Vectors.felt(order.path("signature").path("s"));
            Felt publicKey = Vectors.felt(order.path("public_key"));
            assertThat(StarknetCurve.verify(theirs(publicKey), theirs(hash), theirs(r), theirs(s)))
                    .isFalse();
            assertThat(StarkSigner.verify(hash, new Signature(r, s), publicKey)).isFalse();
        }
    }

    static Felt felt(Random random) {
        return Felt.reduced(new BigInteger(300, random));
    }

    static List<Felt> felts(Random random, int count) {
        return IntStream.range(0, count).mapToObj(index -> felt(random)).toList();
    }

    static com.swmansion.starknet.data.types.Felt theirs(Felt felt) {
        return new com.swmansion.starknet.data.types.Felt(felt.toBigInteger());
    }

    static List<com.swmansion.starknet.data.types.Felt> theirs(List<Felt> felts) {
        return felts.stream().map(OracleTest::theirs).toList();
    }
}
