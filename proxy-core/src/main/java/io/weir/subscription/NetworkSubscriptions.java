package io.weir.subscription;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.config.LimitsConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodRole;
import io.weir.metrics.Meters;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterIds;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.upstream.UpstreamPool;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Subscriptions of one network's clients, and the stages of the methods that begin and end them. Thread-safe. */
public final class NetworkSubscriptions {

    private static final RpcReply.Failure CLOSED = RpcReply.unavailable("the connection is closed");

    private final SubscriptionConfig config;
    private final SubscriptionMeters meters;
    private final FilterIds ids = new FilterIds(new SecureRandom());
    private final ConcurrentMap<EventLoop, LoopSubscriptions> loops = new ConcurrentHashMap<>();
    /** Free positions by the names of keys, whose number the configuration limits. */
    private final ConcurrentMap<String, Semaphore> slotsOfKeys = new ConcurrentHashMap<>();

    private final Map<SubscriptionKind, SubscriptionSource> sources = new EnumMap<>(SubscriptionKind.class);

    /** Receiver of the result of a subscription. Confined to the event loop of its connection. */
    interface Sink {

        /** Handles that the subscription has begun. Its notifications wait for the answer to be written. */
        void subscribed(String id);

        /** Handles that it was refused. */
        void refused(RpcReply.Failure failure);
    }

    /**
     * Creates the subscriptions of a network, without any.
     *
     * @param loop the event loop of the stream of events
     * @param calls makes the proxy's own calls on this network
     */
    public NetworkSubscriptions(
            NetworkConfig network,
            EventLoop loop,
            UpstreamPool pool,
            NetworkChain chain,
            Stage calls,
            Meters registry) {
        this.config = network.subscriptions();
        this.meters = new SubscriptionMeters(registry, network.name());
        NodeAnswers answers = new NodeAnswers(network, loop, calls, meters);
        ChainFollower follower = new ChainFollower(loop, pool.head(), chain);
        EventStream stream = new EventStream(config, loop, follower, answers, this::submit);
        sources.put(SubscriptionKind.NEW_HEADS, stream);
        sources.put(SubscriptionKind.LOGS, stream);
        for (SubscriptionKind kind : List.of(SubscriptionKind.PENDING, SubscriptionKind.WHOLE_PENDING)) {
            sources.put(kind, new PendingSource(kind, pool, loop, config, meters, this::submit));
        }
        sources.put(SubscriptionKind.PASSED, new PassedSource(pool, config.maxPassed(), meters, this::loop));
    }

    private void submit(Delivered event) {
        loops.values().forEach(one -> one.submit(event));
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
     * Begins a subscription. Called on the event loop of its connection.
     *
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     */
    void subscribe(SubscriptionRequest request, Caller caller, SessionRequest from, long deadlineNanos, Sink sink) {
        ClientSession session = from.session();
        LoopSubscriptions own = loop(session.loop());
        if (own.count(session) >= config.maxPerConnection()) {
            refuse("this connection", config.maxPerConnection(), sink);
            return;
        }
        Semaphore slots = slots(caller.name());
        if (!slots.tryAcquire()) {
            refuse("this key", config.maxPerKey(), sink);
            return;
        }
        meters.opened(request.kind(), 1);
        Subscription subscription = new Subscription(ids.next(), request.kind(), request.criteria(), caller, session);
        source(request.kind())
                .join(
                        subscription,
                        request.params(),
                        deadlineNanos,
                        refusal -> own.submit(() -> joined(subscription, refusal, own, from, sink)));
    }

    private void joined(
            Subscription subscription,
            RpcReply.@Nullable Failure refusal,
            LoopSubscriptions own,
            SessionRequest from,
            Sink sink) {
        ClientSession session = subscription.session();
        if (refusal != null) {
            release(subscription);
            sink.refused(refusal);
        } else if (!session.isOpen()) {
            ended(subscription);
            // The call gives back what it holds when it is answered.
            sink.refused(CLOSED);
        } else if (own.count(session) >= config.maxPerConnection()) {
            ended(subscription);
            refuse("this connection", config.maxPerConnection(), sink);
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

    private void refuse(String owner, int max, Sink sink) {
        meters.refused();
        sink.refused(RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                "too many subscriptions of " + owner + " are open (expected: at most " + max + ")")));
    }

    private void ended(Subscription subscription) {
        release(subscription);
        source(subscription.kind()).leave(subscription);
    }

    private SubscriptionSource source(SubscriptionKind kind) {
        return requireNonNull(sources.get(kind));
    }

    private void release(Subscription subscription) {
        meters.opened(subscription.kind(), -1);
        slots(subscription.caller().name()).release();
    }

    private Semaphore slots(String key) {
        return slotsOfKeys.computeIfAbsent(key, name -> new Semaphore(config.maxPerKey()));
    }
}
