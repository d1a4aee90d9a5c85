package io.weir.subscription;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.Holding;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.method.MethodRole;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.SessionRequest;
import io.weir.pipeline.Stage;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionRequest;
import io.weir.subscription.stream.CriteriaLimits;
import io.weir.subscription.stream.StreamBlock;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Subscriptions of one network's clients, and the stages of their methods. Thread-safe. */
final class NetworkSubscriptions {

    private static final RpcReply ENDED = new RpcReply.Result(RawJson.of("true"));

    /** Geth's error over HTTP. */
    private static final RpcReply.Failure NO_SESSION =
            RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("notifications not supported"));

    private static final RpcReply.Failure CLOSED = RpcReply.unavailable("the connection is closed");

    /** Subscriptions of one connection: more than clients open that follow one contract by each. What a key may have is a setting. */
    static final int MAX_PER_CONNECTION = 1_000;

    private final SubscriptionConfig config;
    private final int maxPerConnection;
    private final SubscriptionMeters meters;
    private final CriteriaLimits criteria;
    private final KeyBudgets keys;
    private final Random ids = new SecureRandom();
    private final ConcurrentMap<EventLoop, LoopSubscriptions> loops = new ConcurrentHashMap<>();
    private final Map<SubscriptionKind, EventSource> sources;
    private final SubscriptionDialect dialect;
    private final @Nullable BlockReplays replays;

    /** Subscription that begins. Immutable. */
    private record Opening(Subscription subscription, LoopSubscriptions own, SessionRequest from, ReplySink sink) {}

    /**
     * @param maxPerConnection subscriptions of one connection
     * @param criteria limits on the addresses and topics, which filters share
     * @param sources by the kind of subscriptions
     * @param dialect reads calls
     * @param replays for requests with an earlier block; null if the dialect reads none
     */
    NetworkSubscriptions(
            SubscriptionConfig config,
            int maxPerConnection,
            SubscriptionMeters meters,
            CriteriaLimits criteria,
            Map<SubscriptionKind, EventSource> sources,
            SubscriptionDialect dialect,
            @Nullable BlockReplays replays) {
        this.config = config;
        this.maxPerConnection = maxPerConnection;
        this.meters = meters;
        this.criteria = criteria;
        this.keys = new KeyBudgets(config.maxPerKey());
        this.sources = sources;
        this.dialect = dialect;
        this.replays = replays;
    }

    /** Delivers an event. Called on the event loop of its source. */
    void submit(Delivered event) {
        EventLoop only = event instanceof Delivered.ToOne one ? one.member().loop() : null;
        if (only != null) {
            loop(only).submit(event);
        } else if (!(event instanceof Delivered.Height)) {
            // Heights are for the polls of filters.
            loops.values().forEach(one -> one.submit(event));
        }
    }

    private LoopSubscriptions loop(EventLoop loop) {
        return loops.computeIfAbsent(loop, key -> new LoopSubscriptions(key, config, this::ended, meters));
    }

    /** Returns the stages by the role of the method. */
    Map<MethodRole, Stage> stages() {
        return Map.of(
                MethodRole.SUBSCRIBE, new SubscriptionStage(this::subscribe),
                MethodRole.UNSUBSCRIBE, new SubscriptionStage(this::unsubscribe));
    }

    /**
     * Begins a subscription. Called on the event loop of its connection.
     *
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param sink gets its id, or why it was refused; called on that loop. Notifications wait for the answer to be written
     */
    void subscribe(
            SubscriptionRequest request, Caller caller, SessionRequest from, long deadlineNanos, ReplySink sink) {
        // The network may be replaced before the subscription has joined its source.
        from.bind();
        ClientSession session = from.session();
        LoopSubscriptions own = loop(session.loop());
        Subscription subscription = new Subscription(StreamMember.newId(ids), request, caller, session);
        RpcReply.Failure excess = excess(subscription, own);
        RpcReply.Failure refused = excess == null ? take(subscription, request.keptBytes()) : excess;
        if (refused != null) {
            sink.accept(refused);
            return;
        }
        meters.opened(request.kind(), 1);
        Opening opening = new Opening(subscription, own, from, sink);
        if (replays == null || request.start().equals(BlockSelector.NONE)) {
            join(opening, deadlineNanos, null);
            return;
        }
        replays.find(request.start(), (first, refusal) -> {
            if (refusal == null) {
                join(opening, deadlineNanos, first);
            } else {
                own.submit(() -> joined(opening, refusal, null));
            }
        });
    }

    /**
     * Compares the limits of a connection with its subscriptions and one more. Called on the event loop of the connection.
     *
     * @return null, or the reply if a limit is exceeded
     */
    RpcReply.@Nullable Failure excess(Subscription subscription, LoopSubscriptions own) {
        if (own.count(subscription.session()) >= maxPerConnection) {
            return tooMany("this connection", maxPerConnection);
        }
        return criteria.excess(own.criteria(subscription.session()), subscription.criteria());
    }

    /**
     * Takes what a subscription counts in the limits of its key. Its holding gives it back.
     *
     * @param kept bytes of its parameters that are kept as the client wrote them
     * @return null, or the reply if a limit is exceeded; then nothing is taken
     */
    RpcReply.@Nullable Failure take(Subscription subscription, long kept) {
        Holding holding = subscription.holding();
        if (!holding.tryTake(keys, 1)) {
            return tooMany("this key", config.maxPerKey());
        }
        RpcReply.Failure excess = criteria.takeForSubscription(holding, subscription.criteria(), kept);
        if (excess != null) {
            holding.close();
        }
        return excess;
    }

    private RpcReply.Failure tooMany(String owner, int max) {
        meters.refused();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                "too many subscriptions of " + owner + " are open (expected: at most " + max + ")"));
    }

    /** @param first the block from which on events are told; null if later blocks alone are */
    private void join(Opening opening, long deadlineNanos, @Nullable StreamBlock first) {
        source(opening.subscription)
                .join(
                        opening.subscription,
                        deadlineNanos,
                        refusal -> opening.own.submit(() -> joined(opening, refusal, first)));
    }

    private EventSource source(Subscription subscription) {
        return requireNonNull(sources.get(subscription.kind()));
    }

    private void joined(Opening opening, RpcReply.@Nullable Failure refusal, @Nullable StreamBlock first) {
        Subscription subscription = opening.subscription;
        if (refusal != null) {
            release(subscription);
            opening.sink.accept(refusal);
            return;
        }
        RpcReply.Failure late = late(opening, first);
        if (late != null) {
            ended(subscription);
            opening.sink.accept(late);
            return;
        }
        opening.own.add(subscription);
        opening.from.afterAnswer(() -> {
            if (replays == null || first == null) {
                opening.own.open(subscription);
            } else {
                replays.begin(first, subscription, opening.own);
            }
        });
        opening.sink.accept(new RpcReply.Result(RawJson.of('"' + subscription.id() + '"')));
    }

    /** Returns why a subscription that has joined its source cannot begin; else null. */
    private RpcReply.@Nullable Failure late(Opening opening, @Nullable StreamBlock first) {
        if (!opening.subscription.session().isOpen()) {
            // The call gives back what it holds when it is answered.
            return CLOSED;
        }
        // Others of the connection may have begun meanwhile.
        RpcReply.Failure excess = excess(opening.subscription, opening.own);
        return excess != null || replays == null || first == null ? excess : replays.take(first, opening.subscription);
    }

    /** Ends a subscription. Called on the event loop of its connection. Returns whether the connection had it. */
    boolean unsubscribe(ClientSession session, String id) {
        LoopSubscriptions own = loops.get(session.loop());
        return own != null && own.remove(session, id);
    }

    private void ended(Subscription subscription) {
        release(subscription);
        if (replays != null) {
            replays.end(subscription);
        }
        source(subscription).leave(subscription);
    }

    private void release(Subscription subscription) {
        meters.opened(subscription.kind(), -1);
        subscription.holding().close();
    }

    private void subscribe(CallContext context, SessionRequest session, ReplySink sink) {
        SubscriptionRequest request = dialect.read(context.call());
        RpcReply.Failure refusal = request.refusal();
        if (refusal == null) {
            ReplySink answer = reply -> context.step(() -> sink.accept(reply));
            subscribe(request, context.caller(), session, context.deadlineNanos(), answer);
        } else {
            sink.accept(refusal);
        }
    }

    /** No notification follows the answer. */
    private void unsubscribe(CallContext context, SessionRequest session, ReplySink sink) {
        String id = dialect.id(context.call());
        if (id == null) {
            sink.accept(dialect.missingId(context.call()));
        } else {
            sink.accept(unsubscribe(session.session(), id) ? ENDED : dialect.unknownId());
        }
    }

    /** Action of a method of subscriptions, for a call whose connection may have some. */
    private interface Handling {
        void handle(CallContext context, SessionRequest session, ReplySink sink);
    }

    /** Stage that begins or ends a subscription of the call's connection. Thread-safe. */
    private record SubscriptionStage(Handling handling) implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            SessionRequest session = context.session();
            if (session == null) {
                sink.accept(NO_SESSION);
            } else {
                handling.handle(context, session, sink);
            }
        }
    }
}
