package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.subscription.delivery.HandSession;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.CriteriaLimits;
import io.weir.subscription.stream.MadeLogs;
import io.weir.testing.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Limits on subscriptions: 13 by connection, three by key; and on their addresses and topics: 50,000 by connection, three by key. */
class SubscriptionLimitsTest {

    private static final SubscriptionConfig CONFIG =
            NetworkSettings.of("net", "subscriptions.max-per-key = 3").subscriptions();

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final HandSession session = new HandSession(loop);
    private final Meters registry = new Meters(new MetricRegistry());
    private final SubscriptionMeters meters = new SubscriptionMeters(registry, "net");
    private final Budget memory = Budget.unbounded();
    private final CriteriaLimits criteria = MadeLogs.limits(3, registry, memory);
    private final NetworkSubscriptions limits =
            new NetworkSubscriptions(CONFIG, 13, meters, criteria, Map.of(), null, null);
    private final LoopSubscriptions own = new LoopSubscriptions(loop, CONFIG, subscription -> {}, meters);
    private final List<Subscription> kept = new ArrayList<>();
    private int ids;

    private Subscription heads(String key) {
        return subscription(key, null);
    }

    /** Returns a subscription to the logs of so many addresses. */
    private Subscription logs(String key, int addresses) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < addresses; i++) {
            list.append(i == 0 ? "" : ",").append(MadeLogs.address(i));
        }
        return subscription(key, "{\"address\":[" + list + "]}");
    }

    private Subscription subscription(String key, @Nullable String filter) {
        return new Subscription(
                "0x" + ++ids,
                SubscriptionRequest.of(
                        filter == null ? SubscriptionKind.NEW_HEADS : SubscriptionKind.LOGS,
                        MadeLogs.NOTIFICATIONS,
                        filter == null ? null : MadeLogs.criteria(filter)),
                TestCaller.of(key, null),
                session);
    }

    /** Keeps a subscription, whose part of the limits counts for as long. */
    private Subscription taken(Subscription subscription) {
        kept.add(subscription);
        return subscription;
    }

    private RpcReply.@Nullable Failure take(Subscription subscription) {
        return limits.take(subscription, 0);
    }

    private static void assertRefused(RpcReply.@Nullable Failure failure, String owner) {
        assertThat(failure).isNotNull();
        assertThat(failure.error().code()).isEqualTo(-32005);
        assertThat(failure.error().message()).contains(owner);
    }

    @Test
    void aKeyHasSoManySubscriptionsAndAnotherOneItsOwn() {
        Subscription open = heads("first");
        assertThat(take(open)).isNull();
        for (int i = 0; i < 2; i++) {
            assertThat(take(taken(heads("first")))).isNull();
        }
        assertRefused(take(heads("first")), "subscriptions of this key");
        assertThat(take(taken(heads("second")))).isNull();
        open.holding().close();
        assertThat(take(heads("first"))).isNull();
    }

    @Test
    void aSubscriptionThatIsRefusedForItsCriteriaTakesNoPlace() {
        for (int i = 0; i < 3; i++) {
            assertRefused(take(logs("key", 4)), "addresses and topics in the subscriptions and filters of this key");
        }
        assertThat(memory.taken()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(take(taken(heads("key")))).isNull();
        }
    }

    @Test
    void aSubscriptionThatIsRefusedForItsPlaceTakesNoCriteria() {
        Subscription logs = logs("key", 3);
        assertThat(take(logs)).isNull();
        assertThat(take(taken(heads("key")))).isNull();
        assertThat(take(taken(heads("key")))).isNull();
        assertRefused(take(logs("key", 1)), "subscriptions of this key");
        logs.holding().close();
        assertThat(take(logs("key", 3)))
                .as("place and criteria of the ended one")
                .isNull();
    }

    @Test
    void aConnectionHasSoManySubscriptionsAndSoManyCriteria() {
        for (int i = 0; i < 12; i++) {
            own.add(logs("key", 4_096));
        }
        assertThat(limits.excess(logs("key", 848), own)).isNull();
        assertRefused(
                limits.excess(logs("key", 849), own), "addresses and topics in the subscriptions of this connection");
        own.add(heads("key"));
        assertRefused(limits.excess(heads("key"), own), "subscriptions of this connection");
    }

    @Test
    void whatASubscriptionKeepsCountsInBytesUntilItEnds() {
        Subscription passed = heads("key");
        assertThat(limits.take(passed, 5_000)).isNull();
        assertThat(memory.taken()).isBetween(5_000L, 6_000L);
        Subscription logs = logs("key", 3);
        assertThat(take(logs)).isNull();
        assertThat(memory.taken()).as("with those of three addresses").isBetween(6_500L, 8_000L);
        passed.holding().close();
        logs.holding().close();
        assertThat(memory.taken()).isZero();
    }
}
