package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIterable;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.NodeScript;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Filters in front of two real nodes, of which the second takes over where the first is gone. */
final class FiltersIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String[] SAME_GENESIS = {"--timestamp", "1700000000"};
    /** log1(0, 0, 1), written by hand. */
    private static final String LOGGING_CODE = "0x60015f5fa100";

    private static final String TOPIC = "0x" + "0".repeat(63) + "1";

    private AnvilNode first;
    private AnvilNode second;
    private LocalProxy weir;

    @BeforeEach
    void startTwoNodesAndTheProxy() {
        first = AnvilNode.start(SAME_GENESIS);
        second = AnvilNode.start(SAME_GENESIS);
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("first", first.url())
                .upstream("second", second.url())
                .networkSetting("upstreams.second.tier = 1")
                .networkSetting("health.interval = 500 ms")
                .text());
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(weir.admin().health("anvil", "first")).isEqualTo("healthy");
            assertThat(weir.admin().health("anvil", "second")).isEqualTo("healthy");
        });
    }

    @AfterEach
    void stopAll() {
        for (AutoCloseable part : new AutoCloseable[] {weir, first, second}) {
            if (part != null) {
                org.assertj.core.api.Assertions.assertThatCode(part::close).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void viemHearsThatTheNodeThatTakesOverHasAnotherBranch() throws Exception {
        NodeScript.require();
        CompletableFuture<NodeScript> viem =
                CompletableFuture.supplyAsync(() -> NodeScript.run("filter-client.mjs", weir.url()));
        await().atMost(PATIENCE).until(() -> viem.isDone() || metric("weir_filters") == 1);
        writeLog(first);
        awaitPolls(viem);

        first.kill();
        await().atMost(PATIENCE)
                .until(() ->
                        viem.isDone() || !weir.admin().health("anvil", "first").equals("healthy"));
        writeLog(second);

        NodeScript seen = viem.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThatIterable(seen.saw("logs"))
                .extracting(JsonNode::asString)
                .containsExactly(TOPIC + " false", TOPIC + " true", TOPIC + " false");
        assertThatIterable(seen.saw("errors")).isEmpty();
    }

    /** Waits until a poll began after the proxy knew the last block, so one has returned its logs. */
    private void awaitPolls(CompletableFuture<?> client) {
        await().atMost(PATIENCE).until(() -> client.isDone() || metric("weir_head") == 1);
        double polls = polls();
        await().atMost(PATIENCE).until(() -> client.isDone() || polls() > polls + 2);
    }

    @Test
    void aFilterFromTheSafeBlockOnGoesOnWhenItsNodeIsGone() {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        String id = client.result("eth_newFilter", Map.of("fromBlock", "safe")).asString();
        writeLog(first);
        JsonNode changes = await().atMost(PATIENCE)
                .until(() -> client.result("eth_getFilterChanges", id), list -> !list.isEmpty());
        assertThat(changes.at("/0/topics/0").asString()).isEqualTo(TOPIC);
        assertThatIterable(client.result("eth_getFilterLogs", id)).hasSize(1);
        first.kill();
        await().atMost(PATIENCE)
                .until(() -> !weir.admin().health("anvil", "first").equals("healthy"));
        assertThat(client.answer("eth_getFilterChanges", id).has("result")).isTrue();
        assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isTrue();
        assertThat(metric("weir_filters")).isZero();
    }

    @Test
    void ethersWatchesByAFilterAndReadsTheErrorOfALostOne() {
        NodeScript ethers = NodeScript.run("filter-ethers.mjs", weir.url());
        assertThatIterable(ethers.saw("seen")).extracting(JsonNode::asString).containsExactly(TOPIC);
        assertThat(ethers.saw("again").asBoolean()).isTrue();
        assertThat(ethers.saw("lost").path("rpcCode").asInt()).isEqualTo(-32000);
        assertThat(ethers.saw("lost").path("message").asString()).isEqualTo("filter not found");
        await().atMost(PATIENCE).until(() -> metric("weir_filters") == 0);
    }

    @Test
    void everyKindOfFilterWorks() {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        String logs = client.result("eth_newFilter", Map.of()).asString();
        String blocks = client.result("eth_newBlockFilter").asString();
        String pending = client.result("eth_newPendingTransactionFilter").asString();
        writeLog(first);

        JsonNode changes = await().atMost(PATIENCE)
                .until(() -> client.result("eth_getFilterChanges", logs), list -> !list.isEmpty());
        assertThat(changes.at("/0/topics/0").asString()).isEqualTo(TOPIC);
        assertThatIterable(client.result("eth_getFilterChanges", logs)).isEmpty();
        assertThat(client.result("eth_getFilterLogs", logs).at("/0/topics/0").asString())
                .isEqualTo(TOPIC);
        assertThatIterable(client.result("eth_getFilterChanges", blocks)).hasSize(1);
        await().atMost(PATIENCE).until(() -> client.result("eth_getFilterChanges", pending), list -> list.size() == 1);
        for (String id : new String[] {logs, blocks, pending}) {
            assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isTrue();
            assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isFalse();
            assertThat(client.answer("eth_getFilterChanges", id)
                            .at("/error/message")
                            .asString())
                    .isEqualTo("filter not found");
        }
    }

    private double polls() {
        return weir.admin().metric("weir_calls_total", "method=\"eth_getFilterChanges\"");
    }

    private double metric(String name) {
        return weir.admin().metric(name, "network=\"anvil\"");
    }

    private static void writeLog(AnvilNode node) {
        // Blocks of two nodes differ, even if they are made in the same second.
        String gas =
                "0x" + Integer.toHexString(1_000_000 + URI.create(node.url()).getPort());
        new JsonRpcClient(node.url()).mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "data", LOGGING_CODE, "gas", gas));
    }
}
