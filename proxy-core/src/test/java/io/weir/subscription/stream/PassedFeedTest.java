package io.weir.subscription.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.pipeline.HandNode;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Subscriptions that are passed to one node. */
class PassedFeedTest {

    private static final RpcReply.Failure UNKNOWN = RpcReply.failure(new RpcError(-32601, "unknown", null));
    private static final RpcReply.Failure REFUSED = RpcReply.failure(new RpcError(-32602, "refused", null));

    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final HandTimer timer = new HandTimer();
    private final HandNode first = new HandNode("first");
    private final HandNode second = new HandNode("second");
    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final List<String> events = new ArrayList<>();
    private FeedPool pool;
    private FailoverFeed feed;

    private void open(String... withSocket) {
        openWith(null, withSocket);
    }

    private void openByHash(String... withSocket) {
        openWith("transaction_hash", withSocket);
    }

    private void openWith(String hash, String... withSocket) {
        pool = new FeedPool(Set.of(withSocket), first, second);
        Topic topic = Topic.passed(
                new RpcCall(RawJson.NULL, ChainCalls.SUBSCRIBE, RawJson.of("[\"syncing\"]")), UNKNOWN, hash);
        feed = new FailoverFeed(topic, pool, loop, timer, LOST_NANOS, new FailoverFeed.Listener() {
            @Override
            public void told(byte[] result) {
                events.add(new String(result, UTF_8));
            }

            @Override
            public void reorganised(byte[] result) {
                events.add("reorganised " + new String(result, UTF_8));
            }

            @Override
            public void lost(RpcError error) {
                events.add("ended");
                feed.leave();
            }
        });
        feed.join(
                timer.now() + TimeUnit.SECONDS.toNanos(20),
                failure ->
                        events.add(failure == null ? "began" : failure.error().message()));
    }

    @Test
    void theFirstNodeThatAcceptsServesItUntilItGoes() {
        open("first", "second");
        pool.newest().refuse(REFUSED);
        assertThat(pool.newest().node).isSameAs(second);
        assertThat(pool.newest().call.params()).hasToString("[\"syncing\"]");
        pool.newest().listener.began(1);
        pool.newest().tell("true");
        pool.newest().end(false);
        assertThat(events).containsExactly("began", "true", "ended");
        timer.pass(TimeUnit.MINUTES.toNanos(1));
        assertThat(events).hasSize(3);
        assertThat(pool.feeds).hasSize(2);
    }

    @Test
    void anotherNodeGoesOnWithResultsThatHaveHashesAndTellsNoneAgain() {
        openByHash("first", "second");
        pool.newest().listener.began(1);
        pool.newest().tell("\"0xa\"");
        pool.newest().tell("{\"transaction_hash\":\"0xb\"}");
        first.health = Health.DOWN;
        pool.newest().end(false);
        timer.pass(TimeUnit.SECONDS.toNanos(1));
        assertThat(pool.newest().node).isSameAs(second);
        pool.newest().listener.began(1);
        pool.newest().tell("\"0xb\"");
        pool.newest().tell("{\"transaction_hash\":\"0x0a\"}");
        pool.newest().tell("\"0xc\"");
        pool.newest().listener.reorganised(RawJson.of("{}"));
        assertThat(events)
                .containsExactly("began", "\"0xa\"", "{\"transaction_hash\":\"0xb\"}", "\"0xc\"", "reorganised {}");
    }

    @Test
    void itEndsOnceNoNodeGoesOnInTime() {
        openByHash("first");
        pool.newest().listener.began(1);
        pool.newest().end(false);
        timer.pass(TimeUnit.SECONDS.toNanos(1));
        assertThat(pool.feeds).hasSize(2);
        pool.newest().end(false);
        timer.pass(LOST_NANOS - TimeUnit.SECONDS.toNanos(2));
        assertThat(events).containsExactly("began");
        for (int i = 0; i < 3; i++) {
            pool.newest().end(false);
            timer.pass(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(events).containsExactly("began", "ended");
        int asked = pool.feeds.size();
        timer.pass(TimeUnit.MINUTES.toNanos(1));
        assertThat(pool.feeds).hasSize(asked);
    }

    @Test
    void onceItsNodeIsLostEachNodeIsAskedOnceInARound() {
        openByHash("first", "second");
        pool.newest().listener.began(1);
        pool.newest().end(false);
        assertThat(pool.newest().node).isSameAs(second);
        pool.newest().end(false);
        assertThat(pool.feeds).hasSize(2);
        timer.pass(TimeUnit.SECONDS.toNanos(1));
        assertThat(pool.newest().node).isSameAs(first);
        pool.newest().end(false);
        assertThat(pool.feeds).extracting(one -> one.node.id()).containsExactly("first", "second", "first", "second");
        pool.newest().end(false);
        timer.pass(TimeUnit.SECONDS.toNanos(1));
        assertThat(pool.feeds).as("pauses grow").hasSize(4);
    }

    @Test
    void aNodeThatAcceptsAndGoesAtOnceIsNotAskedWithoutAPause() {
        openByHash("first");
        for (int i = 0; i < 5; i++) {
            pool.newest().listener.began(1);
            pool.newest().end(false);
        }
        timer.pass(TimeUnit.SECONDS.toNanos(1) - 1);
        assertThat(pool.feeds).hasSize(1);
        timer.pass(1);
        assertThat(pool.feeds).hasSize(2);
    }

    @Test
    void theNodesErrorIsTheAnswerIfNoneAccepts() {
        open("first", "second");
        pool.newest().refuse(REFUSED);
        pool.newest().end(false);
        assertThat(events).containsExactly("refused");
    }

    @Test
    void ofTwoErrorsTheFirstOneIsTheAnswer() {
        open("first", "second");
        pool.newest().refuse(REFUSED);
        pool.newest().refuse(UNKNOWN);
        assertThat(events).containsExactly("refused");
    }

    @Test
    void aNodeThatGoesWithoutAnAnswerMightHaveHadIt() {
        open("first");
        pool.newest().end(false);
        assertThat(events).containsExactly("no upstream could be asked for the subscription");
    }

    @Test
    void withoutAWebSocketTheKindIsUnknown() {
        open();
        assertThat(events).containsExactly("unknown");
    }

    @Test
    void aNodeThatIsDownMightHaveHadIt() {
        second.health = Health.DOWN;
        open();
        assertThat(events).containsExactly("no upstream could be asked for the subscription");
    }

    @Test
    void aNodeThatDoesNotAnswerInTimeIsNotAwaited() {
        open("first");
        timer.pass(TimeUnit.MINUTES.toNanos(1));
        assertThat(events).containsExactly("no upstream accepted the subscription in time");
        assertThat(pool.newest().closed).isTrue();
    }

    @Test
    void aClosedOneHearsNothingMore() {
        open("first");
        pool.newest().listener.began(1);
        feed.leave();
        pool.newest().tell("true");
        pool.newest().end(false);
        assertThat(events).containsExactly("began");
        assertThat(pool.newest().closed).isTrue();
    }
}
