package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.config.LimitsConfig;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodRole;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterIds;
import io.weir.pipeline.filter.FilterStages;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.filter.StreamFilters;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Subscriptions and filters of one network's clients, and the stages of their methods. Thread-safe. */
public final class NetworkSubscriptions {

    private static final RpcReply.Failure CLOSED = RpcReply.unavailable("the connection is closed");

    private final SubscriptionConfig config;
    private final SubscriptionMeters meters;
    private final SubscriptionLimits limits;
    private final FilterIds ids = new FilterIds(new SecureRandom());
    private final ConcurrentMap<EventLoop, LoopSubscriptions> loops = new ConcurrentHashMap<>();
    private final Map<SubscriptionKind, EventSource> sources;
    private final PassedSource passed;
    private final StreamFilters filters;
    private final Stage calls;

    /** Receiver of the result of a subscription. Confined to the event loop of its connection. */
    interface Sink {

        /** Handles that the subscription has begun. Its notifications wait for the answer to be written. */
        void subscribed(String id);

        /** Handles that it was refused. */
        void refused(RpcReply.Failure failure);
    }

    /**
     * Creates subscriptions, without any.
     *
     * @param sources of the kinds that the proxy knows
     * @param passed source of the others
     * @param calls makes the proxy's own calls on this network
     */
    NetworkSubscriptions(
            SubscriptionConfig config,
            SubscriptionMeters meters,
            SubscriptionLimits limits,
            Map<SubscriptionKind, EventSource> sources,
            PassedSource passed,
            StreamFilters filters,
            Stage calls) {
        this.config = config;
        this.meters = meters;
        this.limits = limits;
        this.sources = sources;
        this.passed = passed;
        this.filters = filters;
        this.calls = calls;
    }

    /** Delivers an event. Called on the event loop of its source. */
    void submit(Delivered event) {
        // Heights are for the polls of filters.
        if (!(event instanceof Delivered.Height)) {
            loops.values().forEach(one -> one.submit(event));
        }
    }

    private LoopSubscriptions loop(EventLoop loop) {
        return loops.computeIfAbsent(loop, key -> new LoopSubscriptions(key, config, this::ended, meters));
    }

    /** Returns the stages by the role of the method. */
    public Map<MethodRole, Stage> stages(LimitsConfig limits) {
        return Map.of(
                MethodRole.SUBSCRIBE, new SubscribeStage(this, limits),
                MethodRole.UNSUBSCRIBE, new UnsubscribeStage(this));
    }

    /**
     * Returns the stages of filters by the role of the method.
     *
     * @param held the stages of the filters that nodes hold
     */
    public Map<MethodRole, Stage> filterStages(FilterStages held) {
        return filters.stages(held, calls);
    }

    /**
     * Begins a subscription. Called on the event loop of its connection.
     *
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     */
    void subscribe(SubscriptionRequest request, Caller caller, SessionRequest from, long deadlineNanos, Sink sink) {
        ClientSession session = from.session();
        LoopSubscriptions own = loop(session.loop());
        Subscription subscription = new Subscription(ids.next(), request.kind(), request.criteria(), caller, session);
        RpcReply.Failure excess = limits.excess(subscription, own);
        RpcReply.Failure refused = excess == null ? limits.take(subscription) : excess;
        if (refused != null) {
            sink.refused(refused);
            return;
        }
        meters.opened(request.kind(), 1);
        Consumer<RpcReply.@Nullable Failure> joined =
                refusal -> own.submit(() -> joined(subscription, refusal, own, from, sink));
        EventSource source = sources.get(request.kind());
        if (source == null) {
            passed.join(subscription, own, request.params(), deadlineNanos, joined);
        } else {
            source.join(subscription, deadlineNanos, joined);
        }
    }

    private void joined(
            Subscription subscription,
            RpcReply.@Nullable Failure refusal,
            LoopSubscriptions own,
            SessionRequest from,
            Sink sink) {
        if (refusal != null) {
            release(subscription);
            sink.refused(refusal);
            return;
        }
        // Others of the connection may have begun meanwhile. The call gives back what it holds when it is answered.
        RpcReply.Failure late = subscription.session().isOpen() ? limits.excess(subscription, own) : CLOSED;
        if (late != null) {
            ended(subscription);
            sink.refused(late);
        } else {
            own.add(subscription);
            from.afterAnswer(() -> own.open(subscription));
            sink.subscribed(subscription.id());
        }
    }

    /** Ends a subscription. Called on the event loop of its connection. Returns whether the connection had it. */
    boolean unsubscribe(ClientSession session, String id) {
        LoopSubscriptions own = loops.get(session.loop());
        return own != null && own.remove(session, id);
    }

    private void ended(Subscription subscription) {
        release(subscription);
        EventSource source = sources.get(subscription.kind());
        if (source == null) {
            passed.leave(subscription);
        } else {
            source.leave(subscription);
        }
    }

    private void release(Subscription subscription) {
        meters.opened(subscription.kind(), -1);
        limits.give(subscription);
    }
}
