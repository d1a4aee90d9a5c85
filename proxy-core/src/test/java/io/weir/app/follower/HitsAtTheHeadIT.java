package io.weir.app.follower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a new block, only the first of equal calls about state at the head reaches a node, whichever node answers it. */
final class HitsAtTheHeadIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final String ACCOUNT = "0x00000000000000000000000000000000deadbeef";
    private static final int EARLIER = 4;
    private static final int BLOCKS = 5;
    private static final int CALLS = 10;
    private static final int MOST_ASKED = 5;

    private static CoherentChain chain() {
        CoherentChain chain = new CoherentChain();
        for (int i = 0; i < EARLIER + BLOCKS; i++) {
            chain.mine(1);
        }
        return chain;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void onlyTheFirstCallAfterABlockReachesANodeHoweverManyTransactionsAreRefused(int refused) throws IOException {
        CoherentChain chain = chain();
        try (CountingNode one = new CountingNode(chain.blocks(), EARLIER - 1);
                CountingNode other = new CountingNode(chain.blocks(), EARLIER - 1);
                LocalProxy weir = weir(one, other)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitHead(client, EARLIER - 1);
            for (int number = EARLIER; number < EARLIER + BLOCKS; number++) {
                move(client, number, one, other);
                double judged = judged(weir);
                for (int i = 0; i < CALLS; i++) {
                    client.result("eth_getBalance", ACCOUNT, "latest");
                    // An answer is stored after it has gone out.
                    await().atMost(PATIENCE).pollInterval(SHORT).until(() -> judged(weir) > judged);
                    refuse(client, refused);
                }
                Map<String, Long> calls = takeCalls(one, other);
                assertThat(calls).as("block %s", number).containsEntry("eth_getBalance", 1L);
                assertThat(calls.getOrDefault("eth_sendTransaction", 0L)).isEqualTo((long) CALLS * refused);
            }
        }
    }

    /** Fees follow from the head, and name no block, or the head. */
    @Test
    void onlyTheFirstCallForAFeeAfterABlockReachesANode() throws IOException {
        CoherentChain chain = chain();
        try (CountingNode one = new CountingNode(chain.blocks(), EARLIER - 1);
                CountingNode other = new CountingNode(chain.blocks(), EARLIER - 1);
                LocalProxy weir = weir(one, other)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitHead(client, EARLIER - 1);
            for (int number = EARLIER; number < EARLIER + BLOCKS; number++) {
                move(client, number, one, other);
                String fee = "0x" + Integer.toHexString(number);
                Map<String, Long> expected = new HashMap<>();
                for (String method : List.of("eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_blobBaseFee")) {
                    expected.put(
                            method,
                            repeat(
                                    weir,
                                    () -> assertThat(client.result(method).asString())
                                            .isEqualTo(fee)));
                }
                expected.put(
                        "eth_feeHistory",
                        repeat(weir, () -> client.result("eth_feeHistory", "0x2", "latest", List.of(10, 50))));
                Map<String, Long> calls = takeCalls(one, other);
                assertThat(calls).as("block %s", number).containsAllEntriesOf(expected);
            }
        }
    }

    @Test
    void onlyTheFirstCallForATraceOfAFinalBlockReachesANode() throws IOException {
        CoherentChain chain = chain();
        try (CountingNode node = new CountingNode(chain.blocks(), EARLIER + BLOCKS - 1);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", node.url())
                        .networkSetting("methods.allow = [\"*\"]")
                        .networkSetting("finality.depth = 2")
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitHead(client, EARLIER + BLOCKS - 1);
            Map<String, String> options = Map.of("tracer", "callTracer");
            long traces = repeat(weir, () -> client.result("debug_traceBlockByNumber", "0x1", options))
                    + repeat(weir, () -> client.result("debug_traceBlockByNumber", "0x1", Map.of()));
            long blocks = repeat(weir, () -> client.result("trace_block", "0x1"));
            String transaction = chain.blocks().get(1).transactions().get(0);
            repeat(weir, () -> client.result("eth_getBlockByNumber", "0x1", true));
            long transactions = repeat(weir, () -> client.result("debug_traceTransaction", transaction, options));
            assertThat(node.takeCalls())
                    .containsEntry("debug_traceBlockByNumber", traces)
                    .containsEntry("trace_block", blocks)
                    .containsEntry("debug_traceTransaction", transactions);
        }
    }

    private static LocalProxy weir(CountingNode one, CountingNode other) {
        return LocalProxy.start(ConfigurationText.of("net", "1")
                .upstream("one", one.url())
                .upstream("other", other.url())
                .networkSetting("methods.allow = [\"*\"]")
                // A probe may learn of a block by its number alone. Then one more call goes to a node.
                .networkSetting("health.interval = 1 h")
                .text());
    }

    /** Gives both nodes a new head, and waits until clients see it. */
    private static void move(JsonRpcClient client, int number, CountingNode one, CountingNode other) {
        one.moveTo(number);
        other.moveTo(number);
        awaitHead(client, number);
    }

    private static Map<String, Long> takeCalls(CountingNode one, CountingNode other) {
        Map<String, Long> calls = new HashMap<>(one.takeCalls());
        other.takeCalls().forEach((method, count) -> calls.merge(method, count, Long::sum));
        return calls;
    }

    /**
     * Makes a call until its answer is stored, and then several times more. A busy machine may not prove the first answer in time.
     * Returns how many calls may reach a node: those until then.
     */
    private static long repeat(LocalProxy weir, Runnable call) {
        double kept = kept(weir);
        long asked = 0;
        do {
            double judged = judged(weir);
            call.run();
            await().atMost(PATIENCE).pollInterval(SHORT).until(() -> judged(weir) > judged);
            asked++;
        } while (kept(weir) == kept && asked < MOST_ASKED);
        assertThat(kept(weir)).as("stored answers").isGreaterThan(kept);
        for (int i = 1; i < CALLS; i++) {
            call.run();
        }
        return asked;
    }

    private static void awaitHead(JsonRpcClient client, int number) {
        await().atMost(PATIENCE)
                .pollInterval(SHORT)
                .until(() -> client.result("eth_blockNumber").asString().equals("0x" + Integer.toHexString(number)));
    }

    /** Returns how many answers were stored, or not stored for some reason. */
    private static double judged(LocalProxy weir) {
        return weir.admin().metric("weir_cache_answers_total", "network=\"net\"");
    }

    /** Returns how many answers were stored. */
    private static double kept(LocalProxy weir) {
        return weir.admin().metric("weir_cache_answers_total", "outcome=\"proven\"")
                + weir.admin().metric("weir_cache_answers_total", "outcome=\"unproven\"");
    }

    private static void refuse(JsonRpcClient client, int count) {
        for (int i = 0; i < count; i++) {
            client.answer("eth_sendTransaction", Map.of("from", ACCOUNT, "to", ACCOUNT, "value", "0xff"));
            client.answer("alchemy_getTokenBalances", ACCOUNT);
        }
    }
}
