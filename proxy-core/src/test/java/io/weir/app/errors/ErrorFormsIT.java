package io.weir.app.errors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.HardhatNode;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Two real nodes of different makes, whose errors look different, and look the same through the proxy. */
final class ErrorFormsIT {

    private static final String NOTHING = "0x" + "12".repeat(32);
    private static final String WORD = "0".repeat(64);
    private static final List<String> NETWORKS = List.of("anvil", "hardhat");

    private static AnvilNode anvil;
    private static HardhatNode hardhat;
    private static LocalProxy weir;
    private static String contract;

    @BeforeAll
    static void start() throws IOException {
        anvil = AnvilNode.start();
        hardhat = HardhatNode.start();
        contract = deployed(anvil.url());
        assertThat(deployed(hardhat.url())).isEqualTo(contract);
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .setting("networks.hardhat { kind = ethereum, chain-id = " + HardhatNode.CHAIN_ID + " }")
                .setting("networks.hardhat.upstreams.node { url = \"" + hardhat.url() + "\" }")
                .text());
        for (String network : NETWORKS) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(answer(network, "eth_blockNumber")
                                    .path("result")
                                    .asString(""))
                            .isEqualTo("0x1"));
        }
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable one : new AutoCloseable[] {weir, hardhat, anvil}) {
            if (one != null) {
                try {
                    one.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static String deployed(String url) throws IOException {
        JsonRpcClient node = new JsonRpcClient(url);
        return node.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "data", bytecode(), "gas", "0x100000"))
                .get("contractAddress")
                .asString();
    }

    private static String bytecode() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ErrorFormsIT.class.getResourceAsStream("/contracts/RevertEcho.hex"))) {
            return new String(in.readAllBytes(), UTF_8).strip();
        }
    }

    private static JsonNode answer(String network, String method, Object... params) {
        return new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/" + network + "/v3/demo").answer(method, params);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'execution reverted: not enough' | 08c379a0{20}{0a}6e6f7420656e6f75676800000000000000000000000000000000000000000000",
                "'execution reverted: ' | 08c379a0{20}{00}",
                "'execution reverted: assert(false)' | 4e487b71{01}",
                "'execution reverted: arithmetic underflow or overflow' | 4e487b71{11}",
                "'execution reverted: unknown panic code: 0xff' | 4e487b71{ff}",
                "'execution reverted' | cf479181{01}{02}",
                "'execution reverted' | 82b42900",
                "'execution reverted' | 77726f6e672d63616c6c6461746173697a65",
                "'execution reverted' | ''"
            })
    void aRevertIsTheSameFromEachNode(String message, String pattern) {
        String payload = "0x" + pattern.replaceAll("\\{(..)\\}", "0".repeat(62) + "$1");
        Map<String, String> call = Map.of("from", AnvilNode.RICH_ACCOUNT, "to", contract, "data", payload);
        for (String method : List.of("eth_call", "eth_estimateGas")) {
            for (String network : NETWORKS) {
                JsonNode error = answer(network, method, call, "latest").get("error");
                assertThat(error.toString())
                        .as("%s of %s", method, network)
                        .isEqualTo("{\"code\":3,\"message\":\"" + message + "\",\"data\":\"" + payload + "\"}");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eth_getBlockTransactionCountByHash", "eth_getTransactionByHash", "eth_getTransactionReceipt"})
    void aLookupOfAnUnknownHashFindsNothingOnEachNode(String method) {
        for (String network : NETWORKS) {
            assertThat(answer(network, method, NOTHING)).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}");
        }
    }

    @Test
    void aLookupWithMoreThanAHashFindsNothingOnEachNode() {
        for (String network : NETWORKS) {
            assertThat(answer(network, "eth_getBlockByHash", NOTHING, false).path("result"))
                    .hasToString("null");
            assertThat(answer(network, "eth_getTransactionByBlockHashAndIndex", NOTHING, "0x0")
                            .path("result"))
                    .hasToString("null");
        }
    }

    @Test
    void anAbsenceThatOneNodeReportsAsAnErrorIsNullToo() {
        assertThat(new JsonRpcClient(anvil.url())
                        .answer("eth_getUncleByBlockHashAndIndex", NOTHING, "0x0")
                        .path("error")
                        .path("code")
                        .asInt())
                .as("asked directly")
                .isEqualTo(-32001);
        assertThat(answer("anvil", "eth_getUncleByBlockHashAndIndex", NOTHING, "0x0"))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}");
    }

    @Test
    void aMethodThatANodeDoesNotHaveHasTheSameError() {
        for (String network : NETWORKS) {
            assertThat(answer(network, "eth_nope").get("error"))
                    .hasToString(
                            "{\"code\":-32601,\"message\":\"the method eth_nope does not exist/is not available\"}");
        }
    }

    @Test
    void anUnknownBlockKeepsTheNodesOwnError() {
        Map<String, Integer> codes = Map.of("anvil", -32602, "hardhat", -32000);
        for (String network : NETWORKS) {
            long before = counted(network, "lacks_data");
            JsonNode error = answer(network, "eth_getBalance", AnvilNode.RICH_ACCOUNT, "0xffffff")
                    .get("error");
            assertThat(error.path("code").asInt()).isEqualTo(codes.get(network));
            assertThat(error.path("message").asString()).contains("16777215");
            assertThat(counted(network, "lacks_data")).isEqualTo(before + 1);
        }
    }

    @Test
    void tooLittleGasIsAVerdictOfEachNode() {
        Map<String, String> call =
                Map.of("from", AnvilNode.RICH_ACCOUNT, "to", NOTHING.substring(0, 42), "gas", "0x5000");
        for (String network : NETWORKS) {
            long before = counted(network, "execution_verdict");
            assertThat(answer(network, "eth_call", call, "latest")
                            .path("error")
                            .path("code")
                            .asInt())
                    .isEqualTo(-32000);
            assertThat(counted(network, "execution_verdict")).isEqualTo(before + 1);
        }
    }

    @Test
    void aHaltIsNoInternalErrorWhichClientsWouldRepeat() {
        for (String url : List.of(anvil.url(), hardhat.url())) {
            JsonNode error = new JsonRpcClient(url).answer("eth_call", Map.of("data", "0xfe"), "latest");
            assertThat(error.at("/error/code").asInt()).as("asked directly").isEqualTo(-32603);
        }
        for (String network : NETWORKS) {
            for (String method : List.of("eth_call", "eth_estimateGas")) {
                JsonNode error = answer(network, method, Map.of("data", "0xfe"), "latest");
                assertThat(error.at("/error/code").asInt()).as(network).isEqualTo(-32000);
                assertThat(error.at("/error/message").asString()).containsIgnoringCase("opcode");
            }
        }
    }

    @Test
    void errorsTakeNoNodeOut() {
        Map<String, String> call = Map.of("from", AnvilNode.RICH_ACCOUNT, "to", contract, "data", "0x" + WORD);
        for (String network : NETWORKS) {
            for (int i = 0; i < 5; i++) {
                answer(network, "eth_call", call, "latest");
                answer(network, "eth_nope");
                answer(network, "eth_getBalance", AnvilNode.RICH_ACCOUNT, "0xffffff");
            }
            assertThat(counted(network, "node_fault")).isZero();
            assertThat(answer(network, "eth_chainId").path("result").asString()).isEqualTo("0x7a69");
        }
    }

    private static long counted(String network, String errorClass) {
        return (long) weir.admin()
                .metric("weir_upstream_errors_total", "network=\"" + network + '"', "class=\"" + errorClass + '"');
    }
}
