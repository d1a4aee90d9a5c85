package io.weir.wallet.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.curve.Signature;
import io.weir.l2.key.Mnemonic;
import io.weir.l2.typed.TypedData;
import io.weir.testing.Checkout;
import io.weir.wallet.chain.L2Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds accounts and signatures against those of the network's wallet extension, for the kinds that the wallet knows. */
class SnapAccountsTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final L2Network NETWORK = new L2Network("sepolia", Felt.ONE);

    private final JsonNode vectors = read("transcribed_vectors.json").path("snap_bip44");
    private final TenantKeys keys = new TenantKeys(tenant -> {
        try (Mnemonic mnemonic =
                Mnemonic.parse(vectors.path("mnemonic").stringValue().toCharArray())) {
            return mnemonic.seed(new char[0]);
        }
    });

    private static JsonNode read(String name) {
        Path folder = Checkout.find().root().resolve("plugins/l2-crypto/src/test/resources/starknet");
        try {
            return MAPPER.readTree(Files.readString(folder.resolve(name)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private WalletAccount account(int index, AccountKind kind) {
        Felt publicKey = keys.publicKey("demo", index);
        return new WalletAccount("demo", NETWORK, kind, index, publicKey, kind.address(publicKey));
    }

    @Test
    void keysAndAddressesAreThoseOfTheExtension() {
        for (JsonNode known : vectors.path("accounts")) {
            int index = known.path("addressIndex").intValue();
            assertThat(keys.publicKey("demo", index).toPaddedHex()).isEqualTo(hex(known, "publicKey"));
            assertThat(account(index, AccountKinds.KNOWN.get("legacy"))
                            .address()
                            .toPaddedHex())
                    .isEqualTo(hex(known, "cairo0_address"));
            if (known.has("cairo1_address")) {
                assertThat(account(index, AccountKinds.KNOWN.get("usual"))
                                .address()
                                .toPaddedHex())
                        .isEqualTo(hex(known, "cairo1_address"));
            }
        }
    }

    private static String hex(JsonNode node, String name) {
        return node.path(name).stringValue();
    }

    @Test
    void signaturesOfItsExampleMessageAreThoseOfTheExtension() {
        TypedData message = TypedData.of(read("starknet-snap/typedDataExample.json"));
        for (JsonNode known : vectors.path("signatures_of_typedDataExample")) {
            Felt signer = Felt.parse(hex(known, "signer_address"));
            WalletAccount account = account(known.path("key_index").intValue(), AccountKinds.KNOWN.get("usual"));
            Signature signature = keys.sign(account, message.messageHash(signer));
            assertThat(signature).isEqualTo(new Signature(Felt.parse(hex(known, "r")), Felt.parse(hex(known, "s"))));
        }
    }
}
