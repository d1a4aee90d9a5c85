package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import io.weir.testing.traffic.HeldNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Many who ask the same at once, over connections on several event loops. */
final class CoalescingIT {

    private static final int CALLS = 1_000;
    private static final int OTHER_FILES = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aThousandCallsThatAreTheSameReachTheNodeOnce() throws InterruptedException {
        Machine.assumeOpenFiles(CALLS + OTHER_FILES);
        try (HeldNode node = HeldNode.start();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", node.url())
                        // The node answers once all calls have come, which takes long on a busy machine.
                        .networkSetting("upstreams.node.timeout = 60 s")
                        .setting("server { threads = 3, call-timeout = 60 s }")
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            client.result("eth_blockNumber");
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            String account = "0x" + "0".repeat(40);
            for (int i = 0; i < CALLS; i++) {
                answers.add(client.postLater(JsonRpcClient.call("eth_getBalance", account, "0x10")));
            }
            assertThat(node.awaitCall()).isTrue();
            await().atMost(PATIENCE).until(() -> weir.admin().metric("weir_calls_in_flight") >= CALLS);
            node.release();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.join().body()).contains("\"result\":\"" + HeldNode.BALANCE + "\"");
            }
            assertThat(node.balances()).isEqualTo(1);
            assertThat(weir.admin().metric("weir_calls_coalesced_total")).isEqualTo(CALLS - 1);
            assertThat(answers.stream()
                            .map(answer -> answer.join()
                                    .headers()
                                    .firstValue("cache-status")
                                    .orElse(""))
                            .filter("weir; fwd=uri-miss; collapsed"::equals))
                    .hasSize(CALLS - 1);
        }
    }
}
