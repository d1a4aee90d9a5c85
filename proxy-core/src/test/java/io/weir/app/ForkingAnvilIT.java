package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A second real node that takes the first one's state through the proxy: a demanding client. */
final class ForkingAnvilIT {

    private static final String HEIR = "0x00000000000000000000000000000000deadbeef";
    private static final String POOR = "0x00000000000000000000000000000000cafebabe";

    // Stores 42 in slot 0 and leaves the code 0x00.
    private static final String STORING_CONTRACT = "0x602a5f5560015ff3";

    @Test
    void aNodeThatForksFromTheProxyAnswersTheStateOfTheNodeBehindIt() {
        try (AnvilNode origin = AnvilNode.start()) {
            JsonRpcClient direct = new JsonRpcClient(origin.url());
            pay(direct, HEIR, "0x3039");
            String contract = deploy(direct);
            JsonNode head = direct.result("eth_getBlockByNumber", "latest", true);
            try (LocalProxy weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                            .upstream("origin", origin.url())
                            .text());
                    AnvilNode fork = AnvilNode.start("--fork-url", weir.url(), "--no-storage-caching")) {
                JsonRpcClient forked = new JsonRpcClient(fork.url());
                assertThat(forked.result("eth_chainId").asString()).isEqualTo("0x7a69");
                assertThat(forked.result("eth_getBalance", HEIR, "latest").asString())
                        .isEqualTo("0x3039");
                assertThat(forked.result("eth_getBalance", POOR, "latest").asString())
                        .isEqualTo("0x0");
                assertThat(forked.result("eth_getStorageAt", contract, "0x0", "latest")
                                .asString())
                        .isEqualTo("0x" + String.format("%064x", 42));
                assertThat(forked.result("eth_getBlockByNumber", "0x2", true).path("hash"))
                        .isEqualTo(head.path("hash"));
                assertAPaymentStaysInTheFork(forked, direct);
                assertThat(weir.admin().metric("weir_upstream_calls_total", "upstream=\"origin\""))
                        .as("calls that the fork sent through the proxy")
                        .isGreaterThan(3);
            }
        }
    }

    private static String deploy(JsonRpcClient node) {
        JsonNode receipt = node.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "data", STORING_CONTRACT));
        assertThat(receipt.path("status").asString()).isEqualTo("0x1");
        return receipt.path("contractAddress").asString();
    }

    private static void pay(JsonRpcClient node, String heir, String value) {
        node.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", heir, "value", value));
    }

    private static void assertAPaymentStaysInTheFork(JsonRpcClient forked, JsonRpcClient origin) {
        pay(forked, POOR, "0x7");
        assertThat(forked.result("eth_getBalance", POOR, "latest").asString()).isEqualTo("0x7");
        assertThat(origin.result("eth_getBalance", POOR, "latest").asString()).isEqualTo("0x0");
    }
}
