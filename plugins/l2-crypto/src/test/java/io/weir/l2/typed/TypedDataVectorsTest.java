package io.weir.l2.typed;

import static io.weir.l2.Vectors.felt;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.key.AccountKeys;
import io.weir.l2.key.Mnemonic;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class TypedDataVectorsTest {
    @Test
    void messagesHaveThePublishedHashes() {
        JsonNode block = Vectors.transcribed("typed_data_message_hash");
        Felt account = felt(block.path("account"));
        assertThat(block.path("cases")).hasSize(18);
        for (JsonNode test : block.path("cases")) {
            String file = test.path("file").stringValue();
            assertThat(typed(file).messageHash(account)).as(file).isEqualTo(felt(test.path("hash")));
        }
    }

    /** From the same tests of starknet.js as the hashes of messages. */
    @ParameterizedTest
    @CsvSource({
        "baseExample, StarkNetDomain, 0x1bfc207425a47a5dfa1a50a4f5241203f50624ca5fdf5e18755765416b8e288",
        "baseExample, Person, 0x2896dbe4b96a67110f454c01e5336edc5bbc3635537efd690f122f4809cc855",
        "baseExample, Mail, 0x13d89452df9512bf750f539ba3001b945576243288137ddb6c788457d4b2f79",
        "mail_StructArray, Post, 0x1d71e69bf476486b43cdcfaf5a85c00bb2d954c042b281040e513080388356d",
        "mail_StructArray, Mail, 0x873b878e35e258fc99e3085d5aaad3a81a0c821f189c08b30def2cde55ff27",
        "example_baseTypes, Example, 0x1f94cd0be8b4097a41486170fdf09a4cd23aefbc74bb2344718562994c2c111",
        "example_presetTypes, Example, 0x1a25a8bb84b761090b1fadaebe762c4b679b0d8883d2bedda695ea340839a55",
        "example_enum, Example, 0x8eb4aeac64b707f3e843284c4258df6df1f0f7fd38dcffdd8a153a495cd351",
        "example_enumNested, Example, 0x2143bb787fabace39d62e9acf8b6e97d9a369000516c3e6ffd963dc1370fc1a"
    })
    void typesHaveThePublishedHashes(String file, String type, String hash) {
        assertThat(typed("starknet.js/typedData/" + file + ".json").typeHash(type))
                .hasToString(hash);
    }

    @Test
    void domainsHaveThePublishedHashes() {
        assertThat(typed("starknet.js/typedData/baseExample.json").domainHash())
                .hasToString("0x54833b121883a3e3aebff48ec08a962f5742e5f7b973469c1f8f4f55d470b07");
        assertThat(typed("starknet.js/typedData/example_baseTypes.json").domainHash())
                .hasToString("0x555f72e550b308e50c1a4f8611483a174026c982a9893a05c185eeb85399657");
    }

    @Test
    void aTypeIsWrittenWithAllThatItNeedsInOrder() {
        assertThat(typed("starknet.js/typedData/mail_StructArray.json").encodedType("Mail"))
                .isEqualTo("Mail(from:Person,to:Person,posts_len:felt,posts:Post*)Person(name:felt,wallet:felt)"
                        + "Post(title:felt,content:felt)");
        assertThat(typed("starknet.js/typedData/example_enum.json").encodedType("Example"))
                .isEqualTo("\"Example\"(\"someEnum1\":\"EnumA\",\"someEnum2\":\"EnumB\")"
                        + "\"EnumA\"(\"Variant 1\":(),\"Variant 2\":(\"u128\",\"u128*\"),\"Variant 3\":(\"u128\"))"
                        + "\"EnumB\"(\"Variant 1\":(),\"Variant 2\":(\"u128\"))");
    }

    @Test
    void theWalletsSignaturesAreMadeAgain() {
        JsonNode vectors = Vectors.transcribed("snap_bip44");
        JsonNode signatures = vectors.path("signatures_of_typedDataExample");
        assertThat(signatures).hasSize(2);
        TypedData example = typed("starknet-snap/typedDataExample.json");
        try (Mnemonic mnemonic =
                Mnemonic.parse(vectors.path("mnemonic").stringValue().toCharArray())) {
            for (JsonNode test : signatures) {
                Felt hash = example.messageHash(felt(test.path("signer_address")));
                try (PrivateKey key = AccountKeys.derive(
                        mnemonic.seed(new char[0]), test.path("key_index").intValue())) {
                    Signature expected = new Signature(felt(test.path("r")), felt(test.path("s")));
                    assertThat(StarkSigner.sign(hash, key)).isEqualTo(expected);
                }
            }
        }
    }

    /** Its publisher signs and verifies it without naming the hash: so does this test. The oracle test compares the hash. */
    @Test
    void theNestedMessageIsSignedAndVerified() {
        TypedData nested = typed("starknet.js/typedData/v1Nested.json");
        Felt hash =
                nested.messageHash(Felt.parseHex("0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691"));
        assertThat(nested.revision()).isEqualTo(Revision.ACTIVE);
        BigInteger secret = new BigInteger("71d7bb07b9a64f6f78ac4c816aff4da9", 16);
        try (PrivateKey key = PrivateKey.of(Felt.of(secret).toBytes())) {
            assertThat(StarkSigner.verify(hash, StarkSigner.sign(hash, key), StarkSigner.publicKey(key)))
                    .isTrue();
        }
    }

    @Test
    void aMerkleTreeOfThreeHasThePublishedRoot() {
        assertThat(MerkleRoot.of(List.of(Felt.of(1), Felt.of(2), Felt.of(3)), new MeteredHash(Revision.LEGACY), "a"))
                .hasToString("0x15ac9e457789ef0c56e5d559809e7336a909c14ee2511503fa7af69be1ba639");
    }

    static TypedData typed(String file) {
        return TypedData.of(Vectors.json(file));
    }
}
