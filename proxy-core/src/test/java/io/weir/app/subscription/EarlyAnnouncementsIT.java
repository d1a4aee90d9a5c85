package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Nodes that announce blocks before they have them. */
@Execution(ExecutionMode.CONCURRENT)
final class EarlyAnnouncementsIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int BLOCKS = 6;
    private static final Duration EARLY = Duration.ofMillis(400);

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

    private List<SubscribingNode> nodes(int count) {
        List<SubscribingNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new SubscribingNode(chain, "newHeads"));
        }
        return nodes;
    }

    private static void pass(Duration time) {
        await().pollDelay(time).until(() -> true);
    }

    private void awaitHead(JsonRpcClient client) {
        await().until(() -> Long.decode(client.result("eth_blockNumber").asString()) == chain.head());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aBlockThatIsAnnouncedBeforeNodesHaveItIsToldWithItsLogs(int count) {
        chain.mine(20);
        List<SubscribingNode> nodes = nodes(count);
        try (LocalProxy weir = weir(nodes);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of());
            awaitHead(new JsonRpcClient(weir.url()));
            await().until(() -> nodes.stream().anyMatch(node -> node.subscriptions("newHeads") > 0));
            long first = chain.head() + 1;
            for (int i = 0; i < BLOCKS; i++) {
                ChainState before = chain.state();
                nodes.forEach(node -> node.see(state -> before));
                chain.mineOf(2);
                String header = chain.state().at(chain.head()).headerText();
                nodes.forEach(node -> node.tell("newHeads", header));
                pass(EARLY);
                nodes.forEach(node -> node.see(state -> state));
                pass(EARLY);
            }
            for (long number = first; number <= chain.head(); number++) {
                TestBlock block = chain.state().at(number);
                assertThat(client.next(heads).path("hash").asString())
                        .as("block %d, seed %d", number, seed)
                        .isEqualTo(block.hash());
                String filter = "[{\"blockHash\":\"" + block.hash() + "\"}]";
                for (JsonNode log : JSON.readTree(ChainAnswers.answer(chain.state(), "eth_getLogs", filter)
                        .text())) {
                    assertThat(client.next(logs))
                            .as("block %d, seed %d", number, seed)
                            .isEqualTo(log);
                }
            }
        } finally {
            nodes.forEach(SubscribingNode::close);
        }
    }
}
