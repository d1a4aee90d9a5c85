package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.KeepAliveConnection;
import io.weir.testing.traffic.RepeatableLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lookups of many clients reach a node in few requests. */
final class BatchesToNodesIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int CLIENTS = 100;
    private static final int CALLS_EACH = 10;
    private static final int MAX_REQUESTS = 20;

    /** Rounds that let the proxy become warm, each for other receipts. */
    private static final int ROUNDS = 4;

    @Test
    void aThousandReceiptsOfAHundredClientsAreAFewRequests() throws IOException {
        try (SlowBatchNode node = new SlowBatchNode();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", "1")
                        .setting("server.threads = 1")
                        .upstream("node", node.url())
                        .networkSetting("upstreams.node.timeout = 60 s")
                        .text())) {
            assertFewRequests(node, weir.port(), "eth_getTransactionReceipt", true);
            assertFewRequests(node, weir.port(), "eth_getTransactionReceipt", false);
            assertFewRequests(node, weir.port(), "eth_getBlockReceipts", true);
        }
    }

    private static void assertFewRequests(SlowBatchNode node, int port, String method, boolean asBatch)
            throws IOException {
        try (Clients clients = new Clients(port, method, asBatch)) {
            for (int round = 0; round < ROUNDS; round++) {
                node.shut();
                clients.ask(round);
                node.open();
                clients.assertAnswered(round);
            }
        }
        assertThat(node.requests().stream().mapToInt(Integer::intValue).sum())
                .as("calls that reached the node")
                .isEqualTo(CLIENTS * CALLS_EACH);
        assertThat(node.requests()).as("calls in each request").hasSizeLessThanOrEqualTo(MAX_REQUESTS);
    }

    /** Connections, each of which sends all its calls before it reads. */
    private static final class Clients implements AutoCloseable {

        private final String method;
        private final boolean asBatch;
        private final List<KeepAliveConnection> connections = new ArrayList<>();

        Clients(int port, String method, boolean asBatch) throws IOException {
            this.method = method;
            this.asBatch = asBatch;
            for (int i = 0; i < CLIENTS; i++) {
                connections.add(new KeepAliveConnection(port));
            }
        }

        private String param(int round, int client, int call) {
            long number = 1 + (round * CLIENTS + client) * (long) CALLS_EACH + call;
            return method.equals("eth_getBlockReceipts")
                    ? "0x" + Long.toHexString(number)
                    : "0x%064x".formatted(new Random(number).nextLong());
        }

        private String call(int round, int client, int call) {
            return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":[\"%s\"]}"
                    .formatted(call, method, param(round, client, call));
        }

        void ask(int round) throws IOException {
            for (int client = 0; client < CLIENTS; client++) {
                List<String> calls = new ArrayList<>();
                for (int call = 0; call < CALLS_EACH; call++) {
                    calls.add(call(round, client, call));
                }
                for (String body : asBatch ? List.of(calls.toString()) : calls) {
                    connections.get(client).send(body);
                }
            }
        }

        void assertAnswered(int round) throws IOException {
            for (int client = 0; client < CLIENTS; client++) {
                KeepAliveConnection connection = connections.get(client);
                JsonNode batch = asBatch ? JSON.readTree(connection.read()) : null;
                for (int call = 0; call < CALLS_EACH; call++) {
                    JsonNode answer = batch == null ? JSON.readTree(connection.read()) : batch.get(call);
                    assertThat(answer.path("id").asInt(-1)).isEqualTo(call);
                    JsonNode result = answer.path("result");
                    JsonNode receipt = result.isArray() ? result.get(0) : result;
                    assertThat(receipt.path("of").asString(""))
                            .as(answer.toString())
                            .isEqualTo(param(round, client, call));
                }
            }
        }

        @Override
        public void close() throws IOException {
            for (KeepAliveConnection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void aRealNodeAnswersBatchesAsItAnswersSingleCalls() {
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                        .setting("server.threads = 1")
                        .upstream("node", anvil.url())
                        .networkSetting("upstreams.node.timeout = 60 s")
                        .text())) {
            JsonNode genesis = new JsonRpcClient(anvil.url()).result("eth_getBlockByNumber", "0x0", false);
            try (RepeatableLoad load =
                    RepeatableLoad.start(weir.port(), 64, genesis.get("hash").asString())) {
                Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> load.answered() > 2_000);
                assertThat(load.failures()).isEmpty();
            }
            double batches = weir.admin().metric("weir_upstream_batches_total");
            assertThat(batches).isPositive();
            assertThat(weir.admin().metric("weir_upstream_batches_split_total")).isZero();
            assertThat(weir.admin().metric("weir_upstream_batched_calls_total"))
                    .as("calls in batches, of which each has two or more")
                    .isGreaterThanOrEqualTo(2 * batches);
        }
    }
}
