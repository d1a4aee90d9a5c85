package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.deploy.Samples;
import io.weir.testing.DevelopmentNode;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.NodeScript;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** starknet.js through the proxy at a real node. */
final class DevelopmentNodeIT {
    @TempDir
    private Path scratch;

    @Test
    void anAccountIsDeployedAndItsTokenTransferredAndReadBack() {
        try (DevelopmentNode node = DevelopmentNode.start(scratch);
                LayerTwoProxy proxy = LayerTwoProxy.in(scratch)
                        .network("devnet", node.url())
                        .setting("plugins.l2-deploy.aliases = [starknet]")
                        .start()) {
            NodeScript client = NodeScript.runIn(
                    "plugins/l2-deploy/src/test/npm", "devnet-account.mjs", proxy.url("devnet"), node.url());
            assertThat(client.text("chainId")).isEqualTo("0x534e5f5345504f4c4941");
            JsonNode deployed = client.saw("deployed");
            assertThat(number(deployed.path("contract_address"))).isEqualTo(number(deployed.path("expected")));
            assertThat(client.text("deployedStatus")).startsWith("ACCEPTED_ON_");
            assertThat(client.text("transferred")).isEqualTo("12345");
            assertThat(proxy.process().admin().metric("weir_plugin_l2_deploy_sent_total"))
                    .isEqualTo(1);
            assertThat(proxy.process().admin().metric("weir_plugin_l2_deploy_contradicted_total"))
                    .isZero();
        }
    }

    @Test
    void theNodeTellsNewTransactionsAndTheirReceiptsThroughTheProxy() {
        try (DevelopmentNode node = DevelopmentNode.start(scratch);
                LayerTwoProxy proxy = LayerTwoProxy.in(scratch)
                        .network("devnet", node.url())
                        .setting("networks.devnet.upstreams.n0.ws-url = \"" + webSocket(node) + "\"")
                        .start();
                JsonRpcSocket socket = JsonRpcSocket.connect(
                        "ws://127.0.0.1:" + proxy.process().port() + "/devnet/ws/v3/demo")) {
            List<String> ids = Stream.of(
                            "starknet_subscribeNewTransactions", "starknet_subscribeNewTransactionReceipts")
                    .map(method -> subscribe(socket, method))
                    .toList();
            new JsonRpcClient(node.url())
                    .post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"devnet_mint\",\"params\":{\"address\":\"0x1\","
                            + "\"amount\":1}}");
            Map<String, JsonNode> told = new TreeMap<>();
            for (int i = 0; i < 2; i++) {
                JsonNode notification = Samples.json(socket.await());
                told.put(notification.path("method").asString(), notification.path("params"));
            }
            assertThat(told.keySet())
                    .containsExactly(
                            "starknet_subscriptionNewTransaction", "starknet_subscriptionNewTransactionReceipts");
            assertThat(told.values().stream()
                            .map(params -> params.path("subscription_id").asString()))
                    .containsExactlyElementsOf(ids);
            assertThat(told.values().stream()
                            .map(params -> params.at("/result/transaction_hash").asString()))
                    .as("one transaction")
                    .doesNotContain("")
                    .hasSize(2)
                    .satisfies(hashes -> assertThat(Set.copyOf(hashes)).hasSize(1));
        }
    }

    private static String webSocket(DevelopmentNode node) {
        return node.url().replace("http:", "ws:").replace("/rpc", "/ws");
    }

    private static String subscribe(JsonRpcSocket socket, String method) {
        socket.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":{}}");
        JsonNode answer = Samples.json(socket.await());
        assertThat(answer.path("result").isString()).as("%s", answer).isTrue();
        return answer.path("result").asString();
    }

    private static BigInteger number(JsonNode hex) {
        return new BigInteger(hex.asString().substring(2), 16);
    }
}
