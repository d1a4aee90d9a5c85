package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.pipeline.send.SignedTransactions;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The head of a real node that mines and rolls back on demand, as it is seen through the proxy. */
final class AnvilHeadIT {

    private static AnvilNode anvil;
    private static LocalProxy weir;
    private static JsonRpcClient direct;
    private static JsonRpcClient client;

    @BeforeAll
    static void start() {
        anvil = AnvilNode.start();
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .networkSetting("methods.allow = [\"eth_sendTransaction\", \"anvil_*\", \"evm_*\"]")
                // So long that no answer is right because of time alone.
                .networkSetting("head.max-age = 1 h")
                .networkSetting("health.interval = 1 h")
                .text());
        direct = new JsonRpcClient(anvil.url());
        client = new JsonRpcClient(weir.url());
        client.result("eth_blockNumber");
    }

    @AfterAll
    static void stop() {
        if (weir != null) {
            weir.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    @Test
    void aMinedBlockIsTheHeadAtOnce() {
        for (int i = 0; i < 25; i++) {
            long before = head();
            client.result("evm_mine");
            assertThat(head()).isEqualTo(before + 1);
            assertThat(number(client.result("eth_getBlockByNumber", "latest", false)
                            .path("number")))
                    .isEqualTo(before + 1);
        }
    }

    @Test
    void theEffectOfATransactionIsSeenByTheCallAfterItsReceipt() {
        for (int i = 0; i < 25; i++) {
            String heir = "0x00000000000000000000000000000000beef%04x".formatted(i);
            client.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", heir, "value", "0x3039"));
            assertThat(client.result("eth_getBalance", heir, "latest").asString())
                    .as("payment " + i)
                    .isEqualTo("0x3039");
        }
    }

    @RepeatedTest(100)
    void aTransactionIsMinedForTheCallAfterIt() {
        long before = head();
        long nonce = nonce("latest");
        String hash = client.result("eth_sendRawTransaction", payment(nonce)).asString();
        JsonNode receipt = client.result("eth_getTransactionReceipt", hash);
        assertThat(receipt.path("blockNumber").asString("none")).isEqualTo("0x" + Long.toHexString(before + 1));
        assertThat(head()).isEqualTo(before + 1);
        assertThat(nonce("latest")).isEqualTo(nonce + 1);
    }

    @Test
    void aRollbackTakesTheNoncesOfItsTransactionsWithIt() {
        long nonce = nonce("pending");
        String snapshot = client.result("evm_snapshot").asString();
        String hash = client.result("eth_sendRawTransaction", payment(nonce)).asString();
        assertThat(nonce("pending")).isEqualTo(nonce + 1);
        client.result("evm_revert", snapshot);
        assertThat(nonce("pending")).isEqualTo(nonce);
        assertThat(client.result("eth_getTransactionByHash", hash).isNull()).isTrue();

        String another = direct.result("evm_snapshot").asString();
        long before = head();
        client.result("eth_sendRawTransaction", payment(nonce));
        assertThat(nonce("pending")).isEqualTo(nonce + 1);
        assertThat(head()).isEqualTo(before + 1);
        direct.result("evm_revert", another);
        await().until(() -> head() == before);
        assertThat(nonce("pending")).as("after a rollback past the proxy").isEqualTo(nonce);
    }

    @Test
    void aRollbackIsFollowedAtOnce() {
        String snapshot = client.result("evm_snapshot").asString();
        long before = head();
        client.result("anvil_mine", "0x5");
        assertThat(head()).isEqualTo(before + 5);
        assertThat(client.result("evm_revert", snapshot).asBoolean()).isTrue();
        assertThat(head()).isEqualTo(before);
        assertThat(client.result("eth_getBlockByNumber", "latest", false)).isEqualTo(latestOf(direct));
    }

    @Test
    void aRollbackPastTheProxyIsFollowedByACallThatMeetsIt() {
        String snapshot = direct.result("evm_snapshot").asString();
        client.result("anvil_mine", "0x3");
        long before = settledHead();
        direct.result("evm_revert", snapshot);
        assertThat(client.result("eth_getBlockByNumber", "latest", false)).isEqualTo(latestOf(direct));
        assertThat(head()).isEqualTo(before - 3);
    }

    @Test
    void aReorganisationIsFollowedAtOnce() {
        client.result("anvil_mine", "0x6");
        JsonNode before = latestOf(client);
        client.result("anvil_reorg", 4, List.of());
        JsonNode after = latestOf(client);
        assertThat(after).isEqualTo(latestOf(direct));
        assertThat(after.path("hash")).isNotEqualTo(before.path("hash"));
        assertThat(head()).isEqualTo(number(direct.result("eth_blockNumber")));
    }

    @Test
    void aReceiptOfAHigherBlockRaisesTheHead() {
        long before = settledHead();
        String hash = direct.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT, "value", "0x1"))
                .path("transactionHash")
                .asString();
        assertThat(head()).as("nothing told the proxy").isEqualTo(before);
        client.result("eth_getTransactionReceipt", hash);
        assertThat(head()).isEqualTo(before + 1);
    }

    @Test
    void theChainsIdsNeedNoNode() {
        // Calls that another test caused may still be in flight at first.
        await().untilAsserted(() -> {
            double calls = attempts();
            assertThat(client.result("eth_chainId").asString()).isEqualTo("0x7a69");
            assertThat(client.result("net_version").asString()).isEqualTo("31337");
            assertThat(attempts()).isEqualTo(calls);
        });
        assertThat(client.answer("eth_chainId", "0x1").at("/error/code").asInt())
                .isEqualTo(-32602);
    }

    @Test
    void tagsOfFinalityAreTheNodes() {
        for (String tag : List.of("safe", "finalized", "earliest", "pending")) {
            assertThat(client.result("eth_getBlockByNumber", tag, false).path("number"))
                    .as(tag)
                    .isEqualTo(direct.result("eth_getBlockByNumber", tag, false).path("number"));
        }
    }

    private static long nonce(String block) {
        return number(client.result("eth_getTransactionCount", AnvilNode.RICH_ACCOUNT, block));
    }

    private static String payment(long nonce) {
        return Hex.encode(
                SignedTransactions.payment(TransactionType.DYNAMIC_FEE, nonce).encoded());
    }

    private static JsonNode latestOf(JsonRpcClient node) {
        return node.result("eth_getBlockByNumber", "latest", false);
    }

    private static long head() {
        return number(client.result("eth_blockNumber"));
    }

    /** The head once it is known without asking. */
    private static long settledHead() {
        await().until(() -> {
            double before = refreshes();
            head();
            return refreshes() == before;
        });
        return head();
    }

    private static double refreshes() {
        return weir.admin().metric("weir_head_refreshes_total", "network=\"anvil\"");
    }

    private static long number(JsonNode quantity) {
        return Long.decode(quantity.asString());
    }

    private static double attempts() {
        return weir.admin().metric("weir_upstream_calls_total", "upstream=\"node\"");
    }
}
