package io.weir.l2;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which test uses which of the published vectors, and which are not used, and why: none is left out in silence. */
class VectorIndexTest {
    private static final String TYPED = "TypedDataVectorsTest";

    private static final Map<String, String> FILES = Map.ofEntries(
            entry("starkex-resources/keys_precomputed.json", "StarkSignerTest"),
            entry("starkex-resources/rfc6979_signature_test_vector.json", "StarkSignerTest"),
            entry("starkex-resources/signature_test_data.json", "StarkSignerTest, HashTest"),
            entry("starknet-rs/keys_precomputed.json", "StarkSignerTest"),
            entry("starknet-rs/rfc6979_padded.json", "StarkSignerTest"),
            entry("starknet-rs/rfc6979_not_padded.json", "StarkSignerTest"),
            entry("scure-starknet/issue2.json", "HashTest"),
            entry("scure-starknet/poseidon3.txt", "HashTest"),
            entry("starknet-snap/typedDataExample.json", TYPED),
            entry("starknet.js/captured_wire_requests.jsonl", "CapturedRequestsTest"),
            entry("starknet.js/typedData/baseExample.json", TYPED),
            entry("starknet.js/typedData/example_baseTypes.json", TYPED),
            entry("starknet.js/typedData/example_enum.json", TYPED),
            entry("starknet.js/typedData/example_enumNested.json", TYPED),
            entry("starknet.js/typedData/example_presetTypes.json", TYPED),
            entry("starknet.js/typedData/mail_StructArray.json", TYPED),
            entry("starknet.js/typedData/session_MerkleTree.json", TYPED),
            entry("starknet.js/typedData/v1Nested.json", TYPED + ", OracleTypedDataTest"),
            entry("starknet-jvm/rev_0/typed_data_example.json", TYPED),
            entry("starknet-jvm/rev_0/typed_data_felt_array_example.json", TYPED),
            entry("starknet-jvm/rev_0/typed_data_long_string_example.json", TYPED),
            entry("starknet-jvm/rev_0/typed_data_session_example.json", TYPED),
            entry("starknet-jvm/rev_0/typed_data_struct_array_example.json", TYPED),
            entry("starknet-jvm/rev_0/typed_data_validate_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_basic_types_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_enum_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_felt_merkletree_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_preset_types_example.json", TYPED),
            entry("starknet-jvm/rev_1/typed_data_struct_array_example.json", "OracleTypedDataTest"),
            entry("trezor-bip39/vectors.json", "MnemonicTest"),
            entry("transcribed_vectors.json", "see BLOCKS"));

    private static final Map<String, String> BLOCKS = Map.ofEntries(
            entry("_note", "says where the numbers come from"),
            entry("grindKey", "AccountKeysTest"),
            entry("eip2645_bip32_grind", "AccountKeysTest"),
            entry("snap_bip44", "AccountKeysTest, ContractAddressTest, TypedDataVectorsTest, CapturedRequestsTest"),
            entry("pedersen", "HashTest"),
            entry("pedersen_on_elements", "HashTest"),
            entry("poseidon", "HashTest"),
            entry("contract_address", "ContractAddressTest"),
            entry("checksum_address", "FeltTest"),
            entry("deploy_account_v3_hash", "TransactionHashTest"),
            entry("invoke_v3_hash", "TransactionHashTest"),
            entry("v3_fee_field_hash", "TransactionHashTest"),
            entry("typed_data_message_hash", TYPED),
            entry("signatures_by_msg_length", "StarkSignerTest"));

    private static final Map<String, String> UNUSED = Map.of(
            "starkex-resources/signature_test_data.json: transfer_order, conditional_transfer_order",
            "both carry one signature for two hashes, which is by their key for neither; StarkSignerTest and OracleTest hold"
                    + " that, and use their keys",
            "transcribed_vectors.json: deploy_account_v3_hash, third case",
            "refers to sequencer/transaction_hash.json, a file that is not among the vectors",
            "trezor-bip39/vectors.json: words from entropy in languages other than English",
            "the library has the English list alone; their seeds and roots are used",
            "starknet-snap/starknet_snap_api_openrpc-2.10.0.json and -4.3.0.json",
            "a description of the wallet's methods: no number to check here, and not copied",
            "starknet-snap/stark-scan-example.json",
            "an explorer's answers, with a transaction of version 1, which is not hashed here: not copied",
            "starknet.js/captured_wire_requests.jsonl: lines 1 and 2",
            "questions for the chain and a class: nothing is hashed or signed in them");

    @Test
    void everyFileIsUsedByATest() throws IOException, URISyntaxException {
        Path root = Path.of(Vectors.class.getResource("/starknet").toURI());
        try (Stream<Path> files = Files.walk(root)) {
            Set<String> found = files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> !file.contains("LICENSE") && !file.equals("SOURCE.md"))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(found).isEqualTo(new TreeSet<>(FILES.keySet()));
        }
    }

    @Test
    void everyBlockOfTranscribedNumbersIsUsedByATest() {
        Set<String> blocks = Vectors.json("transcribed_vectors.json").properties().stream()
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(blocks).isEqualTo(new TreeSet<>(BLOCKS.keySet()));
    }

    @Test
    void whatIsNotUsedHasAReason() {
        assertThat(UNUSED.values()).allSatisfy(reason -> assertThat(reason).isNotBlank());
        UNUSED.forEach((vector, reason) -> System.out.println("not used: " + vector + ": " + reason));
    }
}
