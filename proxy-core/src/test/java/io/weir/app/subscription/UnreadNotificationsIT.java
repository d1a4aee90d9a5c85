package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.testing.traffic.FrameConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Subscribers of one key that read nothing, more than the heap could wait for: the proxy serves on. */
final class UnreadNotificationsIT {

    private static final String PENDING = "newPendingTransactions";
    private static final int CONNECTIONS = 30;
    private static final int SUBSCRIPTIONS = 4;
    private static final int TRANSACTIONS = 16_000;

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.FORGETS);

    @Test
    void subscribersOfOneKeyThatReadNothingLeaveMemoryToOthersAndGiveItBack() throws IOException {
        List<FrameConnection> clients = new ArrayList<>();
        try (SubscribingNode node = new SubscribingNode(chain, PENDING);
                WeirProcess weir = WeirProcess.start(
                        // Records of each buffer would take more than the messages.
                        List.of("-Xmx96m", "-Dio.netty.leakDetection.level=simple"),
                        Testnet.text()
                                .upstream("node", node.url())
                                .networkSetting("upstreams.node.ws-url = \"" + node.socketUrl() + '"')
                                .setting("cache.memory = 8 MiB")
                                .setting("access.keys.other { sha256 ="
                                        + " \"d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa\","
                                        + " networks = [\"*\"], methods = [\"*\"] }")
                                .text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            for (int i = 0; i < CONNECTIONS; i++) {
                FrameConnection client = new FrameConnection(weir.port());
                clients.add(client);
                for (int id = 0; id < SUBSCRIPTIONS; id++) {
                    client.send(JsonRpcClient.call("eth_subscribe", PENDING));
                    assertThat(client.read()).contains("\"result\":");
                }
            }
            JsonRpcClient other = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/other");
            for (int i = 1; i <= TRANSACTIONS; i++) {
                node.tell(PENDING, "\"0x%064x\"".formatted(i));
                if (i % 1_000 == 0) {
                    assertThat(other.result("eth_getBalance", "0x%040x".formatted(i), "latest"))
                            .isNotNull();
                }
            }
            await().until(() -> weir.admin().metric("weir_subscribers_closed_total", "reason=\"slow\"") > 0);
            assertThat(other.result("eth_chainId")).isNotNull();
            for (FrameConnection client : clients) {
                client.close();
            }
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") < 100_000);
            assertThat(weir.process().told()).doesNotContain("OutOfMemory");
        } finally {
            for (FrameConnection client : clients) {
                client.close();
            }
        }
    }
}
