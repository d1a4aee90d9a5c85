package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Honest nodes whose answers differ in form from those of Ethereum's nodes. */
final class OtherDialectsIT {

    private static final String CHAIN_ID = Long.toString(SignedTransactions.CHAIN_ID);

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);

    /** Shows receipts as nodes of other chains do: without types, and with zeros in place of no address. */
    private static ChainAnswer otherReceipts(String method, JsonNode params, ChainAnswer truth) {
        return method.contains("Receipt") && truth.text() != null
                ? ChainAnswer.result(truth.text()
                        .replaceAll("\"type\":\"[^\"]*\",?", "")
                        .replace("\"contractAddress\":null", "\"contractAddress\":\"0x" + "0".repeat(40) + '"'))
                : truth;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void receiptsInAFormThatAllNodesShareAreServedAndAreNoFault(int size) {
        chain.mine(80);
        List<ChainServer> nodes = new ArrayList<>();
        ConfigurationText text = ConfigurationText.of("main", CHAIN_ID);
        for (int i = 0; i < size; i++) {
            nodes.add(new ChainServer(chain, OtherDialectsIT::otherReceipts));
            text.upstream("node" + i, nodes.get(i).url());
        }
        try (LocalProxy weir = LocalProxy.start(text.text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            for (int number = 1; number <= 80; number++) {
                String block = "0x" + Integer.toHexString(number);
                JsonNode transactions =
                        client.result("eth_getBlockByNumber", block, true).get("transactions");
                JsonNode receipts = client.result("eth_getBlockReceipts", block);
                assertThat(receipts).hasSameSizeAs(transactions);
                for (JsonNode transaction : transactions) {
                    String hash = transaction.get("hash").asString();
                    assertThat(client.result("eth_getTransactionReceipt", hash)
                                    .get("transactionHash")
                                    .asString())
                            .isEqualTo(hash);
                }
            }
            for (int i = 0; i < size; i++) {
                assertThat(weir.admin().health("main", "node" + i)).isEqualTo("healthy");
            }
            assertThat(weir.admin().metric("weir_upstream_bad_answers_total")).isZero();
            assertThat(weir.admin()
                            .status()
                            .at("/networks/main/unverifiable/eth_getBlockReceipts")
                            .asString(""))
                    .matches("node\\d: \\[\\d+].(type is missing|contractAddress: .*)");
        } finally {
            nodes.forEach(ChainServer::close);
        }
    }

    @Test
    void theNetworksIdIsThatOfTheNodesAndNotTheChains() {
        chain.mine(3);
        ChainServer.Lie other =
                (method, params, truth) -> method.equals("net_version") ? ChainAnswer.result("\"7\"") : truth;
        try (ChainServer node = new ChainServer(chain, other);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", CHAIN_ID)
                        .upstream("node", node.url())
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            for (int i = 0; i < 5; i++) {
                assertThat(client.result("net_version").asString()).isEqualTo("7");
            }
            assertThat(node.count(new AskedCall("net_version", "[]"))).isLessThan(5);
        }
    }
}
