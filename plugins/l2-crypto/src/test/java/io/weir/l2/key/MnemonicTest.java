package io.weir.l2.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.Vectors;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MnemonicTest {
    private static final char[] PASSPHRASE = "TREZOR".toCharArray();
    private static final HexFormat HEX = HexFormat.of();
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

    @Test
    void englishSentencesAreThePublishedOnes() {
        JsonNode vectors = Vectors.json("trezor-bip39/vectors.json").path("english");
        assertThat(vectors).hasSize(24);
        for (JsonNode vector : vectors) {
            String sentence = vector.path(1).stringValue();
            try (Mnemonic made = Mnemonic.ofEntropy(HEX.parseHex(vector.path(0).stringValue()));
                    Mnemonic read = Mnemonic.parse(sentence.toCharArray())) {
                assertThat(new String(made.sentence())).isEqualTo(sentence);
                assertThat(read.entropy()).isEqualTo(made.entropy());
                assertThat(HEX.formatHex(read.seed(PASSPHRASE)))
                        .isEqualTo(vector.path(2).stringValue());
            }
        }
    }

    /** Of the other eleven languages the seeds and the roots: this library has no word lists for them. */
    @Test
    void seedsAndRootsOfAllLanguagesAreThePublishedOnes() {
        JsonNode languages = Vectors.json("trezor-bip39/vectors.json");
        assertThat(languages.size()).isEqualTo(12);
        for (Map.Entry<String, JsonNode> language : languages.properties()) {
            for (JsonNode vector : language.getValue()) {
                byte[] seed = Seed.of(vector.path(1).stringValue().toCharArray(), PASSPHRASE);
                assertThat(HEX.formatHex(seed))
                        .as(language.getKey())
                        .isEqualTo(vector.path(2).stringValue());
                // An extended key: 13 bytes of header, the chain code, a zero, the key, a checksum.
                byte[] root = base58(vector.path(3).stringValue());
                try (Bip32Node master = Bip32Node.master(seed)) {
                    assertThat(master.chainCode()).isEqualTo(Arrays.copyOfRange(root, 13, 45));
                    assertThat(master.key()).isEqualTo(Arrays.copyOfRange(root, 46, 78));
                }
            }
        }
    }

    @Test
    void aNewSentenceComesBack() {
        try (Mnemonic mnemonic = Mnemonic.generate(new SecureRandom())) {
            char[] sentence = mnemonic.sentence();
            assertThat(new String(sentence).split(" ")).hasSize(24);
            try (Mnemonic read =
                    Mnemonic.parse(("  " + new String(sentence).replace(" ", " \n") + "\n").toCharArray())) {
                assertThat(read.entropy()).isEqualTo(mnemonic.entropy());
            }
        }
    }

    @Test
    void aWrongSentenceIsRefusedWithoutItsWords() {
        assertRefused("abandon ".repeat(12), "mnemonic: wrong checksum (expected: the words as they were given)");
        assertRefused("abandon ".repeat(11), "mnemonic: 11 words (expected: 12, 15, 18, 21 or 24)");
        assertRefused("abandon ".repeat(30), "mnemonic: more than 24 words (expected: 12, 15, 18, 21 or 24)");
        assertRefused("", "mnemonic: 0 words (expected: 12, 15, 18, 21 or 24)");
        assertRefused(
                "abandon secrett " + "abandon ".repeat(10),
                "mnemonic: word 2 is unknown (expected: a word of BIP-39's English list)");
    }

    private static void assertRefused(String sentence, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mnemonic.parse(sentence.toCharArray()))
                .withMessage(message);
    }

    @Test
    void aClosedSentenceIsGone() {
        Mnemonic mnemonic = Mnemonic.ofEntropy(new byte[16]);
        assertThat(mnemonic).hasToString("Mnemonic");
        mnemonic.close();
        assertThatThrownBy(mnemonic::sentence).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> mnemonic.seed(PASSPHRASE)).isInstanceOf(IllegalStateException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> Mnemonic.ofEntropy(new byte[15]));
    }

    private static byte[] base58(String text) {
        BigInteger number = BigInteger.ZERO;
        for (char digit : text.toCharArray()) {
            number = number.multiply(BigInteger.valueOf(58)).add(BigInteger.valueOf(BASE58.indexOf(digit)));
        }
        return number.toByteArray();
    }
}
