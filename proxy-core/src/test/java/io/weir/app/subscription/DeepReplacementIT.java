package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.SocketClose;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Replacements of many blocks, around the depth to which subscriptions are told of them. */
final class DeepReplacementIT {

    private static final int BELOW = 300;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);

    private static LocalProxy weir(List<SubscribingNode> nodes) {
        ConfigurationText text = ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID));
        for (int i = 0; i < nodes.size(); i++) {
            text.upstream("node" + i, nodes.get(i).url());
            text.networkSetting(
                    "upstreams.node" + i + ".ws-url = \"" + nodes.get(i).socketUrl() + '"');
        }
        return LocalProxy.start(text.text());
    }

    private void announce(List<SubscribingNode> nodes) {
        String header = chain.state().at(chain.head()).headerText();
        nodes.forEach(node -> node.tell("newHeads", header));
    }

    /** Returns the blocks that are told while the chain grows. */
    private List<TestBlock> grow(int count, List<SubscribingNode> nodes, Subscriber client, String heads, String logs) {
        List<TestBlock> told = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.mineOf(1);
            announce(nodes);
            TestBlock block = chain.state().at(chain.head());
            assertThat(client.next(heads).path("hash").asString()).isEqualTo(block.hash());
            block.logTexts().forEach(log -> assertThat(hash(client.next(logs))).isEqualTo(block.hash()));
            told.add(block);
        }
        return told;
    }

    private static String hash(JsonNode log) {
        return log.path("blockHash").asString();
    }

    @ParameterizedTest
    @CsvSource({"2, 1050, 1023", "1, 200, 200", "2, 200, 250"})
    void allLogsAreWithdrawn(int count, int grown, int depth) {
        withdraw(count, grown, depth);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"1, 1050, 1022", "1, 200, 250"})
    void allLogsAreWithdrawnLikewise(int count, int grown, int depth) {
        withdraw(count, grown, depth);
    }

    private void withdraw(int count, int grown, int depth) {
        chain.mine(BELOW);
        List<SubscribingNode> nodes = nodes(count);
        try (LocalProxy weir = weir(nodes);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of());
            await().until(() -> nodes.stream().anyMatch(node -> node.subscriptions("newHeads") > 0));
            List<TestBlock> told = grow(grown, nodes, client, heads, logs);
            List<String> gone = new ArrayList<>();
            for (int i = told.size() - 1; i >= Math.max(0, told.size() - depth); i--) {
                told.get(i).logTexts().forEach(log -> gone.add(log));
            }

            chain.fork(depth, 1);
            announce(nodes);

            for (String log : gone) {
                JsonNode removed = client.next(logs);
                assertThat(removed.path("removed").asBoolean())
                        .as("%s", removed)
                        .isTrue();
                assertThat(log).contains(hash(removed));
            }
            for (long number = chain.head() - Math.min(depth, grown); number <= chain.head(); number++) {
                String hash = chain.state().at(number).hash();
                JsonNode head = client.next(heads);
                while (Long.decode(head.path("number").asString()) < number) {
                    head = client.next(heads);
                }
                assertThat(head.path("hash").asString()).as("block %d", number).isEqualTo(hash);
            }
        } finally {
            nodes.forEach(SubscribingNode::close);
        }
    }

    private List<SubscribingNode> nodes(int count) {
        List<SubscribingNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new SubscribingNode(chain, "newHeads"));
        }
        return nodes;
    }

    @ParameterizedTest
    @CsvSource({"1, 1050, 1024, 1", "2, 1100, 1050, -150"})
    void subscribersAreToldThatBlocksAreReplacedDeeperThanTheyAreFollowed(int count, int grown, int depth, int more)
            throws Exception {
        replaceDeeper(count, grown, depth, more);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"2, 1050, 1025, 1", "1, 1100, 1050, -60"})
    void subscribersAreToldLikewise(int count, int grown, int depth, int more) throws Exception {
        replaceDeeper(count, grown, depth, more);
    }

    private void replaceDeeper(int count, int grown, int depth, int more)
            throws InterruptedException, ExecutionException, TimeoutException {
        chain.mine(BELOW);
        List<SubscribingNode> nodes = nodes(count);
        try (LocalProxy weir = weir(nodes);
                Subscriber client = new Subscriber(weir.socketUrl());
                Subscriber ofLogs = new Subscriber(weir.socketUrl())) {
            JsonRpcClient calls = new JsonRpcClient(weir.url());
            String filter = calls.result("eth_newFilter", Map.of()).asString();
            String blocks = calls.result("eth_newBlockFilter").asString();
            ofLogs.subscribe("logs", Map.of());
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of());
            await().until(() -> nodes.stream().anyMatch(node -> node.subscriptions("newHeads") > 0));
            grow(grown, nodes, client, heads, logs);

            chain.fork(depth, more);
            announce(nodes);

            SocketClose close = client.socket().closed().get(60, TimeUnit.SECONDS);
            assertThat(close.code()).isEqualTo(1013);
            assertThat(close.reason()).contains("deep");
            assertThat(ofLogs.socket().closed().get(60, TimeUnit.SECONDS).code())
                    .isEqualTo(1013);
            assertThat(calls.answer("eth_getFilterChanges", filter)
                            .path("error")
                            .path("message")
                            .asString())
                    .contains("filter not found");
            assertThat(calls.answer("eth_getFilterChanges", blocks)
                            .path("error")
                            .path("message")
                            .asString())
                    .contains("filter not found");
        } finally {
            nodes.forEach(SubscribingNode::close);
        }
    }
}
