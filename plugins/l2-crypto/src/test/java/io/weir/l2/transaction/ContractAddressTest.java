package io.weir.l2.transaction;

import static io.weir.l2.Vectors.felt;
import static io.weir.l2.Vectors.felts;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import io.weir.l2.hash.Selector;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ContractAddressTest {
    @Test
    void addressesAreThePublishedOnes() {
        JsonNode cases = Vectors.transcribed("contract_address").path("cases");
        assertThat(cases).hasSize(2);
        for (JsonNode test : cases) {
            Felt address = ContractAddress.of(
                    felt(test.path("deployer")),
                    felt(test.path("classHash")),
                    felt(test.path("salt")),
                    felts(test.path("calldata")));
            assertThat(address).isEqualTo(felt(test.path("address")));
        }
    }

    @Test
    void accountsOfBothKindsHaveTheWalletsAddresses() {
        JsonNode snap = Vectors.transcribed("snap_bip44");
        JsonNode classes = snap.path("class_hashes");
        Felt current = felt(classes.path("cairo1_ACCOUNT_CLASS_HASH"));
        Felt proxy = felt(classes.path("cairo0_PROXY_CONTRACT_HASH"));
        Felt legacy = felt(classes.path("cairo0_ACCOUNT_CLASS_HASH_LEGACY"));
        for (JsonNode account : snap.path("accounts")) {
            Felt key = felt(account.path("publicKey"));
            List<Felt> legacyCalldata = List.of(legacy, Selector.of("initialize"), Felt.of(2), key, Felt.ZERO);
            assertThat(ContractAddress.ofAccount(proxy, key, legacyCalldata))
                    .isEqualTo(felt(account.path("cairo0_address")));
            if (account.has("cairo1_address")) {
                assertThat(ContractAddress.ofAccount(current, key, List.of(key, Felt.ZERO)))
                        .isEqualTo(felt(account.path("cairo1_address")));
            }
        }
    }
}
