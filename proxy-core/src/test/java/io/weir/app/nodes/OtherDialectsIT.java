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
import org.junit.jupiter.api.Test;

/** Honest nodes whose answers differ in form from those of Ethereum's nodes. */
final class OtherDialectsIT {

    private static final String CHAIN_ID = Long.toString(SignedTransactions.CHAIN_ID);

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);

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
