package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.GethNode;
import io.weir.testing.HardhatNode;
import io.weir.testing.JsonRpcClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Clients read their own transactions from nodes that mine on demand. On a chain with a block time transactions cost nothing. */
@Execution(ExecutionMode.CONCURRENT)
final class OwnWritesIT {

    private static final String UNUSUAL_ID = "4242";
    private static final String PAYMENT = "0x3039";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** It sends more than the account has. */
    private static final Map<String, String> IMPOSSIBLE =
            Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT, "value", "0xffffffffffffffffffffffff");

    private static LocalProxy proxy(String chainId, String node) {
        return LocalProxy.start(ConfigurationText.of("dev", chainId)
                .upstream("node", node)
                .networkSetting("methods.allow = [\"*\"]")
                // So long that no answer is right because of time alone.
                .networkSetting("head.max-age = 1 h")
                .networkSetting("health.interval = 1 h")
                .text());
    }

    @Test
    void aChainThatMinesOnDemandShowsEachTransactionWhateverItsId() {
        try (AnvilNode anvil = AnvilNode.start("--chain-id", UNUSUAL_ID);
                LocalProxy weir = proxy(UNUSUAL_ID, anvil.url())) {
            assertOwnWritesAreRead(weir, anvil.url());
        }
    }

    @Test
    void hardhatShowsEachTransactionAndThoseThatItAnswersWithAnError() {
        try (HardhatNode hardhat = HardhatNode.start();
                LocalProxy weir = proxy(HardhatNode.CHAIN_ID, hardhat.url())) {
            assertOwnWritesAreRead(weir, hardhat.url());
            JsonRpcClient client = new JsonRpcClient(weir.url());
            long before = head(client);
            // PUSH1 0, PUSH1 0, REVERT: the creation fails in a block.
            JsonNode answer = client.answer(
                    "eth_sendTransaction",
                    Map.of("from", AnvilNode.RICH_ACCOUNT, "data", "0x60006000fd", "gas", "0x30d40"));
            assertThat(answer.at("/error/message").asString()).contains("revert");
            assertThat(head(client)).isEqualTo(before + 1);
        }
    }

    @Test
    void gethShowsEachTransactionAsSoonAsItHasMinedIt() {
        assertMinedPaymentsAreRead(25);
    }

    @Test
    void gethWithABlockTimeShowsThemToo() {
        assertMinedPaymentsAreRead(6, "--dev.period", "1");
    }

    private static void assertMinedPaymentsAreRead(int payments, String... options) {
        try (GethNode geth = GethNode.start(options);
                LocalProxy weir = proxy(GethNode.CHAIN_ID, geth.url())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            JsonRpcClient direct = new JsonRpcClient(geth.url());
            String from = direct.result("eth_accounts").get(0).asString();
            for (int i = 0; i < payments; i++) {
                String heir = "0x00000000000000000000000000000000beef%04x".formatted(i);
                assertThat(balance(client, heir)).isEqualTo("0x0");
                pay(i % 2 == 0, client, direct, Map.of("from", from, "to", heir, "value", PAYMENT));
                assertThat(balance(client, heir)).as("payment " + i).isEqualTo(PAYMENT);
            }
        }
    }

    /** Waits for the block of a payment, which comes after the node's answer, through the proxy or past it. */
    private static void pay(
            boolean throughProxy, JsonRpcClient client, JsonRpcClient direct, Map<String, String> payment) {
        if (throughProxy) {
            client.mined(payment);
            return;
        }
        String hash = client.result("eth_sendTransaction", payment).asString();
        await().atMost(PATIENCE)
                .until(() -> !direct.result("eth_getTransactionReceipt", hash).isNull());
    }

    private static void assertOwnWritesAreRead(LocalProxy weir, String node) {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        JsonRpcClient direct = new JsonRpcClient(node);
        for (int i = 0; i < 25; i++) {
            String heir = "0x00000000000000000000000000000000beef%04x".formatted(i);
            long before = head(client);
            Map<String, String> payment = Map.of("from", AnvilNode.RICH_ACCOUNT, "to", heir, "value", PAYMENT);
            // While a busy machine keeps the node from its probes, nothing is sent.
            await().atMost(PATIENCE)
                    .until(() -> client.answer("eth_sendTransaction", payment).has("result"));
            // Anvil answers before it mines, by milliseconds on a busy machine.
            await().atMost(PATIENCE).until(() -> balance(direct, heir).equals(PAYMENT));
            assertThat(balance(client, heir)).as("payment " + i).isEqualTo(PAYMENT);
            assertThat(head(client)).isEqualTo(before + 1);
        }
    }

    private static String balance(JsonRpcClient client, String account) {
        return client.result("eth_getBalance", account, "latest").asString();
    }

    @Test
    void onAChainWithABlockTimeNothingBecomesDoubtful() {
        try (AnvilNode anvil = AnvilNode.start("--chain-id", UNUSUAL_ID, "--block-time", "3600");
                LocalProxy weir = proxy(UNUSUAL_ID, anvil.url())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            JsonRpcClient direct = new JsonRpcClient(anvil.url());
            head(client);
            double fresh = settledRefreshes(weir, client);
            for (int i = 0; i < 100; i++) {
                client.answer("eth_sendTransaction", IMPOSSIBLE);
                client.answer("alchemy_getTokenBalances", AnvilNode.RICH_ACCOUNT);
                head(client);
            }
            assertThat(refreshes(weir)).as("after refused and unknown calls").isEqualTo(fresh);
            // Until the proxy has seen that no block follows.
            await().atMost(PATIENCE).until(() -> {
                double before = settledRefreshes(weir, client);
                pay(client);
                head(client);
                return refreshes(weir) == before;
            });
            double known = refreshes(weir);
            for (int i = 0; i < 100; i++) {
                pay(client);
                head(client);
            }
            assertThat(refreshes(weir)).as("after accepted transactions").isEqualTo(known);
            assertThat(direct.result("eth_blockNumber").asString()).isEqualTo("0x0");
        }
    }

    private static void pay(JsonRpcClient client) {
        client.result(
                "eth_sendTransaction",
                Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT, "value", "0x1"));
    }

    private static long head(JsonRpcClient client) {
        return Long.decode(client.result("eth_blockNumber").asString());
    }

    /** Waits until the head is known without a request. */
    private static double settledRefreshes(LocalProxy weir, JsonRpcClient client) {
        await().atMost(PATIENCE).until(() -> {
            double before = refreshes(weir);
            head(client);
            return refreshes(weir) == before;
        });
        return refreshes(weir);
    }

    private static double refreshes(LocalProxy weir) {
        return weir.admin().metric("weir_head_refreshes_total", "network=\"dev\"");
    }
}
