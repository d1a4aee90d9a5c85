package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.GethNode;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Runs;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lists of logs are those of geth, however clients ask. With {@code -Dweir.logs.filters=2000} there are more of them. */
final class GethLogsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FILTERS = Runs.number("weir.logs.filters", 200, 2_000);
    /** No more than blocks that one call may prove. */
    private static final int TRANSACTIONS = 150;

    private static final int SHOWN = 500;
    private static final int AT_ONCE = 10;
    private static final int KINDS = 6;

    /**
     * Copies the program behind it into the new contract. It emits a log with no topic, one with the first word of its input, and one with
     * the first three, each with the fourth word as data.
     */
    private static final String EMITTER = "0x6023600c60003960236000f3"
            + "606035600052" // the fourth word to the memory
            + "60206000a0" // no topic
            + "60003560206000a1" // one topic
            + "60403560203560003560206000a3" // three topics
            + "0000";

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final List<String> contracts = new ArrayList<>();

    private static String word(int number) {
        return "%064x".formatted(number);
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    private void emit(JsonRpcClient geth) {
        String from = geth.result("eth_accounts").get(0).asString();
        for (int i = 0; i < 3; i++) {
            JsonNode receipt = geth.mined(Map.of("from", from, "data", EMITTER, "gas", "0x100000"));
            contracts.add(receipt.get("contractAddress").asString());
        }
        for (int sent = 0; sent < TRANSACTIONS; sent += AT_ONCE) {
            for (int i = 1; i < AT_ONCE; i++) {
                geth.result("eth_sendTransaction", emission(from));
            }
            assertThat(geth.mined(emission(from)).get("logs")).hasSize(3);
        }
    }

    private Map<String, String> emission(String from) {
        String data = "0x" + word(random.nextInt(KINDS)) + word(random.nextInt(KINDS)) + word(random.nextInt(KINDS))
                + word(random.nextInt());
        return Map.of("from", from, "to", any(contracts), "data", data, "gas", "0x100000");
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Map<String, Object> filter(JsonRpcClient geth, long head) {
        Map<String, Object> filter = new LinkedHashMap<>();
        int kind = random.nextInt(10);
        if (kind < 2) {
            String number = hex(random.nextLong(head + 1));
            filter.put(
                    "blockHash",
                    geth.result("eth_getBlockByNumber", number, false).get("hash"));
        } else {
            long from = random.nextLong(head + 1);
            filter.put("fromBlock", hex(from));
            boolean toNewest = kind < 5;
            filter.put("toBlock", toNewest ? "latest" : hex(from + random.nextLong(head + 1 - from)));
        }
        if (random.nextBoolean()) {
            filter.put(
                    "address", random.nextBoolean() ? any(contracts) : List.of(any(contracts), "0x" + "1".repeat(40)));
        }
        if (random.nextInt(3) > 0) {
            filter.put(
                    "topics",
                    random.ints(random.nextInt(5), 0, 4).mapToObj(this::topic).toList());
        }
        return filter;
    }

    private Object topic(int kind) {
        return switch (kind) {
            case 0 -> List.of();
            case 1 -> List.of("0x" + word(random.nextInt(KINDS)), "0x" + word(random.nextInt(KINDS)));
            default -> "0x" + word(random.nextInt(KINDS + 1));
        };
    }

    /** Returns whether all nodes read a filter alike: they differ in what a wildcard at the end asks for. */
    private static boolean isClear(Map<String, Object> filter) {
        return !(filter.get("topics") instanceof List<?> topics)
                || topics.isEmpty()
                || !topics.get(topics.size() - 1).equals(List.of());
    }

    private static LocalProxy proxy(GethNode node, String verifyLogs) {
        return LocalProxy.start(ConfigurationText.of("dev", GethNode.CHAIN_ID)
                .upstream("a", node.url())
                .upstream("b", node.url())
                .networkSetting("verify-logs = " + verifyLogs)
                .text());
    }

    @Test
    void theyAreEqualForAnyFilter() {
        try (GethNode node = GethNode.start()) {
            JsonRpcClient geth = new JsonRpcClient(node.url());
            emit(geth);
            try (LocalProxy usual = proxy(node, "pass");
                    LocalProxy strict = proxy(node, "refuse")) {
                List<JsonRpcClient> clients = List.of(new JsonRpcClient(usual.url()), new JsonRpcClient(strict.url()));
                for (JsonRpcClient client : clients) {
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(
                                            client.result("eth_blockNumber").asString())
                                    .isEqualTo(geth.result("eth_blockNumber").asString()));
                }
                long head = Long.decode(geth.result("eth_blockNumber").asString());
                int logs = 0;
                Map<String, Integer> grades = new TreeMap<>();
                for (int i = 0; i < FILTERS; i++) {
                    Map<String, Object> filter = filter(geth, head);
                    JsonNode expected = geth.result("eth_getLogs", filter);
                    logs += expected.size();
                    grades.merge(gradeOfEqual(clients.get(0), filter, expected), 1, Integer::sum);
                    if (isClear(filter)) {
                        assertThat(gradeOfEqual(clients.get(1), filter, expected))
                                .as("seed %d: %s", seed, filter)
                                .isEqualTo("complete");
                    } else {
                        assertThat(clients.get(1)
                                        .answer("eth_getLogs", filter)
                                        .at("/error/message")
                                        .asString())
                                .as("seed %d: %s", seed, filter)
                                .contains("nodes differ in what the filter means");
                    }
                }
                System.out.printf(
                        "%d filters of %d blocks, %d logs: all clear ones complete if that is required, else %s%n",
                        FILTERS, head, logs, grades);
            }
        }
    }

    /** Asks the proxy, whose answer must be that of the node; returns its grade. */
    private String gradeOfEqual(JsonRpcClient client, Map<String, Object> filter, JsonNode expected) {
        HttpResponse<String> answer = client.post(JsonRpcClient.call("eth_getLogs", filter));
        String shown = answer.body().substring(0, Math.min(SHOWN, answer.body().length()));
        assertThat(expected.equals(JsonRpcClient.parsed(answer.body()).get("result")))
                .as("seed %d: %s: %s", seed, filter, shown)
                .isTrue();
        return answer.headers().firstValue("weir-logs").orElse("none");
    }
}
