package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Nodes of one network that do not keep, take or do the same. */
final class DifferingNodesIT {

    private static final String RECEIPT = "eth_getTransactionReceipt";
    private static final String ADDRESS = "0x" + "12".repeat(20);
    private static final int RECEIPTS = 120;
    private static final int NULL_CHECKS = 6;

    private static String hash(int number) {
        return "0x%064x".formatted(number);
    }

    private static Map.Entry<String, ?> receipt(JsonNode params) {
        return MadeNode.result(Map.of("transactionHash", params.path(0).asString(), "blockNumber", "0x10"));
    }

    private static MadeNode archive() throws IOException {
        return new MadeNode((method, params) -> receipt(params));
    }

    private static MadeNode empty() throws IOException {
        return new MadeNode((method, params) -> MadeNode.result(null));
    }

    private static LocalProxy proxy(Map<String, MadeNode> nodes, String... settings) {
        ConfigurationText text = ConfigurationText.of("main", "1")
                .setting("server.threads = 1")
                .networkSetting("hashing = none")
                .networkSetting("gather.enabled = false")
                // A slow moment of the machine must not add a call.
                .networkSetting("balance.hedge-percent = 0");
        nodes.forEach((id, node) -> text.upstream(id, node.url()));
        for (String setting : settings) {
            text.networkSetting(setting);
        }
        LocalProxy weir = LocalProxy.start(text.text());
        // A node that is not probed yet cannot be asked for what another one lacks.
        Awaitility.await().until(() -> weir.admin().metric("weir_upstream_healthy") == nodes.size());
        return weir;
    }

    private static JsonRpcClient client(LocalProxy weir) {
        return new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/demo");
    }

    @Test
    void oneNodeOfThreeThatPrunesItsTransactionsMakesNoReceiptNull() throws IOException {
        try (MadeNode pruned = empty();
                MadeNode b = archive();
                MadeNode c = archive();
                LocalProxy weir = proxy(Map.of("pruned", pruned, "b", b, "c", c))) {
            JsonRpcClient client = client(weir);
            for (int i = 0; i < RECEIPTS; i++) {
                assertThat(client.result(RECEIPT, hash(i)).isNull())
                        .as("receipt " + i)
                        .isFalse();
            }
            assertThat(pruned.asked(RECEIPT)).as("before it was known to prune").isLessThanOrEqualTo(NULL_CHECKS);
            assertThat(b.asked(RECEIPT) + c.asked(RECEIPT)).isEqualTo(RECEIPTS);
        }
    }

    @Test
    void aNodeThatIsSaidToPruneIsNeverBelievedAloneAndOneThatIsSaidToKeepAllAlways() throws IOException {
        try (MadeNode pruned = empty();
                MadeNode archive = archive();
                LocalProxy weir = proxy(
                        Map.of("pruned", pruned, "archive", archive),
                        "upstreams.pruned { transactions = recent, weight = 1000 }",
                        "upstreams.archive { transactions = all, tier = 1 }")) {
            JsonRpcClient client = client(weir);
            for (int i = 0; i < 20; i++) {
                assertThat(client.result(RECEIPT, hash(i)).isNull()).isFalse();
            }
            assertThat(pruned.asked(RECEIPT))
                    .as("it comes last while old receipts are looked up")
                    .isEqualTo(1);
            assertThat(archive.asked(RECEIPT)).isEqualTo(20);
        }
    }

    @Test
    void nullsOfCleanNodesCostNoMoreThanTheConfiguredChecks() throws IOException {
        int nulls = 300;
        try (MadeNode a = empty();
                MadeNode b = empty();
                MadeNode c = empty();
                LocalProxy weir = proxy(Map.of("a", a, "b", b, "c", c))) {
            JsonRpcClient client = client(weir);
            long start = System.nanoTime();
            for (int i = 0; i < nulls; i++) {
                assertThat(client.result(RECEIPT, hash(i)).isNull()).isTrue();
            }
            long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - start) + 1;
            double extra = a.asked(RECEIPT) + b.asked(RECEIPT) + c.asked(RECEIPT) - nulls;
            assertThat(extra).isBetween(1.0, 3.0 * NULL_CHECKS * (1 + minutes));
            assertThat(weir.admin().metric("weir_null_checks_total")).isEqualTo(extra);
        }
    }

    @Test
    void aNodeThatRejectsParametersWhichOthersAcceptIsNotAskedFirstAgain() throws IOException {
        try (MadeNode old = new MadeNode((method, params) -> MadeNode.error(-32602, "invalid argument 1"));
                MadeNode young = new MadeNode((method, params) -> MadeNode.result("0x5"));
                LocalProxy weir = proxy(Map.of("old", old, "young", young))) {
            JsonRpcClient client = client(weir);
            for (int i = 1; i <= 40; i++) {
                assertThat(client.result("eth_getBalance", ADDRESS, "0x" + Integer.toHexString(i))
                                .asString())
                        .isEqualTo("0x5");
            }
            assertThat(old.asked("eth_getBalance")).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void theNeighboursOfASlowCallInABatchAreAnsweredAndTheNodeStaysHealthy() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        String slow = hash(0xbad);
        try (MadeNode node = new MadeNode((method, params) -> {
                    if (params.path(0).asString("").equals(slow)) {
                        await(gate);
                    }
                    return receipt(params);
                });
                LocalProxy weir = proxy(Map.of("node", node), "upstreams.node.timeout = 60 s")) {
            JsonRpcClient client = client(weir);
            List<CompletableFuture<?>> neighbours = new ArrayList<>();
            CompletableFuture<?> held = client.postLater(request(slow));
            for (int i = 1; i <= 50; i++) {
                neighbours.add(client.postLater(request(hash(i))));
                if (i == 25) {
                    neighbours.add(client.postLater("[" + request(hash(1_000)) + "," + request(hash(1_001)) + "]"));
                }
            }
            CompletableFuture<?> again = client.postLater("[" + request(slow) + "]");
            CompletableFuture.allOf(neighbours.toArray(CompletableFuture[]::new))
                    .get(25, TimeUnit.SECONDS);
            assertThat(held).isNotDone();
            assertThat(again).isNotDone();
            gate.countDown();
            held.get(20, TimeUnit.SECONDS);
            again.get(20, TimeUnit.SECONDS);
            assertThat(weir.admin().health("main", "node")).isEqualTo("healthy");
        } finally {
            gate.countDown();
        }
    }

    private static String request(String hash) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + RECEIPT + "\",\"params\":[\"" + hash + "\"]}";
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
