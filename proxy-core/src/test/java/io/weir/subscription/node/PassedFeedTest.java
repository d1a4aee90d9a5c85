package io.weir.subscription.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
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

    private final HandTimer timer = new HandTimer();
    private final HandNode first = new HandNode("first");
    private final HandNode second = new HandNode("second");
    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final List<String> events = new ArrayList<>();
    private FeedPool pool;
    private PassedFeed feed;

    private void open(String... withSocket) {
        pool = new FeedPool(Set.of(withSocket), first, second);
        RawJson params = RawJson.of("[\"syncing\"]");
        feed = new PassedFeed(pool, loop, timer, params, UNKNOWN, new PassedFeed.Listener() {
            @Override
            public void began() {
                events.add("began");
            }

            @Override
            public void refused(RpcReply.Failure failure) {
                events.add(failure.error().message());
            }

            @Override
            public void notified(byte[] result) {
                events.add(new String(result, UTF_8));
            }

            @Override
            public void ended() {
                events.add("ended");
            }
        });
        feed.open(timer.now() + TimeUnit.SECONDS.toNanos(20));
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
    void theNodesErrorIsTheAnswerIfNoneAccepts() {
        open("first", "second");
        pool.newest().refuse(REFUSED);
        pool.newest().end(false);
        assertThat(events).containsExactly("refused");
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
        feed.close();
        pool.newest().tell("true");
        pool.newest().end(false);
        assertThat(events).containsExactly("began");
        assertThat(pool.newest().closed).isTrue();
    }
}
