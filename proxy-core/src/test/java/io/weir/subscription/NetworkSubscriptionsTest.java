package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.HandSession;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.CriteriaLimits;
import io.weir.subscription.stream.MadeLogs;
import io.weir.testing.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How subscriptions begin and end, and what they give back: one by connection, two by key. */
class NetworkSubscriptionsTest {

    private static final SubscriptionConfig CONFIG =
            NetworkSettings.of("net", "subscriptions.max-per-key = 2").subscriptions();

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final MetricRegistry registry = new MetricRegistry();
    private final MemberSource source = new MemberSource();
    private final Budget memory = new Budget(1 << 20);
    private final NetworkSubscriptions subscriptions = subscriptions();
    private HandSession session = new HandSession(channel.eventLoop());

    /** Source whose members join and leave. Confined to one thread. */
    private static final class MemberSource implements EventSource {

        private final List<Consumer<RpcReply.@Nullable Failure>> joining = new ArrayList<>();
        private final List<StreamMember> left = new ArrayList<>();

        @Override
        public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
            joining.add(joined);
        }

        @Override
        public void leave(StreamMember member) {
            left.add(member);
        }
    }

    /** Request to subscribe, with its answer. Confined to one thread. */
    private static final class Request implements SessionRequest, ReplySink {

        private final ClientSession session;
        private final List<Runnable> afterAnswer = new ArrayList<>();
        private boolean bound;
        private @Nullable String id;
        private RpcReply.@Nullable Failure failure;

        Request(ClientSession session) {
            this.session = session;
        }

        @Override
        public ClientSession session() {
            return session;
        }

        @Override
        public void bind() {
            bound = true;
        }

        @Override
        public void afterAnswer(Runnable action) {
            afterAnswer.add(action);
        }

        @Override
        public void accept(RpcReply reply) {
            if (reply instanceof RpcReply.Result result) {
                id = result.value().toString().replace("\"", "");
            } else if (reply instanceof RpcReply.Failure reason) {
                failure = reason;
            }
        }
    }

    private NetworkSubscriptions subscriptions() {
        Meters meters = new Meters(registry);
        SubscriptionMeters counted = new SubscriptionMeters(meters, "net");
        CriteriaLimits criteria = new CriteriaLimits(CriteriaLimits.MAX_PER_KEY, meters, "net", memory);
        return new NetworkSubscriptions(
                CONFIG, 1, counted, criteria, Map.of(SubscriptionKind.NEW_HEADS, source), null, null);
    }

    @AfterEach
    void everythingIsGivenBack() {
        session.leave();
        session = new HandSession(channel.eventLoop());
        assertThat(open()).isZero();
        assertThat(memory.taken()).isZero();
        assertThat(begin().failure).isNull();
        assertThat(begin().failure).isNull();
    }

    private long open() {
        return registry.getGauges().keySet().stream()
                .filter(name -> name.startsWith(Meter.SUBSCRIPTIONS.id()))
                .mapToLong(name -> (Long) registry.getGauges().get(name).getValue())
                .sum();
    }

    /** Begins to subscribe to new heads. */
    private Request begin() {
        Request request = new Request(session);
        subscriptions.subscribe(
                SubscriptionRequest.of(SubscriptionKind.NEW_HEADS, MadeLogs.NOTIFICATIONS, null),
                TestCaller.CLIENT,
                request,
                System.nanoTime(),
                request);
        return request;
    }

    /** Has the source serve a member, or refuse it. */
    private void join(int index, RpcReply.@Nullable Failure refusal) {
        source.joining.get(index).accept(refusal);
        channel.runPendingTasks();
    }

    private void tellHead() {
        subscriptions.submit(
                new Delivered.Result(SubscriptionKind.NEW_HEADS, "{}".getBytes(UTF_8), "{}".getBytes(UTF_8)));
        channel.runPendingTasks();
    }

    @Test
    void aSubscriptionIsToldOnceItsAnswerWasWrittenUntilItEnds() {
        Request request = begin();
        assertThat(request.bound).isTrue();
        join(0, null);
        tellHead();
        assertThat(session.sent).isEmpty();
        request.afterAnswer.forEach(Runnable::run);
        assertThat(session.sent).hasSize(1);
        assertThat(open()).isEqualTo(1);
        assertThat(subscriptions.unsubscribe(session, "0x1")).isFalse();
        assertThat(subscriptions.unsubscribe(session, request.id)).isTrue();
        tellHead();
        assertThat(session.sent).hasSize(1);
        assertThat(source.left).hasSize(1);
    }

    @Test
    void aSubscriptionThatItsSourceRefusesGivesBackItsPlace() {
        for (int i = 0; i < 3; i++) {
            Request request = begin();
            join(i, RpcReply.unavailable("no node"));
            assertThat(request.failure).isEqualTo(RpcReply.unavailable("no node"));
        }
        assertThat(source.left).as("it never joined").isEmpty();
    }

    @Test
    void aSubscriptionWhoseConnectionClosedMeanwhileLeavesItsSource() {
        Request request = begin();
        session.leave();
        join(0, null);
        assertThat(request.id).isNull();
        assertThat(source.left).hasSize(1);
    }

    @Test
    void theSubscriptionsOfAConnectionThatClosesLeaveTheirSource() {
        begin();
        join(0, null);
        session.leave();
        assertThat(source.left).hasSize(1);
    }

    @Test
    void ofSubscriptionsThatJoinAtTheSameTimeAConnectionKeepsAsManyAsItMayHave() {
        Request first = begin();
        Request second = begin();
        join(0, null);
        join(1, null);
        assertThat(first.id).isNotNull();
        assertThat(second.id).isNull();
        assertThat(second.failure.error().message()).contains("subscriptions of this connection");
        assertThat(source.left).hasSize(1);
    }

    @Test
    void moreThanAKeyMayHaveAreRefusedBeforeTheyJoin() {
        begin();
        begin();
        session = new HandSession(channel.eventLoop());
        assertThat(begin().failure).isNotNull();
        assertThat(source.joining).hasSize(2);
        join(0, RpcReply.unavailable("no node"));
        join(1, RpcReply.unavailable("no node"));
    }
}
