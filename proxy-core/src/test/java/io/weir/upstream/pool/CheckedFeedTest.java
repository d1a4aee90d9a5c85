package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.ChainCalls;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subscription at a node, over a connection of its own. */
class CheckedFeedTest {

    private final PoolBench bench = new PoolBench();
    private final FakeNode node = bench.node("a", 0, 1);
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void begin() {
        node.hasSocket = true;
        bench.begin();
    }

    private NodeFeed subscribe() {
        NodeFeed feed = bench.pool.subscribe(
                bench.upstream("a"), bench.loop, ChainCalls.subscribeToHeads(), new NodeFeed.Listener() {
                    @Override
                    public void began(long head) {
                        told.add("began");
                    }

                    @Override
                    public void notified(RawJson result) {
                        told.add(result.toString());
                    }

                    @Override
                    public void ended(NodeFeed.End end) {
                        told.add(end.refused() ? "refused" : "ended");
                    }
                });
        bench.settle();
        return feed;
    }

    @Test
    void resultsArePassedOnUntilTheConnectionEnds() {
        subscribe();
        node.subscription().announce("1");
        node.subscription().end();
        node.subscription().end();
        assertThat(told).containsExactly("began", "1", "ended");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"subscription\":\"0x6\",\"result\":2}",
                "{\"result\":2}",
                "{\"subscription\":\"0x5\"}",
                "[\"0x5\",2]",
                "2"
            })
    void anythingButAResultOfThisSubscriptionEndsIt(String params) {
        subscribe();
        node.subscription().announce("1");
        node.subscription().tell(params);
        assertThat(told).containsExactly("began", "1", "refused");
        assertThat(node.subscription().closed).isTrue();
    }

    @Test
    void aNotificationThatIsTooLongEndsIt() {
        subscribe();
        node.subscription().announce('"' + "a".repeat(1 << 21) + '"');
        assertThat(told).containsExactly("began", "refused");
    }

    @Test
    void aNodeOfAnotherChainIsNotSubscribedTo() {
        node.socketChain = "5";
        subscribe();
        assertThat(told).containsExactly("refused");
        assertThat(node.probed).doesNotContain("eth_subscribe");
        assertThat(node.subscription().closed).isTrue();
    }

    @Test
    void aNodeThatRefusesOrDoesNotAnswerEndsIt() {
        node.subscribed = FakeNode.error(-32601);
        subscribe();
        node.subscribed = FakeNode.failed(Fault.TIMEOUT);
        subscribe();
        assertThat(told).containsExactly("refused", "ended");
        assertThat(node.subscriptions).allMatch(one -> one.closed);
    }

    @Test
    void aSubscriptionThatIsClosedHearsNothingMore() {
        NodeFeed feed = subscribe();
        feed.close();
        assertThat(node.subscription().closed).isTrue();
        node.subscription().end();
        assertThat(told).containsExactly("began");
    }
}
