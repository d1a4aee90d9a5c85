package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Filters in front of nodes over HTTP that know none. */
@Execution(ExecutionMode.CONCURRENT)
final class StreamFiltersIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final String NOT_FOUND = "-32000 filter not found";
    private static final int FILTERS = 8_000;
    private static final int BATCH = 1_000;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);

    private static BiFunction<String, Object[], JsonNode> over(Subscriber client) {
        return (method, params) -> {
            JsonNode answer = client.answer(method, params);
            assertThat(answer.has("result")).as("%s: %s", method, answer).isTrue();
            return answer.get("result");
        };
    }

    private static String failure(JsonNode answer) {
        return answer.at("/error/code").asInt() + " "
                + answer.at("/error/message").asString();
    }

    private static int calls(ChainServer node, String method) {
        return node.counts().getOrDefault(method, 0);
    }

    private static void stop(ChainServer node) {
        node.close();
    }

    private String hash(long number) {
        return Objects.requireNonNull(chain.state().at(number)).hash();
    }

    @ParameterizedTest
    @CsvSource({"FORGETS, true", "FORGETS, false", "REMEMBERS, false"})
    void aPollingClientKnowsTheChainAlsoWhenItForksAndNodesAreKilledBetweenPolls(Memory memory, boolean socket) {
        TestChain forking = new TestChain(seed, TRANSACTIONS, memory);
        forking.mine(50);
        Random random = new Random(seed);
        try (ChainServer first = new ChainServer(forking);
                ChainServer second = new ChainServer(forking);
                LocalProxy weir = Testnet.weir(Testnet.text(), first, second);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            PolledCopy copy = new PolledCopy(forking, socket ? over(client) : new JsonRpcClient(weir.url())::result);
            for (int i = 0; i < 12; i++) {
                forking.mine(1 + random.nextInt(3));
                copy.catchUp();
                forking.fork(1 + random.nextInt(8), random.nextInt(3));
                if (i == 6) {
                    stop(first);
                }
                copy.catchUp();
            }
            assertThat(calls(first, "eth_getFilterChanges") + calls(second, "eth_getFilterChanges"))
                    .isZero();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void thousandsOfFiltersCostOneCallABlockAndOneForItsLogs() {
        ConfigurationText text = Testnet.text().networkSetting("filters.max-per-key = 8000");
        chain.mine(20);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(text, node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < FILTERS; i += BATCH) {
                List<String> calls = IntStream.range(i, i + BATCH)
                        .mapToObj(number -> number % 2 == 0
                                ? JsonRpcClient.call("eth_newBlockFilter")
                                : JsonRpcClient.call(
                                        "eth_newFilter", Map.of("topics", List.of("0x%064x".formatted(number)))))
                        .toList();
                batch(client, calls)
                        .forEach(answer -> ids.add(answer.get("result").asString()));
            }
            assertThat(failure(client.answer("eth_newBlockFilter"))).startsWith("-32005 too many filters");
            int headers = calls(node, "eth_getBlockByHash");
            int logs = calls(node, "eth_getLogs");
            List<String> mined = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                chain.mineOf(2);
                mined.add(hash(chain.head()));
                List<String> polls = polls(ids.subList(0, BATCH));
                String last = mined.get(mined.size() - 1);
                await().until(() -> batch(client, polls).get(0).toString().contains(last));
            }
            for (int i = BATCH; i < FILTERS; i += BATCH) {
                JsonNode answers = batch(client, polls(ids.subList(i, i + BATCH)));
                for (int j = 0; j < BATCH; j++) {
                    List<String> told = answers.get(j)
                            .get("result")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList();
                    assertThat(told).isEqualTo(j % 2 == 0 ? mined : List.of());
                }
            }
            assertThat(calls(node, "eth_getBlockByHash") - headers).isLessThanOrEqualTo(5);
            assertThat(calls(node, "eth_getLogs") - logs).isLessThanOrEqualTo(5);
            assertThat(weir.admin().metric("weir_filters")).isEqualTo(FILTERS);
        }
    }

    private static List<String> polls(List<String> ids) {
        return ids.stream()
                .map(id -> JsonRpcClient.call("eth_getFilterChanges", id))
                .toList();
    }

    private static JsonNode batch(JsonRpcClient client, List<String> calls) {
        return JSON.readTree(client.post("[" + String.join(",", calls) + "]").body());
    }

    @Test
    void everyFilterGetsEachChangeOnceWheneverItIsPolled() {
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String often = client.result("eth_newBlockFilter").asString();
            String seldom = client.result("eth_newBlockFilter").asString();
            List<String> mined = new ArrayList<>();
            List<String> told = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                chain.mine(1);
                mined.add(hash(chain.head()));
                await().until(() -> {
                    client.result("eth_getFilterChanges", often).forEach(hash -> told.add(hash.asString()));
                    return told.equals(mined);
                });
            }
            assertThat(client.result("eth_getFilterChanges", seldom)
                            .valueStream()
                            .map(JsonNode::asString))
                    .isEqualTo(mined);
            assertThat(client.result("eth_getFilterChanges", seldom)).isEmpty();
        }
    }

    @Test
    void withoutFiltersNothingIsAsked() {
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String id = client.result("eth_newBlockFilter").asString();
            assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isTrue();
            assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isFalse();
            assertThat(failure(client.answer("eth_getFilterChanges", id))).isEqualTo(NOT_FOUND);
            chain.mine(1);
            seesHead(client);
            assertThat(calls(node, "eth_getBlockByHash"))
                    .as("the headers below the head at which the first filter began")
                    .isLessThanOrEqualTo(3);
        }
    }

    private void seesHead(JsonRpcClient client) {
        await().until(() -> Long.decode(client.result("eth_blockNumber").asString()) == chain.head());
    }

    @Test
    void allLogsOfAFilterAreThoseOfACallForThem() {
        chain.mineOf(2);
        chain.mineOf(1);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            Map<String, String> old = Map.of("fromBlock", "0x1", "toBlock", "0x2");
            String id = client.result("eth_newFilter", old).asString();
            String blocks = client.result("eth_newBlockFilter").asString();
            JsonNode logs = client.result("eth_getLogs", old);
            assertThat(logs).isNotEmpty();
            assertThat(client.result("eth_getFilterLogs", id)).isEqualTo(logs);
            assertThat(failure(client.answer("eth_getFilterLogs", blocks))).isEqualTo(NOT_FOUND);
            chain.mineOf(2);
            String next = hash(chain.head());
            await().until(() ->
                    client.result("eth_getFilterChanges", blocks).toString().contains(next));
            assertThat(client.result("eth_getFilterChanges", id))
                    .as("logs outside of the range")
                    .isEmpty();
        }
    }

    @Test
    void onePollAfterTheHeadWasSeenIsEnoughAlsoIfItsLogsComeLate() {
        chain.mine(3);
        AtomicInteger failures = new AtomicInteger(3);
        try (ChainServer node = new ChainServer(
                        chain,
                        (method, params, truth) -> method.equals("eth_getLogs") && failures.getAndDecrement() > 0
                                ? ChainAnswer.NULL
                                : truth);
                LocalProxy weir = Testnet.weir(Testnet.listedByNodes(), node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String id = client.result("eth_newFilter", Map.of()).asString();
            chain.mineOf(8);
            String head = hash(chain.head());
            seesHead(client);
            JsonNode changes = client.result("eth_getFilterChanges", id);
            assertThat(changes)
                    .hasSize(Objects.requireNonNull(chain.state().at(chain.head()))
                            .logTexts()
                            .size());
            assertThat(changes).allMatch(log -> log.get("blockHash").asString().equals(head));
            assertThat(failures.get()).isNegative();
        }
    }

    @Test
    void aFilterEndsIfNoNodeGivesABlockInTime() {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String id = client.result("eth_newBlockFilter").asString();
            chain.mine(1);
            String first = hash(chain.head());
            await().until(() ->
                    client.result("eth_getFilterChanges", id).toString().contains(first));
            node.lie(SubscriptionsIT::wrongBlocks);
            chain.mine(1);
            await().until(() ->
                    failure(client.answer("eth_getFilterChanges", id)).equals(NOT_FOUND));
            assertThat(weir.admin().metric("weir_filters_ended_total", "reason=\"lost\""))
                    .isEqualTo(1);
            node.lie(ChainServer.NONE);
            String again = client.result("eth_newBlockFilter").asString();
            chain.mine(1);
            String head = hash(chain.head());
            await().until(() ->
                    client.result("eth_getFilterChanges", again).toString().contains(head));
        }
    }
}
