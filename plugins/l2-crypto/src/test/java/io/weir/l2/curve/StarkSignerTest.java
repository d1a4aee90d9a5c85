package io.weir.l2.curve;

import static io.weir.l2.Vectors.bytes32;
import static io.weir.l2.Vectors.felt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class StarkSignerTest {
    private static PrivateKey key(String hex) {
        return PrivateKey.of(bytes32(hex));
    }

    @ParameterizedTest
    @ValueSource(strings = {"starkex-resources/keys_precomputed.json", "starknet-rs/keys_precomputed.json"})
    void publicKeysAreThePublishedOnes(String file) {
        JsonNode keys = Vectors.json(file);
        assertThat(keys.size()).isGreaterThan(20);
        for (Map.Entry<String, JsonNode> pair : keys.properties()) {
            try (PrivateKey key = key(pair.getKey())) {
                assertThat(StarkSigner.publicKey(key)).isEqualTo(felt(pair.getValue()));
            }
        }
    }

    @Test
    void signaturesAreThePublishedOnes() {
        JsonNode vectors = Vectors.json("starkex-resources/rfc6979_signature_test_vector.json");
        assertThat(vectors.path("messages")).hasSize(9);
        try (PrivateKey key = key(vectors.path("private_key").stringValue())) {
            for (JsonNode message : vectors.path("messages")) {
                Signature expected = new Signature(felt(message.path("r")), felt(message.path("s")));
                assertThat(StarkSigner.sign(felt(message.path("hash")), key)).isEqualTo(expected);
            }
        }
    }

    @Test
    void hashesOfEveryLengthAreSignedAsPublished() {
        JsonNode vectors = Vectors.transcribed("signatures_by_msg_length");
        assertThat(vectors.path("cases")).hasSize(3);
        try (PrivateKey key = key(vectors.path("privateKey").stringValue())) {
            for (JsonNode test : vectors.path("cases")) {
                Felt hash = Felt.parseHex("0x" + test.path("msg").stringValue());
                Signature expected = new Signature(
                        Felt.parseHex("0x" + test.path("r").stringValue()),
                        Felt.parseHex("0x" + test.path("s").stringValue()));
                assertThat(StarkSigner.sign(hash, key)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"starknet-rs/rfc6979_padded.json", "starknet-rs/rfc6979_not_padded.json"})
    void noncesAreThePublishedOnes(String file) {
        JsonNode vectors = Vectors.json(file);
        assertThat(vectors).hasSize(10);
        for (JsonNode test : vectors) {
            BigInteger nonce = NonceSequence.nonce(
                    Felt.parseHex("0x" + test.path("msg_hash").stringValue()),
                    new BigInteger(test.path("priv_key").stringValue(), 16),
                    new BigInteger(test.path("seed").stringValue(), 16));
            assertThat(nonce).isEqualTo(new BigInteger(test.path("k").stringValue(), 16));
        }
    }

    /** The file's two transfers carry one signature for two hashes; it is by their key for neither: see VectorIndexTest. */
    @Test
    void signaturesOfOrdersAreVerified() {
        JsonNode data = Vectors.json("starkex-resources/signature_test_data.json");
        assertThat(data.path("meta_data")).hasSize(4);
        for (Map.Entry<String, JsonNode> meta : data.path("meta_data").properties()) {
            String name = meta.getKey();
            boolean isTransfer = name.endsWith("transfer_order");
            JsonNode order =
                    isTransfer ? data.path(name) : data.path("settlement").path(name);
            JsonNode rs = order.path("signature");
            try (PrivateKey key = key(meta.getValue().path("private_key").stringValue())) {
                assertThat(StarkSigner.publicKey(key)).as(name).isEqualTo(felt(order.path("public_key")));
            }
            Signature signature = new Signature(felt(rs.path("r")), felt(rs.path("s")));
            Felt hash = felt(meta.getValue().path("message_hash"));
            assertThat(StarkSigner.verify(hash, signature, felt(order.path("public_key"))))
                    .as(name)
                    .isEqualTo(!isTransfer);
        }
    }

    @Test
    void aSignatureIsVerifiedByItsOwnKeyAndHashAlone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            Felt hash = Felt.of(new BigInteger(251, random));
            try (PrivateKey key = PrivateKey.of(
                    Felt.of(new BigInteger(250, random).add(BigInteger.ONE)).toBytes())) {
                Felt publicKey = StarkSigner.publicKey(key);
                Signature signature = StarkSigner.sign(hash, key);
                assertThat(StarkSigner.verify(hash, signature, publicKey))
                        .as("seed %d", seed)
                        .isTrue();
                Felt other = Felt.of(hash.toBigInteger().flipBit(random.nextInt(250)));
                assertThat(StarkSigner.verify(other, signature, publicKey))
                        .as("seed %d", seed)
                        .isFalse();
                Signature swapped = new Signature(signature.s(), signature.r());
                assertThat(StarkSigner.verify(hash, swapped, publicKey))
                        .as("seed %d", seed)
                        .isFalse();
                assertThat(StarkSigner.verify(hash, signature, Felt.of(new BigInteger(250, random))))
                        .as("seed %d", seed)
                        .isFalse();
            }
        }
    }

    @Test
    void numbersOutOfRangeVerifyNothing() {
        try (PrivateKey key = key("0x1")) {
            Felt hash = Felt.of(7);
            Felt publicKey = StarkSigner.publicKey(key);
            Signature right = StarkSigner.sign(hash, key);
            Felt high = Felt.of(StarkCurve.ELEMENT_BOUND);
            assertThat(StarkSigner.verify(hash, new Signature(Felt.ZERO, right.s()), publicKey))
                    .isFalse();
            assertThat(StarkSigner.verify(hash, new Signature(right.r(), Felt.ZERO), publicKey))
                    .isFalse();
            assertThat(StarkSigner.verify(hash, new Signature(high, right.s()), publicKey))
                    .isFalse();
            assertThat(StarkSigner.verify(hash, new Signature(right.r(), Felt.of(StarkCurve.ORDER)), publicKey))
                    .isFalse();
            assertThat(StarkSigner.verify(high, right, publicKey)).isFalse();
            assertThat(StarkSigner.verify(hash, right, Felt.ZERO)).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> StarkSigner.sign(high, key));
        }
    }

    @Test
    void aKeyOutOfRangeIsRefusedAndNotShown() {
        byte[] order = Felt.of(StarkCurve.ORDER).toBytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PrivateKey.of(order))
                .withMessage("private key: out of range (expected: above 0 and below the curve's order)");
        assertThatIllegalArgumentException().isThrownBy(() -> PrivateKey.of(new byte[32]));
        assertThatIllegalArgumentException().isThrownBy(() -> PrivateKey.of(new byte[31]));
    }

    @Test
    void aClosedKeyIsGone() {
        PrivateKey key = key("0x5");
        assertThat(key.toBytes()).isEqualTo(bytes32("5"));
        assertThat(key).hasToString("PrivateKey");
        key.close();
        assertThatThrownBy(key::toBytes).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> StarkSigner.publicKey(key)).isInstanceOf(IllegalStateException.class);
    }
}
