package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Parameters that clients may write differently from a real node, and parameters that are rejected. */
final class ParametersIT {

    private static final long GAS_LIMIT = 1_000_000;
    private static final String HEIR = "0x00000000000000000000000000000000deadbeef";

    // Stores 42 in slot 0 and leaves the code 0x00.
    private static final String STORING_CONTRACT = "0x602a5f5560015ff3";

    // Answers how much gas is left.
    private static final String GAS_METER = "0x5a5f5260205ff3";

    private static AnvilNode anvil;
    private static LocalProxy weir;
    private static JsonRpcClient node;
    private static JsonRpcClient proxy;
    private static String contract;

    @BeforeAll
    static void startNodeAndProxy() {
        anvil = AnvilNode.start("--gas-limit", Long.toString(GAS_LIMIT));
        node = new JsonRpcClient(anvil.url());
        contract = node.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "data", STORING_CONTRACT))
                .path("contractAddress")
                .asString();
        node.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", HEIR, "value", "0x3039"));
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .text());
        proxy = new JsonRpcClient(weir.url());
    }

    @AfterAll
    static void stopBoth() {
        if (weir != null) {
            weir.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    @Test
    void receiptsOfABlockAreFoundByEveryNameOfIt() {
        JsonNode receipts = node.result("eth_getBlockReceipts", "0x2");
        assertThat(receipts.size()).isEqualTo(1);
        String hash = receipts.path(0).path("blockHash").asString();

        for (Object block : List.of("2", 2, "0x02", hash, upper(hash), Map.of("blockHash", hash), "pending")) {
            assertThat(proxy.result("eth_getBlockReceipts", block))
                    .as("block %s", block)
                    .isEqualTo(receipts);
        }
        assertThat(proxy.result("eth_getBlockReceipts", 99).isNull()).isTrue();
    }

    @Test
    void storageIsFoundAtAPositionOfAnyLengthAndCase() {
        String stored = "0x" + String.format("%064x", 42);
        for (String position : List.of("0x0", "0x", "0x00", "0X0", "0x" + "0".repeat(64))) {
            assertThat(proxy.result("eth_getStorageAt", upper(contract), position, "latest")
                            .asString())
                    .as("position %s", position)
                    .isEqualTo(stored);
        }
        assertThat(proxy.result("eth_getStorageAt", contract, "0x0").asString()).isEqualTo(stored);
        assertThat(proxy.result("eth_getStorageAt", contract, "0x0", "earliest").asString())
                .isEqualTo("0x" + "0".repeat(64));
    }

    @Test
    void stateIsFoundByTheObjectsOfEip1898() {
        String first = blockHash("0x1");
        String second = blockHash("0x2");

        assertThat(balance(Map.of("blockHash", upper(first)))).isEqualTo("0x0");
        assertThat(balance(Map.of("blockHash", second))).isEqualTo("0x3039");
        assertThat(balance(Map.of("blockHash", second, "requireCanonical", true)))
                .isEqualTo("0x3039");
        assertThat(balance(Map.of("blockNumber", "0x01"))).isEqualTo("0x0");
        assertThat(balance(second)).isEqualTo("0x3039");
    }

    @Test
    void wrongParametersAreRejectedBeforeAnyNodeIsAsked() {
        JsonNode answer = proxy.answer("eth_estimateGas", Map.of("to", HEIR, "gas", "much"), "latest");

        assertThat(answer.path("id").asInt()).isEqualTo(1);
        assertThat(answer.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(answer.path("error").path("message").asString())
                .isEqualTo("params[0].gas: \"much\" (expected: quantity in hex of at most 64 bits)");
        assertThat(proxy.post("[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"eth_getBalance\",\"params\":{}},"
                                + "{\"jsonrpc\":\"2.0\",\"id\":1.50,\"method\":\"eth_getBalance\",\"params\":[\""
                                + upper(HEIR) + "\"]}]")
                        .body())
                .isEqualTo("[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32602,"
                        + "\"message\":\"params: {} (expected: an array)\"}},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":\"0x3039\"}]");
    }

    @Test
    void gasFarOverTheBlocksIsCut() {
        Map<String, String> call = Map.of("data", GAS_METER, "gas", "0xc00000");
        assertThat(gasLeft(node, call)).isGreaterThan(10 * GAS_LIMIT);
        double before = weir.admin().metric("weir_gas_capped_total", "network=\"anvil\"");

        assertThat(gasLeft(proxy, call)).isBetween(9 * GAS_LIMIT, 10 * GAS_LIMIT);

        assertThat(weir.admin().metric("weir_gas_capped_total", "network=\"anvil\""))
                .isEqualTo(before + 1);
        assertThat(gasLeft(proxy, Map.of("data", GAS_METER)))
                .as("no gas given")
                .isEqualTo(gasLeft(node, Map.of("data", GAS_METER)));
    }

    private static long gasLeft(JsonRpcClient client, Map<String, String> call) {
        String word = client.result("eth_call", call, "latest").asString();
        return Long.parseLong(word.substring(2), 16);
    }

    private static String balance(Object block) {
        return proxy.result("eth_getBalance", HEIR, block).asString();
    }

    private static String blockHash(String number) {
        return node.result("eth_getBlockByNumber", number, false).path("hash").asString();
    }

    private static String upper(String hex) {
        return "0x" + hex.substring(2).toUpperCase(Locale.ROOT);
    }
}
