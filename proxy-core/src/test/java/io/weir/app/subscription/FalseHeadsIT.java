package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A node that names made-up blocks as its newest, each right in its hashes, before subscribers to heads. */
final class FalseHeadsIT {

    private static final int BLOCKS = 10;
    private static final Duration BLOCK = Duration.ofMillis(250);

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);

    /** Made-up blocks of a node. */
    private enum Lie {
        CHILD(1),
        SIBLING(1),
        CHAIN(2),
        AHEAD(5);

        private final int count;

        Lie(int count) {
            this.count = count;
        }
    }

    private static LocalProxy weir(List<SubscribingNode> nodes, boolean announced) {
        ConfigurationText text = ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID));
        for (int i = 0; i < nodes.size(); i++) {
            SubscribingNode node = nodes.get(i);
            text.upstream("node" + i, node.url());
            if (announced) {
                text.networkSetting("upstreams.node" + i + ".ws-url = \"" + node.socketUrl() + '"');
            }
        }
        return LocalProxy.start(text.text());
    }

    private static void pass(Duration time) {
        await().pollDelay(time).until(() -> true);
    }

    private static void tell(SubscribingNode node, ChainState state) {
        node.tell("newHeads", state.at(state.head()).headerText());
    }

    /** Has the chain grow by a block, of which the liar tells its subscribers something else. */
    private void grow(Lie lie, List<SubscribingNode> nodes) {
        SubscribingNode liar = nodes.get(0);
        if (lie == Lie.SIBLING) {
            show(liar, chain.madeUp(chain.head(), 1));
        }
        chain.mineOf(2);
        nodes.subList(1, nodes.size()).forEach(node -> tell(node, chain.state()));
        if (lie != Lie.SIBLING) {
            show(liar, chain.madeUp(chain.head(), lie.count));
        }
        pass(BLOCK);
    }

    private static void show(SubscribingNode liar, ChainState state) {
        liar.see(real -> state);
        tell(liar, state);
    }

    @ParameterizedTest
    @CsvSource({
        "2, CHILD, true",
        "3, CHILD, true",
        "2, CHILD, false",
        "3, CHILD, false",
        "2, SIBLING, true",
        "3, SIBLING, true",
        "2, SIBLING, false",
        "3, SIBLING, false",
        "2, CHAIN, false",
        "2, AHEAD, true",
        "3, AHEAD, true",
        "2, AHEAD, false",
        "3, AHEAD, false",
    })
    void aNodeThatNamedABlockWhichNobodyElseHadIsHeardOnlyWithAnother(int count, Lie lie, boolean announced) {
        chain.mine(20);
        List<SubscribingNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new SubscribingNode(chain, announced ? "newHeads" : "none"));
        }
        try (LocalProxy weir = weir(nodes, announced);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            JsonRpcClient calls = new JsonRpcClient(weir.url());
            await().until(() -> Long.decode(calls.result("eth_blockNumber").asString()) == chain.head());
            String heads = client.subscribe("newHeads");
            if (announced) {
                await().until(() -> nodes.stream().anyMatch(node -> node.subscriptions("newHeads") > 0));
            }
            long first = chain.head() + 1;
            for (int i = 0; i < BLOCKS; i++) {
                grow(lie, nodes);
            }
            nodes.get(0).see(state -> state);
            chain.mineOf(1);
            nodes.forEach(node -> tell(node, chain.state()));

            Set<String> told = new LinkedHashSet<>();
            TestBlock last = chain.state().at(chain.head());
            while (!told.contains(last.hash())) {
                JsonNode head = client.next(heads);
                told.add(head.path("hash").asString());
            }
            List<String> right = new ArrayList<>();
            for (long number = first; number <= chain.head(); number++) {
                right.add(chain.state().at(number).hash());
            }
            assertThat(told).as("seed %d", seed).containsAll(right);
            told.removeAll(right);
            assertThat(told).as("false heads of one lie, seed %d", seed).hasSizeLessThanOrEqualTo(lie.count);
        } finally {
            nodes.forEach(SubscribingNode::close);
        }
    }
}
