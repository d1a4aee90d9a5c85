package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.metrics.Meters;
import io.weir.pipeline.HandNode;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.HandSession;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.FeedPool;
import io.weir.subscription.stream.MadeLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions that are passed to a node, of which a network has so many. */
class NodeSourceTest {

    private static final RpcReply.Failure UNKNOWN = RpcReply.failure(new RpcError(-32601, "unknown", null));
    private static final RpcReply.Failure REFUSED = RpcReply.failure(new RpcError(-32602, "refused", null));

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HandSession session = new HandSession(channel.eventLoop());
    private final FeedPool pool = new FeedPool(Set.of("a"), new HandNode("a"));
    private final List<RpcReply.@Nullable Failure> joined = new ArrayList<>();
    private final List<Delivered> told = new ArrayList<>();
    private NodeSource.Passed source = source(1);
    private int ids;

    private NodeSource.Passed source(int max) {
        return new NodeSource.Passed(pool, max, meters(), told::add);
    }

    private static SubscriptionMeters meters() {
        return new SubscriptionMeters(new Meters(new MetricRegistry()), "net");
    }

    private Subscription join() {
        return join(TestCaller.CLIENT);
    }

    private Subscription join(Caller caller) {
        Topic topic = Topic.passed(
                new RpcCall(RawJson.NULL, ChainCalls.SUBSCRIBE, RawJson.of("[\"syncing\"]")), UNKNOWN, null);
        Subscription subscription =
                new Subscription("0x" + ++ids, SubscriptionRequest.of(MadeLogs.NOTIFICATIONS, topic), caller, session);
        source.join(subscription, System.nanoTime() + TimeUnit.HOURS.toNanos(1), joined::add);
        return subscription;
    }

    @Test
    void aSubscriptionOverTheBoundIsRefusedUntilAnotherOneLeaves() {
        Subscription first = join();
        pool.newest().listener.began(1);
        join();
        assertThat(joined).hasSize(2).first().isNull();
        assertThat(joined.get(1).error().code()).isEqualTo(-32005);
        source.leave(first);
        source.leave(first);
        first.holding().close();
        assertThat(pool.feeds.get(0).closed).isTrue();
        join();
        join();
        assertThat(pool.feeds).as("one place, however often it was left").hasSize(2);
    }

    @Test
    void aSubscriptionThatNoNodeAcceptsGivesBackItsPlace() {
        for (int i = 0; i < 2; i++) {
            Subscription refused = join();
            pool.newest().refuse(REFUSED);
            refused.holding().close();
        }
        assertThat(pool.feeds).hasSize(2);
        assertThat(joined).containsExactly(REFUSED, REFUSED);
    }

    @Test
    void oneCallerLeavesSomePlacesToOthers() {
        source = source(18);
        for (int i = 0; i < 18; i++) {
            join();
        }
        assertThat(pool.feeds).hasSize(16);
        assertThat(joined.get(0).error().message()).endsWith("(expected: at most the caller's share of 18)");
        join(TestCaller.of("other", null));
        assertThat(pool.feeds).hasSize(17);
    }
}
