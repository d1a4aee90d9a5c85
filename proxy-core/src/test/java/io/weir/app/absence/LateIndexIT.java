package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.subscription.Subscriber;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Honest nodes that have each block before they have its logs. */
@Execution(ExecutionMode.CONCURRENT)
final class LateIndexIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int BLOCKS = Runs.number("weir.absence.blocks", 4, 1_000);
    private static final Duration LAG = Duration.ofMillis(200);

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);
    /** When each block was mined, by its number. */
    private final Map<Long, Long> mined = new ConcurrentHashMap<>();

    private void mine() {
        chain.mineOf(2);
        mined.put(chain.head(), System.nanoTime());
    }

    /** Returns the lie of a node whose index has the logs of a block so much later than the block. */
    private ChainServer.Lie late(Duration lag) {
        return ChainServer.withoutLogsOf(block -> {
            Long since = mined.get(block);
            return since != null && System.nanoTime() - since <= lag.toNanos();
        });
    }

    private NodePool pool(int size, int late) {
        List<ChainServer> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(new ChainServer(chain, i < late ? late(LAG) : ChainServer.NONE));
        }
        NodePool pool = new NodePool(nodes);
        await().until(() -> isHead(pool));
        return pool;
    }

    private boolean isHead(NodePool pool) {
        return pool.result("eth_blockNumber").asString().equals(hex(chain.head()));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 2", "3, 1", "3, 3"})
    void noCallForLogsLosesOne(int size, int late) {
        chain.mine(20);
        try (NodePool pool = pool(size, late)) {
            for (int i = 0; i < BLOCKS; i++) {
                mine();
                long head = chain.head();
                String hash = chain.state().at(head).hash();
                await().until(() -> isHead(pool));
                String where = "block " + head + ", seed " + seed;
                for (Map<String, Object> filter : List.<Map<String, Object>>of(
                        Map.of("blockHash", hash),
                        Map.of("fromBlock", hex(head), "toBlock", hex(head)),
                        Map.of("fromBlock", "latest", "toBlock", "latest"),
                        Map.of("fromBlock", hex(head - 3), "toBlock", hex(head)))) {
                    assertThat(pool.result("eth_getLogs", filter))
                            .as("%s, %s", where, filter)
                            .isEqualTo(truth(filter));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 2", "3, 1", "3, 3"})
    void noSubscriptionAndNoFilterLosesALog(int size, int late) {
        chain.mine(20);
        try (NodePool pool = pool(size, late);
                Subscriber subscriber = new Subscriber(pool.weir().socketUrl())) {
            String subscription = subscriber.subscribe("logs", Map.of());
            String filter = pool.result("eth_newFilter", Map.of()).asString();
            long first = chain.head() + 1;
            List<JsonNode> polled = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                mine();
                await().until(() -> isHead(pool));
                pool.result("eth_getFilterChanges", filter).forEach(polled::add);
            }
            List<JsonNode> truth = new ArrayList<>();
            truth(Map.of("fromBlock", hex(first), "toBlock", "latest")).forEach(truth::add);
            List<JsonNode> told = new ArrayList<>();
            while (told.size() < truth.size()) {
                told.add(subscriber.next(subscription));
            }
            assertThat(told).as("told, seed %d", seed).isEqualTo(truth);
            await().until(() -> {
                pool.result("eth_getFilterChanges", filter).forEach(polled::add);
                return polled.size() >= truth.size();
            });
            assertThat(polled).as("polled, seed %d", seed).isEqualTo(truth);
        }
    }

    @Test
    void logsOfANewBlockRaiseTheHead() {
        chain.mine(20);
        try (NodePool pool = pool(1, 0)) {
            for (int i = 0; i < BLOCKS; i++) {
                mine();
                String number = hex(chain.head());
                Map<String, Object> filter = Map.of("fromBlock", number, "toBlock", number);
                assertThat(pool.result("eth_getLogs", filter)).isEqualTo(truth(filter));
                assertThat(pool.result("eth_getLogs", Map.of("fromBlock", number)))
                        .isEqualTo(truth(filter));
                if (!truth(filter).isEmpty()) {
                    assertThat(pool.result("eth_blockNumber").asString()).isEqualTo(number);
                }
            }
        }
    }

    @Test
    void aRangeFromABlockThatTheProxyHasNotSeenHasItsLogs() {
        chain.mine(20);
        try (NodePool pool = pool(2, 0)) {
            for (int i = 0; i < BLOCKS; i++) {
                mine();
                String number = hex(chain.head());
                Map<String, Object> filter = Map.of("fromBlock", number, "toBlock", number);
                assertThat(pool.result("eth_getLogs", Map.of("fromBlock", number)))
                        .isEqualTo(truth(filter));
            }
        }
    }

    private JsonNode truth(Map<String, Object> filter) {
        ChainAnswer answer = ChainAnswers.answer(chain.state(), "eth_getLogs", JSON.valueToTree(List.of(filter)));
        return JSON.readTree(answer.text());
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
