package io.weir.l2.oracle;

import static io.weir.l2.oracle.OracleTest.theirs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.swmansion.starknet.data.TypedData;
import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashes of typed data against starknet-jvm. The three messages where it differs from starknet.js have a test each. */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the oracle has native code for Linux and macOS alone")
class OracleTypedDataTest {
    private static final Felt ACCOUNT = Felt.parseHex("0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "starknet-snap/typedDataExample.json",
                "starknet.js/typedData/baseExample.json",
                "starknet.js/typedData/example_baseTypes.json",
                "starknet.js/typedData/example_presetTypes.json",
                "starknet.js/typedData/mail_StructArray.json",
                "starknet.js/typedData/v1Nested.json",
                "starknet-jvm/rev_0/typed_data_example.json",
                "starknet-jvm/rev_0/typed_data_felt_array_example.json",
                "starknet-jvm/rev_0/typed_data_long_string_example.json",
                "starknet-jvm/rev_0/typed_data_session_example.json",
                "starknet-jvm/rev_0/typed_data_struct_array_example.json",
                "starknet-jvm/rev_0/typed_data_validate_example.json",
                "starknet-jvm/rev_1/typed_data_basic_types_example.json",
                "starknet-jvm/rev_1/typed_data_enum_example.json",
                "starknet-jvm/rev_1/typed_data_example.json",
                "starknet-jvm/rev_1/typed_data_felt_merkletree_example.json",
                "starknet-jvm/rev_1/typed_data_preset_types_example.json",
                "starknet-jvm/rev_1/typed_data_struct_array_example.json"
            })
    void messagesHaveTheSameHash(String file) {
        assertThat(ours(file).toBigInteger())
                .isEqualTo(TypedData.fromJsonString(Vectors.text(file))
                        .getMessageHash(theirs(ACCOUNT))
                        .getValue());
    }

    @Test
    void aVariantWithoutDataCountsAsStarknetJsCountsIt() {
        String file = "starknet.js/typedData/example_enum.json";
        assertThat(TypedData.fromJsonString(Vectors.text(file))
                        .getMessageHash(theirs(ACCOUNT))
                        .hexString())
                .isEqualTo("0x69b8e06cf1afab12f3983bd75243a1b4a43d313dd407837292f715a28d57017");
        assertThat(ours(file)).hasToString("0x6e61abaf480b1370bbf231f54e298c5f4872f40a6d2dd409ff30accee5bbd1e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"starknet.js/typedData/example_enumNested.json", "starknet.js/typedData/session_MerkleTree.json"
            })
    void whatStarknetJsTakesIsTakenThoughStarknetJvmRefusesIt(String file) {
        assertThatThrownBy(() -> TypedData.fromJsonString(Vectors.text(file)).getMessageHash(theirs(ACCOUNT)))
                .isInstanceOf(RuntimeException.class);
        assertThat(ours(file)).isNotEqualTo(Felt.ZERO);
    }

    private static Felt ours(String file) {
        return io.weir.l2.typed.TypedData.of(Vectors.json(file)).messageHash(ACCOUNT);
    }
}
