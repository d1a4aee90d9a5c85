package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.SocketClose;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.testing.traffic.FrameConnection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Subscriptions in front of nodes over HTTP. */
@Execution(ExecutionMode.CONCURRENT)
final class SubscriptionsIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final int SUBSCRIPTIONS = 100;
    private static final String WRONG_GAS = "0x1234567";

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);

    private static void stop(ChainServer node) {
        node.close();
    }

    private static void leave(Subscriber client) {
        client.close();
    }

    @ParameterizedTest
    @EnumSource(Memory.class)
    void aClientKnowsTheChainAlsoWhenItForksAndNodesAreLost(Memory memory) {
        TestChain forking = new TestChain(seed, TRANSACTIONS, memory);
        forking.mine(50);
        Random random = new Random(seed);
        try (ChainServer first = new ChainServer(forking);
                ChainServer second = new ChainServer(forking);
                LocalProxy weir = Testnet.weir(Testnet.text(), first, second);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            ChainCopy copy = new ChainCopy(forking, client);
            for (int i = 0; i < 12; i++) {
                forking.mine(1 + random.nextInt(3));
                copy.catchUp();
                forking.fork(1 + random.nextInt(8), random.nextInt(3));
                copy.catchUp();
                if (i == 6) {
                    stop(first);
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void aBlockThatANodeHasShownIsNotFetchedAgainAndItsLogsOnceForAllClients() {
        chain.mine(20);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber first = new Subscriber(weir.socketUrl());
                Subscriber second = new Subscriber(weir.socketUrl())) {
            ChainCopy one = new ChainCopy(chain, first);
            ChainCopy other = new ChainCopy(chain, second);
            double before = headersFetched(weir);
            for (int i = 0; i < 5; i++) {
                chain.mineOf(2);
                one.catchUp();
                other.catchUp();
            }
            // The first one may be found by its number, before a node has shown it.
            assertThat(headersFetched(weir) - before).isLessThanOrEqualTo(1);
            assertThat(node.counts().get("eth_getBlockReceipts")).isLessThanOrEqualTo(5);
            assertThat(weir.admin().metric("weir_subscriptions", "kind=\"logs\""))
                    .isEqualTo(2);
            leave(first);
            leave(second);
            await().until(() -> weir.admin().metric("weir_subscriptions") == 0);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ["bogus"]                              | -32601 | no "bogus" subscription in eth namespace
            []                                     | -32602 | params[0]: missing (expected: the kind of the subscription)
            [7]                                    | -32602 | params[0]: 7 (expected: the kind of the subscription)
            ["newHeads", 1]                        | -32602 | params[1]: 1 (expected: at most 1 parameters)
            ["logs", {"address":"0x1"}]            | -32602 | params[1].address: "0x1" (expected: address of 20 bytes in hex)
            ["logs", {"fromBlock":"pending"}]      | -32000 | params[1]: block "pending" (expected: a number, "earliest" or "latest": pending logs are not supported)
            ["logs", {"toBlock":"safe"}]           | -32000 | params[1]: block "safe" (expected: a number, "earliest" or "latest": an invalid block range)
            ["logs", {"fromBlock":"0x9","toBlock":"earliest"}] | -32000 | params[1]: fromBlock and toBlock: an invalid block range (expected: fromBlock up to toBlock)
            """)
    void wrongRequestsGetErrorsThatSayWhatIsExpected(String params, int code, String message) {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            Object[] list = JSON.readTree(params).valueStream().toArray();
            JsonNode error = client.answer("eth_subscribe", list).get("error");
            assertThat(error.get("message").asString()).isEqualTo(message);
            assertThat(error.get("code").asInt()).isEqualTo(code);
        }
    }

    @Test
    void aFilterFromTheFirstBlockOrOfOneHashIsAboutLaterLogsAsInGeth() {
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String hash = chain.state().at(2).hash();
            List<String> ids = List.of(
                    client.subscribe("logs", Map.of("fromBlock", "earliest")),
                    client.subscribe("logs", Map.of("fromBlock", "earliest", "toBlock", "latest")),
                    client.subscribe("logs", Map.of("blockHash", hash)));
            String none = client.subscribe("logs", Map.of("fromBlock", "earliest", "toBlock", "earliest"));
            chain.mineOf(2);
            for (String id : ids) {
                assertThat(Long.decode(client.next(id).get("blockNumber").asString()))
                        .isEqualTo(4);
            }
            assertThat(client.has(none)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null"})
    void headsMayBeAskedForWithEmptyOptionsAsAtInfura(String options) {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String heads = client.subscribe("newHeads", JSON.readTree(options));
            chain.mine(1);
            assertThat(client.next(heads).has("hash")).isTrue();
        }
    }

    @Test
    void overHttpAndOverTheLimitsSubscriptionsAreRefused() {
        ConfigurationText text = Testnet.text().networkSetting("subscriptions.max-per-key = 3");
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(text, node);
                Subscriber client = new Subscriber(weir.socketUrl());
                Subscriber other = new Subscriber(weir.socketUrl())) {
            JsonNode overHttp = new JsonRpcClient(weir.url()).answer("eth_subscribe", "newHeads");
            assertThat(overHttp.get("error").get("code").asInt()).isEqualTo(-32601);
            assertThat(overHttp.get("error").get("message").asString()).isEqualTo("notifications not supported");
            String first = client.subscribe("newHeads");
            client.subscribe("newHeads");
            other.subscribe("newHeads");
            assertThat(other.answer("eth_subscribe", "newHeads").get("error").toString())
                    .contains("-32005", "too many subscriptions of this key are open (expected: at most 3)");
            client.answer("eth_unsubscribe", first);
            other.subscribe("newHeads");
        }
    }

    @Test
    void theAnswerToABatchComesBeforeTheNotificationsOfItsSubscriptions() {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber earlier = new Subscriber(weir.socketUrl());
                Subscriber client = new Subscriber(weir.socketUrl())) {
            // The stream begins at the first block, and the batch finds it running.
            earlier.subscribe("newHeads");
            node.lie((method, params, truth) -> {
                if (method.equals("eth_gasPrice")) {
                    chain.mine(2);
                    return ChainAnswer.result("\"0x1\"");
                }
                return truth;
            });
            client.socket()
                    .send("[" + JsonRpcClient.call("eth_subscribe", "newHeads") + ","
                            + JsonRpcClient.call("eth_gasPrice")
                            + ",{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscribe\"}]");
            JsonNode answer = JSON.readTree(client.socket().await());
            assertThat(answer.isArray()).isTrue();
            String id = answer.get(0).get("result").asString();
            chain.mine(1);
            for (long number = 1; number <= 3; number++) {
                assertThat(Long.decode(client.next(id).get("number").asString()))
                        .isEqualTo(number);
            }
        }
    }

    @Test
    void aClientThatDoesNotReadIsClosedAndNobodyWaitsForIt() throws IOException {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                FrameConnection slow = new FrameConnection(weir.port());
                Subscriber client = new Subscriber(weir.socketUrl())) {
            for (int i = 0; i < SUBSCRIPTIONS; i++) {
                slow.send(JsonRpcClient.call("eth_subscribe", "newHeads"));
                assertThat(slow.read()).contains("result");
            }
            ChainCopy copy = new ChainCopy(chain, client);
            await().until(() -> {
                chain.mine(5);
                copy.catchUp();
                return weir.admin().metric("weir_subscribers_closed_total", "reason=\"slow\"") == 1;
            });
            assertThat(slow.awaitClose()).isEqualTo(new SocketClose(1013, "notifications are read too slowly"));
            await().until(() -> weir.admin().metric("weir_subscriptions", "kind=\"newHeads\"") == 1);
            chain.mine(3);
            copy.catchUp();
        }
    }

    @Test
    void aBlockThatANodeHasShownWronglyIsFetched() {
        chain.mine(20);
        try (ChainServer node = new ChainServer(chain, SubscriptionsIT::wrongNewest);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            ChainCopy copy = new ChainCopy(chain, client);
            String heads = client.subscribe("newHeads");
            double before = headersFetched(weir);
            for (int i = 0; i < 3; i++) {
                chain.mine(1);
                copy.catchUp();
                assertThat(client.next(heads).get("gasUsed").asString()).isNotEqualTo(WRONG_GAS);
            }
            assertThat(headersFetched(weir) - before).isEqualTo(3);
        }
    }

    @Test
    void aLogThatCannotBeReadPassesAsItIsAndEndsNothing() {
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain, SubscriptionsIT::withoutTopics);
                LocalProxy weir = Testnet.weir(Testnet.listedByNodes(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String all = client.subscribe("logs", Map.of());
            for (int i = 0; i < 5; i++) {
                chain.mineOf(5);
                Map<String, Object> block =
                        Map.of("blockHash", chain.state().at(chain.head()).hash());
                JsonNode params = JSON.valueToTree(List.of(block));
                ChainAnswer truth = ChainAnswers.answer(chain.state(), "eth_getLogs", params);
                for (JsonNode log : JSON.readTree(
                        withoutTopics("eth_getLogs", params, truth).text())) {
                    assertThat(client.next(all)).as("seed %s", seed).isEqualTo(log);
                }
            }
        }
    }

    /** Shows the first log of a list without its topics. */
    private static ChainAnswer withoutTopics(String method, JsonNode params, ChainAnswer truth) {
        return method.equals("eth_getLogs")
                ? ChainAnswer.result(truth.text().replaceFirst("\"topics\":\\[[^]]*]", "\"topics\":null"))
                : truth;
    }

    private static double headersFetched(LocalProxy weir) {
        return weir.admin().metric("weir_subscription_fetches_total", "kind=\"header\"");
    }

    /** Shows the newest block with a member that its hash does not cover any more. */
    private static ChainAnswer wrongNewest(String method, JsonNode params, ChainAnswer truth) {
        boolean newest = method.equals("eth_getBlockByNumber")
                && params.get(0).asString().equals("latest");
        return newest ? withWrongGas(truth) : truth;
    }

    /** Shows each block so by its number, because a block that a check reads is used, and none by its hash. */
    static ChainAnswer wrongBlocks(String method, JsonNode params, ChainAnswer truth) {
        return switch (method) {
            case "eth_getBlockByHash" -> ChainAnswer.NULL;
            case "eth_getBlockByNumber" -> withWrongGas(truth);
            default -> truth;
        };
    }

    private static ChainAnswer withWrongGas(ChainAnswer truth) {
        return ChainAnswer.result(
                truth.text().replaceAll("\"gasUsed\":\"[^\"]*\"", "\"gasUsed\":\"" + WRONG_GAS + '"'));
    }

    @Test
    void clientsAreClosedIfNoNodeGivesABlockInTime() {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            ChainCopy copy = new ChainCopy(chain, client);
            chain.mine(1);
            copy.catchUp();
            node.lie(SubscriptionsIT::wrongBlocks);
            chain.mine(1);
            assertThat(client.socket().closed().join())
                    .isEqualTo(new SocketClose(1013, "no node gave a missing block in time"));
            assertThat(weir.admin().metric("weir_subscribers_closed_total", "reason=\"lost\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void clientsAreClosedIfNoNodeGivesAnyBlockButTheHead() {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            ChainCopy copy = new ChainCopy(chain, client);
            chain.mine(1);
            copy.catchUp();
            node.lie((method, params, truth) -> method.equals("eth_getBlockByHash")
                            || (method.equals("eth_getBlockByNumber")
                                    && params.get(0).asString().startsWith("0x"))
                    ? ChainAnswer.NULL
                    : truth);
            chain.mine(3);
            assertThat(client.socket().closed().join())
                    .isEqualTo(new SocketClose(1013, "no node gave a missing block in time"));
        }
    }

    @Test
    void nothingComesAfterTheAnswerToUnsubscribe() {
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = Testnet.weir(Testnet.text(), node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of());
            chain.mine(1);
            client.next(heads);
            assertThat(client.answer("eth_unsubscribe", heads).get("result").asBoolean())
                    .isTrue();
            chain.mineOf(3);
            client.next(logs);
            assertThat(client.has(heads)).isFalse();
            JsonNode again = client.answer("eth_unsubscribe", heads).get("error");
            assertThat(again.get("code").asInt()).isEqualTo(-32000);
            assertThat(again.get("message").asString()).isEqualTo("subscription not found");
        }
    }
}
