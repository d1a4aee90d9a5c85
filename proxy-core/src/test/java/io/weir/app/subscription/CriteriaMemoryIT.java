package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Addresses and topics of subscriptions and filters, many times more than fit into the heap: the proxy serves on. */
final class CriteriaMemoryIT {

    private static final int NETWORKS = 8;

    /** Subscriptions of one connection to one network. */
    private static final int SUBSCRIPTIONS = 48;

    /** Filters of one key on one network. */
    private static final int FILTERS = 70;

    /** Addresses of each, in requests of 47 kB. */
    private static final int ADDRESSES = 1_000;

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.FORGETS);
    private int made;

    private static String configuration(ChainServer node) {
        ConfigurationText text = ConfigurationText.of("n0", Long.toString(SignedTransactions.CHAIN_ID))
                .setting("cache.memory = 8 MiB")
                .setting("access.keys.other { sha256 ="
                        + " \"d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa\","
                        + " networks = [\"*\"], methods = [\"*\"] }");
        for (int i = 0; i < NETWORKS; i++) {
            text.setting("networks.n" + i + " { kind = ethereum, chain-id = " + SignedTransactions.CHAIN_ID
                    + ", upstreams.a.url = \"" + node.url() + "\" }");
        }
        return text.text();
    }

    private static String http(WeirProcess weir, int network, String key) {
        return "http://127.0.0.1:" + weir.port() + "/n" + network + "/v3/" + key;
    }

    private static String socket(WeirProcess weir, int network, String key) {
        return "ws://127.0.0.1:" + weir.port() + "/n" + network + "/ws/v3/" + key;
    }

    /** Returns criteria of a thousand addresses of their own. */
    private Map<String, Object> criteria(List<String> topics) {
        List<String> addresses = IntStream.range(0, ADDRESSES)
                .mapToObj(i -> "0x%040x".formatted(++made))
                .toList();
        return Map.of("address", addresses, "topics", topics);
    }

    private static void assertRefusedOnlyForMemory(JsonNode answer) {
        assertThat(answer.has("result")
                        || answer.at("/error/message").asString().contains("take too many bytes"))
                .as("%s", answer)
                .isTrue();
    }

    private void assertServesOthers(WeirProcess weir) {
        assertThat(weir.admin().metric("weir_criteria_refused_total", "reason=\"memory\""))
                .isPositive();
        try (Subscriber other = new Subscriber(socket(weir, 0, "other"))) {
            other.subscribe("logs", Map.of("address", "0x%040x".formatted(1)));
        }
        assertThat(new JsonRpcClient(http(weir, 1, "other")).result("eth_chainId"))
                .isNotNull();
        assertThat(weir.process().told()).doesNotContain("OutOfMemory");
    }

    @Test
    void theSubscriptionsOfOneKeyOnManyNetworksLeaveMemoryToOthersAndGiveItBack() {
        List<Subscriber> clients = new ArrayList<>();
        try (ChainServer node = new ChainServer(chain);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx256m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            List<String> topics =
                    IntStream.range(0, 3).mapToObj("0x%064x"::formatted).toList();
            for (int network = 0; network < NETWORKS; network++) {
                Subscriber client = new Subscriber(socket(weir, network, "demo"));
                clients.add(client);
                for (int i = 0; i < SUBSCRIPTIONS; i++) {
                    assertRefusedOnlyForMemory(client.answer("eth_subscribe", "logs", criteria(topics)));
                }
            }
            assertServesOthers(weir);
            clients.forEach(Subscriber::close);
            try (Subscriber later = new Subscriber(socket(weir, 0, "demo"))) {
                await().until(() ->
                        later.answer("eth_subscribe", "logs", criteria(topics)).has("result"));
            }
        } finally {
            clients.forEach(Subscriber::close);
        }
    }

    @Test
    void theFiltersOfTwoKeysOnManyNetworksDoNotEndTheProcess() {
        try (ChainServer node = new ChainServer(chain);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx256m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            for (String key : List.of("demo", "other")) {
                for (int network = 0; network < NETWORKS; network++) {
                    JsonRpcClient client = new JsonRpcClient(http(weir, network, key));
                    for (int i = 0; i < FILTERS; i++) {
                        assertRefusedOnlyForMemory(client.answer("eth_newFilter", criteria(List.of())));
                    }
                }
            }
            assertServesOthers(weir);
        }
    }
}
