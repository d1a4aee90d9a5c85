package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.pipeline.send.SignedTransactions;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.GethNode;
import io.weir.testing.JsonRpcClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A transaction and its receipt in one call, whatever its node can. */
final class SendSyncIT {

    private static final String SYNC = "eth_sendRawTransactionSync";

    private static String raw(Transaction transaction) {
        return Hex.encode(transaction.encoded());
    }

    private static LocalProxy proxy(String chainId, String... nodes) {
        ConfigurationText text = ConfigurationText.of("dev", chainId);
        for (int i = 0; i < nodes.length; i++) {
            text.upstream("node" + i, nodes[i]);
        }
        return LocalProxy.start(text.networkSetting("methods.allow = [\"*\"]").text());
    }

    private static void assertMined(JsonNode answer, Transaction transaction, JsonRpcClient node) {
        String hash = transaction.hash().hex();
        assertThat(answer.get("result"))
                .as(answer.toString())
                .isEqualTo(node.result("eth_getTransactionReceipt", hash));
        assertThat(answer.at("/result/status").asString()).isEqualTo("0x1");
    }

    @Test
    void theReceiptComesAsSoonAsTheBlockDoes() {
        try (AnvilNode anvil = AnvilNode.start("--block-time", "1");
                LocalProxy weir = proxy(AnvilNode.CHAIN_ID, anvil.url())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            for (int nonce = 0; nonce < 3; nonce++) {
                Transaction transaction = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, nonce);
                assertMined(client.answer(SYNC, raw(transaction)), transaction, new JsonRpcClient(anvil.url()));
            }
            // The same once more: it is mined already.
            Transaction first = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0);
            assertMined(client.answer(SYNC, raw(first), "0x3e8"), first, new JsonRpcClient(anvil.url()));
        }
    }

    @Test
    void aNodeThatMinesOnDemandAnswersAtOnce() {
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = proxy(AnvilNode.CHAIN_ID, anvil.url())) {
            Transaction transaction = SignedTransactions.payment(TransactionType.LEGACY, 0);
            JsonNode answer = new JsonRpcClient(weir.url()).answer(SYNC, raw(transaction), 5_000);
            assertMined(answer, transaction, new JsonRpcClient(anvil.url()));
        }
    }

    @Test
    void withoutABlockInTimeTheErrorHasTheHash() {
        try (AnvilNode anvil = AnvilNode.start("--no-mining");
                LocalProxy weir = proxy(AnvilNode.CHAIN_ID, anvil.url())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            Transaction transaction = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0);
            JsonNode error = client.answer(SYNC, raw(transaction), 700).get("error");
            assertThat(error.get("code").asInt()).isEqualTo(4);
            assertThat(error.get("data").asString())
                    .isEqualTo(transaction.hash().hex());
            assertThat(error.get("message").asString()).contains("wasn't processed in 700ms");
            new JsonRpcClient(anvil.url()).result("evm_mine");
            assertMined(client.answer(SYNC, raw(transaction)), transaction, new JsonRpcClient(anvil.url()));
        }
    }

    @Test
    void whatANodeRefusesIsRefusedAtOnce() {
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = proxy(AnvilNode.CHAIN_ID, anvil.url())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            assertThat(client.answer(SYNC, "0xzz").at("/error/code").asInt()).isEqualTo(-32602);
            assertThat(client.answer(SYNC).at("/error/code").asInt()).isEqualTo(-32602);
            Transaction first = SignedTransactions.payment(TransactionType.LEGACY, 0);
            Transaction other = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0);
            assertThat(client.answer(SYNC, raw(first)).has("result")).isTrue();
            assertThat(client.answer(SYNC, raw(other)).at("/error/message").asString())
                    .isEqualTo("nonce too low");
        }
    }

    @Test
    void gethGivesItsReceiptToo() {
        try (GethNode geth = GethNode.start("--dev.period", "1");
                LocalProxy weir = proxy(GethNode.CHAIN_ID, geth.url())) {
            JsonRpcClient direct = new JsonRpcClient(geth.url());
            direct.mined(Map.of(
                    "from",
                    direct.result("eth_accounts").get(0).asString(),
                    "to",
                    AnvilNode.RICH_ACCOUNT,
                    "value",
                    "0x8ac7230489e80000"));
            long chain = Long.parseLong(GethNode.CHAIN_ID);
            Transaction transaction = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0, chain);
            assertMined(new JsonRpcClient(weir.url()).answer(SYNC, raw(transaction)), transaction, direct);
        }
    }
}
