package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.subscription.chain.GapPatience;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.node.PassedCall;
import io.weir.subscription.node.PassedFeed;
import io.weir.upstream.UpstreamPool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Source of the subscriptions of kinds that the proxy does not know. Each has a connection of its own to one node, on the event
 * loop of its client. Thread-safe; methods are called on that event loop.
 */
final class PassedSource {

    private static final RpcError LOST =
            ErrorCode.INTERNAL_ERROR.error("the upstream that served the subscription ended it: subscribe again");

    /** Each has a connection to a node, of which providers allow some hundreds. */
    private static final int MAX = 256;

    private final UpstreamPool pool;
    private final Budget slots;
    private final SubscriptionMeters meters;
    private final Map<Subscription, PassedFeed> feeds = new ConcurrentHashMap<>();

    PassedSource(UpstreamPool pool, SubscriptionMeters meters) {
        this(pool, MAX, meters);
    }

    /** @param max the most subscriptions at once */
    PassedSource(UpstreamPool pool, int max, SubscriptionMeters meters) {
        this.pool = pool;
        this.slots = new Budget(max);
        this.meters = meters;
    }

    /**
     * Adds a subscription. Its holding gives back its slot.
     *
     * @param own the subscriptions of its event loop
     * @param call that a node gets
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param joined receives null once a node serves the subscription; else why none does, and the subscription was not added
     */
    void join(
            Subscription subscription,
            LoopSubscriptions own,
            PassedCall call,
            long deadlineNanos,
            Consumer<RpcReply.@Nullable Failure> joined) {
        if (!subscription.holding().tryTake(slots, 1)) {
            meters.refused();
            joined.accept(RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                    "too many subscriptions of kinds that are passed to an upstream are open "
                            + subscription.holding().refused(slots, 1))));
            return;
        }
        EventLoop loop = subscription.session().loop();
        Relay relay = new Relay(subscription, own, joined);
        PassedFeed feed = new PassedFeed(pool, loop, new LoopTimer(loop), call, GapPatience.MAX_NANOS, relay);
        feeds.put(subscription, feed);
        feed.open(deadlineNanos);
    }

    /** Removes a subscription that was added. */
    void leave(Subscription subscription) {
        PassedFeed feed = feeds.remove(subscription);
        if (feed != null) {
            feed.close();
        }
    }

    /** Delivery of one subscription. Confined to the event loop of its connection. */
    private final class Relay implements PassedFeed.Listener {

        private final Subscription subscription;
        private final LoopSubscriptions own;
        private final Consumer<RpcReply.@Nullable Failure> joined;

        Relay(Subscription subscription, LoopSubscriptions own, Consumer<RpcReply.@Nullable Failure> joined) {
            this.subscription = subscription;
            this.own = own;
            this.joined = joined;
        }

        @Override
        public void began() {
            joined.accept(null);
        }

        @Override
        public void refused(RpcReply.Failure failure) {
            leave(subscription);
            joined.accept(failure);
        }

        @Override
        public void notified(byte[] result) {
            own.submit(() -> own.send(subscription, result));
        }

        @Override
        public void reorganised(byte[] result) {
            own.submit(() -> own.reorganised(subscription, result));
        }

        @Override
        public void ended() {
            own.submit(() -> own.fail(subscription, LOST));
        }
    }
}
