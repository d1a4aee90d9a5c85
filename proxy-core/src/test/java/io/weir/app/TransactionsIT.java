package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.pipeline.send.SignedTransactions;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.MuteNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Signed transactions through the proxy to real nodes. */
final class TransactionsIT {

    private static final String SEND = "eth_sendRawTransaction";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Transaction TRANSACTION = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0);
    private static final String RAW = Hex.encode(TRANSACTION.encoded());
    private static final String HASH = TRANSACTION.hash().hex();

    private AnvilNode first;
    private AnvilNode second;
    private LocalProxy weir;

    @AfterEach
    void stopAll() {
        for (AutoCloseable part : new AutoCloseable[] {weir, first, second}) {
            if (part != null) {
                org.assertj.core.api.Assertions.assertThatCode(part::close).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void theSameTransactionTwiceIsTheSameHashTwiceAlsoWhenItWasMinedInBetween() {
        first = AnvilNode.start("--no-mining");
        JsonRpcClient client = start(configuration().upstream("first", first.url()), "first");
        assertThat(client.result(SEND, RAW).asString()).isEqualTo(HASH);
        assertThat(client.result(SEND, RAW).asString()).as("while it waits").isEqualTo(HASH);
        new JsonRpcClient(first.url()).result("evm_mine");
        assertThat(client.result(SEND, RAW).asString()).as("mined").isEqualTo(HASH);

        Transaction another = SignedTransactions.payment(TransactionType.LEGACY, 0);
        assertThat(client.answer(SEND, Hex.encode(another.encoded()))
                        .at("/error/message")
                        .asString())
                .as("another with the nonce of that one")
                .isEqualTo("nonce too low");
        assertThat(outcomes("accepted")).isEqualTo(1);
        assertThat(outcomes("known")).isEqualTo(1);
        assertThat(outcomes("found")).isEqualTo(1);
        assertThat(outcomes("refused")).isEqualTo(1);
    }

    @Test
    void aNodeThatTakesItAndFallsSilentHasTakenIt() {
        first = AnvilNode.start();
        try (MuteNode mute = MuteNode.before(first.url(), SEND)) {
            // Two ways to one node: what the first way brought, the node knows on the second.
            JsonRpcClient client = start(
                    configuration()
                            .upstream("mute", mute.url())
                            .upstream("plain", first.url())
                            .networkSetting("upstreams.mute.timeout = 500 ms")
                            .networkSetting("upstreams.plain.tier = 1"),
                    "mute",
                    "plain");
            assertThat(client.result(SEND, RAW).asString()).isEqualTo(HASH);
            assertThat(mute.kept()).isEqualTo(1);
            assertThat(outcomes("found")).isEqualTo(1);
            assertThat(client.result("eth_getTransactionReceipt", HASH)
                            .path("status")
                            .asString())
                    .isEqualTo("0x1");
        }
    }

    @Test
    void aBroadcastReachesEveryNode() {
        String[] sameGenesis = {"--timestamp", "1700000000"};
        first = AnvilNode.start(sameGenesis);
        second = AnvilNode.start(sameGenesis);
        JsonRpcClient client = start(
                configuration()
                        .upstream("first", first.url())
                        .upstream("second", second.url())
                        .networkSetting("transactions.broadcast = all"),
                "first",
                "second");
        assertThat(client.result(SEND, RAW).asString()).isEqualTo(HASH);
        for (AnvilNode node : new AnvilNode[] {first, second}) {
            JsonRpcClient direct = new JsonRpcClient(node.url());
            await().atMost(PATIENCE)
                    .until(() ->
                            !direct.result("eth_getTransactionByHash", HASH).isNull());
        }
    }

    @Test
    void textThatTheProxyCannotReadIsLeftToTheNodeToReject() {
        first = AnvilNode.start();
        JsonRpcClient client = start(configuration().upstream("first", first.url()), "first");
        String unknownType = "0x7ec0";
        assertThat(client.answer(SEND, unknownType).get("error"))
                .isEqualTo(
                        new JsonRpcClient(first.url()).answer(SEND, unknownType).get("error"));
        assertThat(client.answer(SEND, "0xzz").at("/error/message").asString())
                .isEqualTo("params[0]: \"0xzz\" (expected: bytes in hex)");
    }

    private static ConfigurationText configuration() {
        return ConfigurationText.of("anvil", AnvilNode.CHAIN_ID);
    }

    /** Starts the proxy and waits for every upstream, so that the first call has all to choose from. */
    private JsonRpcClient start(ConfigurationText configuration, String... upstreams) {
        weir = LocalProxy.start(configuration.text());
        for (String upstream : upstreams) {
            await().atMost(PATIENCE)
                    .until(() -> weir.admin().health("anvil", upstream).equals("healthy"));
        }
        return new JsonRpcClient(weir.url());
    }

    private double outcomes(String outcome) {
        return weir.admin().metric("weir_transactions_total", "outcome=\"" + outcome + "\"");
    }
}
