package io.weir.app.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Clients that poll for the logs of new blocks, each from its last block to the newest and with a filter of its own, and others that poll
 * filters. All are answered from proven receipts, which are fetched once, and each gets every log once.
 */
final class LogPollsIT {

    private static final int CLIENTS = 50;
    private static final int FILTERS = 50;
    private static final int EARLIER = 5;
    private static final int BLOCKS = Integer.getInteger("weir.logs.polled", 40);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final String ADDRESS = "\"address\":\"0x00000000000000000000000000000000deadbeef\"";
    private static final String TOPIC = "\"topics\":[\"0x" + "2a".repeat(32) + "\"]";
    private static final String EITHER_TOPIC = "\"topics\":[[\"0x" + "2a".repeat(32) + "\",\"0x%064x\"]]";

    /** A client that polls. Its state belongs to the poll under way. */
    private final class Poller {

        private final JsonRpcClient proxy;
        private final String filter;
        /** Null for one that asks for ranges. */
        private final String id;

        private final List<String> got = new ArrayList<>();
        private long from = EARLIER;

        Poller(JsonRpcClient proxy, String filter, String id) {
            this.proxy = proxy;
            this.filter = filter;
            this.id = id;
        }

        CompletableFuture<Void> poll() {
            String request = id == null
                    ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getLogs\",\"params\":[{\"fromBlock\":\"0x"
                            + Long.toHexString(from) + "\",\"toBlock\":\"latest\"," + filter + "}]}"
                    : JsonRpcClient.call("eth_getFilterChanges", id);
            return proxy.postLater(request).thenAccept(answer -> take(JsonRpcClient.parsed(answer.body())));
        }

        private void take(JsonNode answer) {
            assertThat(answer.has("result")).as(answer.toString()).isTrue();
            for (JsonNode log : answer.get("result")) {
                got.add(log.get("blockNumber").asString()
                        + ' '
                        + log.get("logIndex").asString());
                from = Long.decode(log.get("blockNumber").asString()) + 1;
            }
        }
    }

    @Test
    void theReceiptsOfEachBlockAreFetchedOnceForAllPollsAndFilters() throws IOException {
        CoherentChain chain = new CoherentChain();
        for (int i = 0; i < EARLIER + BLOCKS; i++) {
            chain.mine(1 + i % 3);
        }
        try (CountingNode node = new CountingNode(chain.blocks(), EARLIER - 1);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", node.url())
                        .setting("server.calls-in-flight = 40000")
                        .text())) {
            JsonRpcClient proxy = new JsonRpcClient(weir.url());
            proxy.result("eth_getBlockByNumber", "latest", true);
            List<Poller> pollers = pollers(proxy);
            node.takeCalls();
            for (int number = EARLIER; number < EARLIER + BLOCKS; number++) {
                node.moveTo(number);
                pollUntil(pollers, logs(chain, number));
            }
            Map<String, Long> calls = node.takeCalls();
            assertThat(calls.getOrDefault("eth_getLogs", 0L)).as("%s", calls).isZero();
            assertThat(calls.get("eth_getBlockReceipts")).as("%s", calls).isLessThanOrEqualTo(BLOCKS);
            // A call that names the block by its number may not know yet that it is fetched by its hash.
            assertThat(calls.values().stream().mapToLong(Long::longValue).sum())
                    .as("%s", calls)
                    .isLessThanOrEqualTo(2 * BLOCKS + BLOCKS / 5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockReceipts", "eth_getBlockByHash"})
    void aNodeThatNeverGivesTheProofDelaysOneListALittle(String silent) throws IOException {
        CoherentChain chain = new CoherentChain();
        for (int i = 0; i < EARLIER; i++) {
            chain.mine(2);
        }
        int last = EARLIER - 1;
        String number = "\"0x" + Integer.toHexString(last) + '"';
        for (String place : List.of(
                "\"fromBlock\":" + number + ",\"toBlock\":" + number,
                "\"blockHash\":\"" + chain.blocks().get(last).hash() + '"')) {
            try (CountingNode node = new CountingNode(chain.blocks(), last);
                    LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                            .upstream("node", node.url())
                            .setting("networks.net.gather.enabled = off")
                            .text())) {
                JsonRpcClient proxy = new JsonRpcClient(weir.url());
                proxy.result("eth_getBlockByNumber", "latest", false);
                node.silence(silent);
                node.takeCalls();
                long begun = System.nanoTime();
                for (int i = 0; i < 5; i++) {
                    JsonNode logs = proxy.result("eth_getLogs", JsonRpcClient.parsed('{' + place + '}'));
                    assertThat(logs.size())
                            .as(place)
                            .isEqualTo(logs(chain, last, last).size());
                }
                assertThat(System.nanoTime() - begun).as(place).isLessThan(TimeUnit.SECONDS.toNanos(8));
                assertThat(node.takeCalls().getOrDefault(silent, 0L)).isLessThanOrEqualTo(1);
            }
        }
    }

    private List<Poller> pollers(JsonRpcClient proxy) {
        List<Poller> pollers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            pollers.add(new Poller(proxy, i % 2 == 0 ? EITHER_TOPIC.formatted(i) : ADDRESS + ',' + TOPIC, null));
        }
        for (int i = 0; i < FILTERS; i++) {
            JsonNode filter = JsonRpcClient.parsed('{' + (i % 2 == 0 ? ADDRESS : EITHER_TOPIC.formatted(i)) + '}');
            pollers.add(
                    new Poller(proxy, "", proxy.result("eth_newFilter", filter).asString()));
        }
        return pollers;
    }

    /** The places of all logs of the new blocks up to one. */
    private static List<String> logs(CoherentChain chain, int number) {
        return logs(chain, EARLIER, number);
    }

    private static List<String> logs(CoherentChain chain, int from, int number) {
        return IntStream.rangeClosed(from, number)
                .boxed()
                .flatMap(i -> chain.blocks().get(i).receipts().valueStream())
                .flatMap(receipt -> receipt.get("logs").valueStream())
                .map(log -> log.get("blockNumber").asString()
                        + ' '
                        + log.get("logIndex").asString())
                .toList();
    }

    private static void pollUntil(List<Poller> pollers, List<String> logs) {
        long begun = System.nanoTime();
        List<Poller> open = pollers;
        while (!open.isEmpty()) {
            CompletableFuture.allOf(open.stream().map(Poller::poll).toArray(CompletableFuture[]::new))
                    .join();
            open = open.stream().filter(one -> !one.got.equals(logs)).toList();
            for (Poller one : open) {
                assertThat(logs.subList(0, Math.min(logs.size(), one.got.size())))
                        .isEqualTo(one.got);
            }
            assertThat(System.nanoTime() - begun).isLessThan(PATIENCE_NANOS);
        }
    }
}
