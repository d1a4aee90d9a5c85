package io.weir.app.reorg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.TestChain;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A final block that the proxy keeps. Immutable. */
record FinalBlock(AskedCall call, String number, JsonNode answer, ChainServer node, JsonRpcClient client) {

    private static final int COUNT = 10;

    /** Asks for some final blocks until they are kept. */
    static List<FinalBlock> settle(TestChain chain, ChainServer node, JsonRpcClient client) {
        List<FinalBlock> blocks = new ArrayList<>();
        for (long height = chain.state().finalized(); blocks.size() < COUNT; height--) {
            if (chain.state().at(height).uncles() > 0) {
                // With checked hashes, the uncles' headers would have to be fetched as well.
                continue;
            }
            String number = "0x" + Long.toHexString(height);
            AskedCall call = new AskedCall("eth_getBlockByNumber", "[\"" + number + "\",true]");
            await().until(() -> {
                int before = node.count(call);
                client.result("eth_getBlockByNumber", number, true);
                return node.count(call) == before;
            });
            JsonNode answer = client.result("eth_getBlockByNumber", number, true);
            blocks.add(new FinalBlock(call, number, answer, node, client));
        }
        return blocks;
    }

    /** It is answered as before, and no node is asked for it. */
    void assertKept(String description) {
        int asked = node.count(call);
        assertThat(client.result("eth_getBlockByNumber", number, true))
                .as(description)
                .isEqualTo(answer);
        assertThat(node.count(call)).as("%s: calls for %s", description, call).isEqualTo(asked);
    }
}
