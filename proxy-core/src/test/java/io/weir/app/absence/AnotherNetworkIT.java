package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.testing.traffic.CuttableRelay;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A node of another network comes behind the address of a node. */
final class AnotherNetworkIT {

    private static final String ACCOUNT = SignedTransactions.contract(0).hex();

    private final TestChain own = new TestChain(1, new SignedTransactions(), Memory.FORGETS);
    private final TestChain other = new TestChain(2, new SignedTransactions(), Memory.FORGETS);

    @Test
    void noAnswerComesFromANodeOfAnotherNetwork() {
        own.mine(20);
        other.mine(20);
        try (ChainServer right = new ChainServer(own);
                ChainServer wrong = wrong();
                CuttableRelay relay = CuttableRelay.to(URI.create(right.url()).getPort());
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", "http://127.0.0.1:" + relay.port())
                        .networkSetting("verify = off")
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            await().until(() -> client.answer("eth_getBalance", ACCOUNT, "0x3").has("result"));
            relay.leadTo(URI.create(wrong.url()).getPort());
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            for (int block = 4; System.nanoTime() < end; block = 4 + (block + 1) % 15) {
                String number = "0x" + Integer.toHexString(block);
                JsonNode answer = client.answer("eth_getBalance", ACCOUNT, number);
                assertThat(answer.path("result").asString(""))
                        .as("%s at %s", answer, number)
                        .isNotEqualTo(balance(other, number));
            }
            relay.leadTo(URI.create(right.url()).getPort());
            await().until(() -> client.answer("eth_getBalance", ACCOUNT, "0x3").has("result"));
        }
    }

    @Test
    void theRightNodeIsFoundOnceTheWrongOneHasEndedItsConnection() {
        own.mine(20);
        other.mine(20);
        try (ChainServer right = new ChainServer(own);
                ChainServer wrong = wrong();
                CuttableRelay relay = CuttableRelay.to(URI.create(wrong.url()).getPort());
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", "http://127.0.0.1:" + relay.port())
                        .networkSetting("health.interval = 1 h")
                        .text())) {
            await().until(() -> weir.admin().detail("net", "node").contains("serves chain 5"));
            relay.leadTo(URI.create(right.url()).getPort());
            JsonRpcClient client = new JsonRpcClient(weir.url());
            await().until(() -> client.answer("eth_getBalance", ACCOUNT, "0x3").has("result"));
        }
    }

    private ChainServer wrong() {
        return new ChainServer(
                other, (method, params, truth) -> method.equals("eth_chainId") ? ChainAnswer.result("\"0x5\"") : truth);
    }

    private static String balance(TestChain chain, String number) {
        String text = ChainAnswers.answer(chain.state(), "eth_getBalance", "[\"" + ACCOUNT + "\",\"" + number + "\"]")
                .text();
        return text.substring(1, text.length() - 1);
    }
}
