package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Subscriptions in front of a real node, with and without its WebSocket. */
final class AnvilSubscriptionsIT {

    /** Code that emits its call data as a log with one topic. */
    private static final String LOGGER = "0x366000600037602a366000a100";

    private static final String ADDRESS = "0x" + "c0".repeat(20);
    private static final String TOPIC = "0x" + "0".repeat(62) + "2a";

    private static LocalProxy weir(AnvilNode anvil, boolean socket) {
        ConfigurationText text = ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .networkSetting("head.max-age = 100 ms");
        return LocalProxy.start((socket
                        ? text.networkSetting(
                                "upstreams.node.ws-url = \"" + anvil.url().replace("http", "ws") + '"')
                        : text)
                .text());
    }

    private static JsonNode log(JsonRpcClient direct, String data) {
        return direct.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", ADDRESS, "data", data));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headsAndLogsComeInOrderAlsoThroughAReorganisation(boolean socket) {
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = weir(anvil, socket);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            JsonRpcClient direct = new JsonRpcClient(anvil.url());
            direct.result("anvil_setCode", ADDRESS, LOGGER);
            direct.result("anvil_mine", "0x5");
            JsonNode mined = direct.result("eth_blockNumber");
            // Blocks that the proxy does not know yet when a subscription begins are new to it.
            await().until(() -> mined.equals(client.answer("eth_blockNumber").get("result")));
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of("address", ADDRESS, "topics", List.of(TOPIC)));
            String others = client.subscribe("logs", Map.of("address", "0x" + "11".repeat(20)));

            showsABlockAndItsReplacement(client, direct, heads, logs);

            assertThat(client.answer("eth_unsubscribe", heads).get("result").asBoolean())
                    .isTrue();
            assertThat(client.answer("eth_unsubscribe", heads)
                            .get("error")
                            .get("message")
                            .asString())
                    .isEqualTo("subscription not found");
            log(direct, "0x02");
            assertThat(client.next(logs).get("data").asString()).isEqualTo("0x02");
            assertThat(client.has(heads)).isFalse();
            assertThat(client.has(others)).isFalse();
        }
    }

    private static void showsABlockAndItsReplacement(
            Subscriber client, JsonRpcClient direct, String heads, String logs) {
        JsonNode first = log(direct, "0x01");
        JsonNode head = client.next(heads);
        assertThat(head.get("hash")).isEqualTo(first.get("blockHash"));
        assertThat(head.propertyNames())
                .containsExactly(
                        "parentHash",
                        "sha3Uncles",
                        "miner",
                        "stateRoot",
                        "transactionsRoot",
                        "receiptsRoot",
                        "logsBloom",
                        "difficulty",
                        "number",
                        "gasLimit",
                        "gasUsed",
                        "timestamp",
                        "extraData",
                        "mixHash",
                        "nonce",
                        "baseFeePerGas",
                        "withdrawalsRoot",
                        "blobGasUsed",
                        "excessBlobGas",
                        "parentBeaconBlockRoot",
                        "requestsHash",
                        "hash");
        JsonNode log = client.next(logs);
        assertThat(log).isEqualTo(first.get("logs").get(0));

        direct.result("anvil_reorg", 1, List.of());
        JsonNode removed = client.next(logs);
        assertThat(removed.get("removed").asBoolean()).isTrue();
        assertThat(removed.get("blockHash")).isEqualTo(first.get("blockHash"));
        JsonNode second = client.next(heads);
        assertThat(second.get("number")).isEqualTo(head.get("number"));
        assertThat(second.get("hash")).isNotEqualTo(head.get("hash"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pendingTransactionsAreToldOnce(boolean socket) {
        try (AnvilNode anvil = AnvilNode.start("--no-mining");
                LocalProxy weir = weir(anvil, socket);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            JsonRpcClient direct = new JsonRpcClient(anvil.url());
            String pending = client.subscribe("newPendingTransactions");
            for (int i = 0; i < 3; i++) {
                JsonNode hash = direct.result(
                        "eth_sendTransaction", Map.of("from", AnvilNode.RICH_ACCOUNT, "to", ADDRESS, "gas", "0x5208"));
                assertThat(client.next(pending)).isEqualTo(hash);
            }
            assertThat(client.has(pending)).isFalse();
        }
    }
}
