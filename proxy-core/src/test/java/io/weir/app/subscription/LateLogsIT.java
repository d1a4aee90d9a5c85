package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Runs;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Nodes whose index has the logs of a block up to two seconds after the block, each block at each node at another time, while blocks go
 * on. {@code -Dweir.absence.blocks=1000} makes it long; it prints how late logs were told and calls were answered.
 */
@Execution(ExecutionMode.CONCURRENT)
final class LateLogsIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int BLOCKS = Runs.number("weir.absence.blocks", 8, 1_000);
    private static final int MAX_LAG_MILLIS = 2_000;
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);
    private final Map<Long, Long> mined = new ConcurrentHashMap<>();

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true", "3, true"})
    void noLogIsLostOrToldTwice(int count, boolean sockets) throws Exception {
        chain.mine(20);
        List<SubscribingNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SubscribingNode node = new SubscribingNode(chain, "newHeads");
            node.lie(late(i));
            nodes.add(node);
        }
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
        try (LocalProxy weir = weir(nodes, sockets);
                Subscriber subscriber = new Subscriber(weir.socketUrl())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            await().until(() -> head(client) == chain.head());
            String subscription = subscriber.subscribe("logs", Map.of());
            String filter = client.result("eth_newFilter", Map.of()).asString();
            long first = chain.head() + 1;
            long last = chain.head() + BLOCKS;
            Future<List<Long>> calls = threads.submit(() -> askForEach(new JsonRpcClient(weir.url()), first, last));
            Future<List<JsonNode>> polled = threads.submit(() -> poll(client, filter, last));
            Future<?> mining =
                    threads.scheduleAtFixedRate(() -> mine(nodes, last), 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            List<Long> late = new ArrayList<>();
            List<JsonNode> told = take(subscriber, subscription, last, late);
            mining.cancel(false);

            List<JsonNode> truth = new ArrayList<>();
            truth(Map.of("fromBlock", hex(first), "toBlock", "latest")).forEach(truth::add);
            assertThat(told).as("told, seed %d", seed).isEqualTo(truth);
            assertThat(polled.get(1, TimeUnit.MINUTES))
                    .as("polled, seed %d", seed)
                    .isEqualTo(truth);
            System.out.printf(
                    "late logs: %d nodes, %s, %d blocks: told %s; calls %s%n",
                    count,
                    sockets ? "over WebSocket" : "over HTTP",
                    BLOCKS,
                    quantiles(late),
                    quantiles(calls.get(1, TimeUnit.MINUTES)));
        } finally {
            threads.shutdownNow();
            nodes.forEach(SubscribingNode::close);
        }
    }

    private static LocalProxy weir(List<SubscribingNode> nodes, boolean sockets) {
        ConfigurationText text = ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID));
        for (int i = 0; i < nodes.size(); i++) {
            text.upstream("node" + i, nodes.get(i).url());
            if (sockets) {
                text.networkSetting(
                        "upstreams.node" + i + ".ws-url = \"" + nodes.get(i).socketUrl() + '"');
            }
        }
        return LocalProxy.start(text.text());
    }

    /** Returns the lie of a node whose index has each block at a time of its own. */
    private ChainServer.Lie late(int node) {
        return ChainServer.withoutLogsOf(block -> {
            Long since = mined.get(block);
            Random random = new Random(seed + 31 * block + node);
            long lag = random.nextInt(3) == 0 ? 0 : random.nextInt(MAX_LAG_MILLIS);
            return since != null && System.nanoTime() - since <= TimeUnit.MILLISECONDS.toNanos(lag);
        });
    }

    private void mine(List<SubscribingNode> nodes, long last) {
        if (chain.head() < last) {
            mined.put(chain.head() + 1, System.nanoTime());
            chain.mineOf(2);
            String header = chain.state().at(chain.head()).headerText();
            nodes.forEach(node -> node.tell("newHeads", header));
        }
    }

    private List<JsonNode> take(Subscriber subscriber, String subscription, long last, List<Long> late) {
        List<JsonNode> told = new ArrayList<>();
        while (chain.head() < last || told.size() < count(last)) {
            JsonNode log = subscriber.next(subscription);
            told.add(log);
            late.add(System.nanoTime()
                    - mined.get(Long.decode(log.path("blockNumber").asString())));
        }
        return told;
    }

    private long count(long last) {
        return truth(Map.of("fromBlock", hex(last - BLOCKS + 1), "toBlock", hex(last)))
                .size();
    }

    private List<JsonNode> poll(JsonRpcClient client, String filter, long last) {
        List<JsonNode> polled = new ArrayList<>();
        await().pollInterval(INTERVAL).atMost(Duration.ofHours(1)).until(() -> {
            client.result("eth_getFilterChanges", filter).forEach(polled::add);
            return chain.head() >= last && polled.size() >= count(last);
        });
        return polled;
    }

    /** Asks for the logs of each block in several ways once it is the head, and returns how long each call took. */
    private List<Long> askForEach(JsonRpcClient client, long first, long last) {
        List<Long> nanos = new ArrayList<>();
        for (long block = first; block <= last; block = Math.max(block + 1, head(client))) {
            long number = block;
            await().atMost(Duration.ofMinutes(1)).until(() -> head(client) >= number);
            String hash = chain.state().at(number).hash();
            for (Map<String, Object> filter : List.<Map<String, Object>>of(
                    Map.of("blockHash", hash),
                    Map.of("fromBlock", hex(number), "toBlock", hex(number)),
                    Map.of("fromBlock", hex(number - 3), "toBlock", hex(number)))) {
                long begun = System.nanoTime();
                assertThat(client.result("eth_getLogs", filter))
                        .as("block %d, %s, seed %d", number, filter, seed)
                        .isEqualTo(truth(filter));
                nanos.add(System.nanoTime() - begun);
            }
        }
        return nanos;
    }

    private static String quantiles(List<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return "median %d ms, 99th percentile %d ms, longest %d ms"
                .formatted(
                        sorted.get(sorted.size() / 2) / 1_000_000,
                        sorted.get(sorted.size() * 99 / 100) / 1_000_000,
                        sorted.get(sorted.size() - 1) / 1_000_000);
    }

    private static long head(JsonRpcClient client) {
        return Long.decode(client.result("eth_blockNumber").asString());
    }

    private JsonNode truth(Map<String, Object> filter) {
        ChainAnswer answer = ChainAnswers.answer(chain.state(), "eth_getLogs", JSON.valueToTree(List.of(filter)));
        return JSON.readTree(answer.text());
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
