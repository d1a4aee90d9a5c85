package io.weir.l2.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.api.NetworkKind.ProbeCall;
import io.weir.api.NetworkMethod;
import io.weir.api.NetworkMethod.Effect;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How layer-2 nodes are probed. */
class LayerTwoKindTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SEPOLIA = "0x534e5f5345504f4c4941";

    private final LayerTwoKind kind = new LayerTwoKind(Set.of("gateway_add"), Set.of("own_add"));

    private static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    @Test
    void aChainIdIsTheSameAsTextAndInHex() {
        assertThat(kind.normaliseChainId("SN_SEPOLIA")).isEqualTo(SEPOLIA);
        assertThat(kind.normaliseChainId(SEPOLIA)).isEqualTo(SEPOLIA);
        assertThat(kind.normaliseChainId("0x000534E5F5345504F4C4941")).isEqualTo(SEPOLIA);
        assertThat(kind.normaliseChainId("SN_MAIN")).isEqualTo("0x534e5f4d41494e");
        assertThat(kind.readChainId(json("\"" + SEPOLIA + "\""))).isEqualTo(SEPOLIA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1337",
                "SN SEPOLIA",
                "0x",
                "0xg",
                "0X1",
                "Ünder",
                "a-text-of-more-than-31-characters",
                "0x1000000000000000000000000000000000000000000000000000000000000000"
            })
    void whatIsNoChainIdIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> kind.normaliseChainId(text));
    }

    @Test
    void probesAskTheThreeMethodsOfTheNetwork() {
        assertThat(kind.name()).isEqualTo("l2");
        assertThat(kind.chainIdCall()).isEqualTo(ProbeCall.of("starknet_chainId"));
        assertThat(kind.headCall()).isEqualTo(ProbeCall.of("starknet_blockNumber"));
        assertThat(kind.syncingCall()).isEqualTo(ProbeCall.of("starknet_syncing"));
    }

    @Test
    void everyMethodReadsOrSendsATransaction() {
        assertThat(kind.methods()).extracting(NetworkMethod::name).doesNotHaveDuplicates();
        assertThat(kind.methods()).allSatisfy(method -> {
            boolean write =
                    method.name().startsWith("starknet_add") || method.name().endsWith("_add");
            assertThat(method.effect() == Effect.WRITE).isEqualTo(write);
            assertThat(kind.isRepeatable(method.name())).isEqualTo(!write);
        });
        assertThat(kind.methods())
                .extracting(NetworkMethod::name)
                .contains("starknet_blockNumber", "starknet_addInvokeTransaction", "gateway_add");
    }

    @Test
    void aDeploymentThatThePluginHashesCostsMoreThanOneThatItPassesOn() {
        assertThat(kind.methods())
                .filteredOn(method -> method.effect() == Effect.WRITE)
                .extracting(NetworkMethod::name, NetworkMethod::cost)
                .contains(tuple("own_add", 10), tuple("gateway_add", 1), tuple("starknet_addInvokeTransaction", 1));
    }

    @Test
    void theHeadIsANumber() {
        assertThat(kind.readHead(json("1234567"))).isEqualTo(1_234_567);
        for (String wrong : new String[] {"\"0x1\"", "-1", "1.5", "null", "9223372036854775808"}) {
            assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> kind.readHead(json(wrong)));
        }
    }

    @Test
    void aNodeIsSyncingWhereItsProgressSaysSo() {
        assertThat(kind.readSyncing(json("false"))).isFalse();
        assertThat(kind.readSyncing(json("{\"current_block_num\":1,\"highest_block_num\":9}")))
                .isTrue();
        assertThat(kind.readSyncing(json("{\"current_block_num\":9,\"highest_block_num\":9}")))
                .isFalse();
        assertThat(kind.readSyncing(json("{}"))).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> kind.readSyncing(json("\"no\"")));
    }

    @Test
    void wrongChainIdsOfNodesAreRefused() {
        for (String wrong : new String[] {"\"SN_MAIN\"", "1", "null", "\"0x\""}) {
            assertThatIllegalArgumentException().as(wrong).isThrownBy(() -> kind.readChainId(json(wrong)));
        }
    }

    @Test
    void readsMayBeRepeatedAndWritesNot() {
        for (String read : new String[] {
            "starknet_call",
            "starknet_getNonce",
            "starknet_estimateFee",
            "starknet_simulateTransactions",
            "starknet_traceTransaction",
            "starknet_chainId",
            "starknet_specVersion"
        }) {
            assertThat(kind.isRepeatable(read)).as(read).isTrue();
        }
        for (String write : new String[] {
            "starknet_addInvokeTransaction",
            "starknet_addDeployAccountTransaction",
            "starknet_subscribeNewHeads",
            "devnet_mint",
            "eth_call",
            "starknet_get",
            "call"
        }) {
            assertThat(kind.isRepeatable(write)).as(write).isFalse();
        }
    }

    @Test
    void aBlockAClassOrATransactionThatIsNotThereMayBeAtAnotherNode() {
        assertThat(List.of(24, 28, 29)).allMatch(code -> kind.isNotFound("starknet_getTransactionReceipt", code));
        assertThat(kind.isNotFound("starknet_call", 20)).isFalse();
        assertThat(kind.isNotFound("starknet_addInvokeTransaction", 28)).isFalse();
    }

    @Test
    void refusalsOfTransactionsAndFailuresOfContractsAreFinal() {
        for (int code : new int[] {28, 52, 53, 54, 55, 58, 59, 61, 63, 64, 65, 69}) {
            assertThat(kind.isFinalError("starknet_addInvokeTransaction", code)).isTrue();
            assertThat(kind.isFinalError("gateway_add", code)).isTrue();
            assertThat(kind.isFinalError("starknet_call", code)).isFalse();
        }
        assertThat(kind.isFinalError("starknet_estimateFee", 41)).isTrue();
        assertThat(kind.isUnread("starknet_addDeployAccountTransaction", -32602))
                .isTrue();
        assertThat(kind.isUnread("gateway_add", -32602)).isTrue();
        assertThat(kind.isUnread("starknet_addDeployAccountTransaction", 55)).isFalse();
        assertThat(kind.isUnread("starknet_call", -32602)).isTrue();
        assertThat(kind.isUnread("starknet_call", 24)).isFalse();
        assertThat(kind.isUnread("starknet_unknown", -32602)).isFalse();
        assertThat(kind.isFinalError("starknet_call", 40)).isTrue();
        assertThat(kind.isFinalError("starknet_call", 24)).isFalse();
        for (int code : new int[] {-32603, -32005, 0, 100, 429}) {
            assertThat(kind.isFinalError("starknet_addInvokeTransaction", code)).isFalse();
        }
    }
}
