package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.Felt;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What became of transactions, as far as the wallet and the chain know. */
class HistoryTest {

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private WalletFixture wallet;
    private String sender;

    @BeforeEach
    void start() throws IOException {
        wallet = WalletFixture.start(Files.createDirectories(folder.resolve("one")), chain, WalletFixture.QUICK);
        sender = wallet.deployedAccount(chain::addContract);
    }

    @AfterEach
    void stop() {
        wallet.close();
    }

    private String pay(int amount) {
        return wallet.call(
                        "l2Net_sendTransaction",
                        Map.of(
                                "contractAddress",
                                ScriptedNode.TOKEN.toPaddedHex(),
                                "contractFuncName",
                                "transfer",
                                "contractCallData",
                                "1," + amount + ",0",
                                "senderAddress",
                                sender))
                .path("transaction_hash")
                .stringValue();
    }

    private JsonNode list(Map<String, Object> more) {
        Map<String, Object> params = new HashMap<>(Map.of("senderAddress", sender));
        params.putAll(more);
        return wallet.call("l2Net_getTransactions", params);
    }

    private JsonNode status(String hash) {
        return wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", hash));
    }

    @Test
    void aRevertedTransactionSaysSo() {
        String hash = pay(1);
        chain.revert(felt(hash));
        chain.advance();
        chain.advance();
        await().atMost(60, SECONDS).until(() -> status(hash).isObject());

        assertThat(status(hash).path("status").stringValue()).isEqualTo("ACCEPTED_ON_L2");
        assertThat(status(hash).path("execution_status").stringValue()).isEqualTo("REVERTED");
        assertThat(status(hash).path("failure_reason").stringValue()).isEqualTo("not enough of the token");
        await().atMost(60, SECONDS)
                .until(() -> list(Map.of("onlyFromState", true))
                        .path(0)
                        .path("execution_status")
                        .stringValue()
                        .equals("REVERTED"));
        String good = pay(2);
        assertThat(status(good).isString()).isTrue();
        assertThat(wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", good, "details", true))
                        .path("execution_status")
                        .stringValue())
                .isEmpty();
    }

    @Test
    void aPageBeginsBehindTheCursor() {
        List<String> sent = new ArrayList<>();
        for (int amount = 0; amount < 12; amount++) {
            sent.add(0, pay(amount));
        }
        JsonNode first = list(Map.of("pageSize", 10, "onlyFromState", true));
        assertThat(first).extracting(one -> one.path("txnHash").stringValue()).isEqualTo(sent.subList(0, 10));
        JsonNode second = list(Map.of("pageSize", 10, "onlyFromState", true, "cursor", sent.get(9)));
        assertThat(second).extracting(one -> one.path("txnHash").stringValue()).isEqualTo(sent.subList(10, 12));
        assertThat(wallet.failure("l2Net_getTransactions", Map.of("senderAddress", sender, "cursor", "0x123"))
                        .getMessage())
                .startsWith("request.params.cursor: unknown");
    }

    @Test
    void whatTheDatabaseLostComesFromTheChain() throws IOException {
        String hash = pay(7);
        chain.advance();
        chain.advance();
        wallet.close();
        wallet = WalletFixture.start(Files.createDirectories(folder.resolve("two")), chain, WalletFixture.QUICK);

        assertThat(list(Map.of("onlyFromState", true))).isEmpty();
        assertThat(list(Map.of())).singleElement().satisfies(one -> {
            assertThat(one.path("txnHash").stringValue()).isEqualTo(hash);
            assertThat(one.path("status").stringValue()).isEqualTo("ACCEPTED_ON_L2");
            assertThat(one.path("contractAddress").stringValue()).isEqualTo(ScriptedNode.TOKEN.toPaddedHex());
            assertThat(one.path("contractCallData").toString()).isEqualTo("[\"0x1\",\"0x7\",\"0x0\"]");
        });
        pay(8);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L, 1L);
    }

    @Test
    void aPersonCancelsATransactionThatIsHeldUp() {
        chain.allowGaps();
        String stuck = pay(1);
        StoredTransaction first = wallet.remedies().replaceable().get(0);
        Felt cancel = Waiting.forResult(wallet.remedies().cancel(first, "alice"));
        assertThat(wallet.approvals.charged)
                .singleElement()
                .satisfies(charged -> assertThat(charged.maxFeeFri()).isPositive());
        chain.forget(felt(stuck));
        chain.advance();
        chain.advance();

        await().atMost(60, SECONDS).until(() -> status(stuck).stringValue().equals("REJECTED"));
        assertThat(status(cancel.toPaddedHex()).stringValue()).isEqualTo("ACCEPTED_ON_L2");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
        assertThat(chain.lastTransaction().path("calldata").path(5).stringValue())
                .as("the amount")
                .isEqualTo("0x0");
        assertThat(wallet.remedies().replaceable()).isEmpty();
    }

    @Test
    void aPersonRaisesTheFeeOfATransaction() {
        chain.allowGaps();
        String slow = pay(3);
        Felt raised = Waiting.forResult(
                wallet.remedies().raise(wallet.remedies().replaceable().get(0), "alice"));
        assertThat(raised.toPaddedHex()).isNotEqualTo(slow);
        assertThat(wallet.approvals.charged).singleElement().satisfies(charged -> {
            assertThat(charged.tenant()).isEqualTo(WalletFixture.TENANT);
            assertThat(charged.maxFeeFri()).isPositive();
            assertThat(charged.calls())
                    .singleElement()
                    .satisfies(call -> assertThat(call.function()).isEqualTo("transfer"));
        });
        assertThat(chain.lastTransaction().path("calldata").path(5).stringValue())
                .isEqualTo("0x3");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L, 0L);
    }
}
