package io.weir.l2.key;

import static io.weir.l2.Vectors.bytes32;
import static io.weir.l2.Vectors.felt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.l2.Vectors;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.StarkSigner;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AccountKeysTest {
    @Test
    void keysAreGroundAsPublished() {
        JsonNode cases = Vectors.transcribed("grindKey").path("cases");
        assertThat(cases).hasSize(2);
        for (JsonNode test : cases) {
            try (PrivateKey key = KeyGrinding.grind(bytes32(test.path("seed").stringValue()))) {
                assertThat(key.toBytes()).isEqualTo(bytes32(test.path("key").stringValue()));
            }
        }
    }

    /** Another path than that of accounts, with five hardened steps: it shows the tree and the grinding. */
    @Test
    void keysAtTheEndOfLongPathsAreThePublishedOnes() {
        JsonNode vectors = Vectors.transcribed("eip2645_bip32_grind");
        assertThat(vectors.path("cases")).hasSize(3);
        try (Mnemonic mnemonic = mnemonic(vectors);
                Bip32Node master = Bip32Node.master(mnemonic.seed(new char[0]))) {
            for (JsonNode test : vectors.path("cases")) {
                int[] path = path(test.path("path").stringValue());
                try (Bip32Node leaf = master.derive(path);
                        PrivateKey key = KeyGrinding.grind(leaf.key())) {
                    assertThat(key.toBytes())
                            .isEqualTo(bytes32(test.path("privateKey").stringValue()));
                }
            }
        }
    }

    @Test
    void theWalletsNodeAndPublicKeysAreThePublishedOnes() {
        JsonNode vectors = Vectors.transcribed("snap_bip44");
        try (Mnemonic mnemonic = mnemonic(vectors)) {
            byte[] seed = mnemonic.seed(new char[0]);
            try (Bip32Node master = Bip32Node.master(seed);
                    Bip32Node node =
                            master.derive(path(vectors.path("node_path").stringValue()))) {
                assertThat(node.key())
                        .isEqualTo(bytes32(vectors.path("node_privateKey").stringValue()));
                assertThat(node.chainCode())
                        .isEqualTo(bytes32(vectors.path("node_chainCode").stringValue()));
            }
            for (JsonNode account : vectors.path("accounts")) {
                try (PrivateKey key =
                        AccountKeys.derive(seed, account.path("addressIndex").intValue())) {
                    assertThat(StarkSigner.publicKey(key)).isEqualTo(felt(account.path("publicKey")));
                }
            }
            assertThatIllegalArgumentException().isThrownBy(() -> AccountKeys.derive(seed, -1));
        }
    }

    private static Mnemonic mnemonic(JsonNode vectors) {
        return Mnemonic.parse(vectors.path("mnemonic").stringValue().toCharArray());
    }

    private static int[] path(String text) {
        return Arrays.stream(text.split("/"))
                .skip(1)
                .mapToInt(step -> step.endsWith("'")
                        ? Integer.parseInt(step.substring(0, step.length() - 1)) | Bip32Node.HARDENED
                        : Integer.parseInt(step))
                .toArray();
    }
}
