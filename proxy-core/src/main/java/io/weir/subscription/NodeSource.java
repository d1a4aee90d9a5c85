package io.weir.subscription;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.stream.FailoverFeed;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.GapPatience;
import io.weir.subscription.stream.StreamTimer;
import io.weir.upstream.UpstreamPool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sources of what only nodes can tell. Pending transactions have one feed for all their members. Each subscription of a kind that the
 * proxy does not know has a feed of its own, on the event loop of its client. Thread-safe.
 */
final class NodeSource {

    private NodeSource() {}

    /**
     * Returns the source of pending transactions.
     *
     * @param kind whether hashes or whole transactions are told
     * @param loop the event loop of the feed
     * @param sink receives each event, in order
     */
    static EventSource pending(
            SubscriptionKind kind,
            UpstreamPool pool,
            EventLoop loop,
            SubscriptionMeters meters,
            Consumer<Delivered> sink) {
        Topic topic = Topic.pending(kind == SubscriptionKind.WHOLE_PENDING);
        return new Shared(loop, feed(topic, pool, loop, new Results(kind, null, meters, sink)));
    }

    private static FailoverFeed feed(Topic topic, UpstreamPool pool, EventLoop loop, Results listener) {
        return new FailoverFeed(topic, pool, loop, StreamTimer.of(loop), GapPatience.MAX_NANOS, listener);
    }

    /**
     * User of one feed. Immutable.
     *
     * @param member for which alone the results are; null if they are for all members of the kind
     */
    private record Results(
            SubscriptionKind kind, @Nullable StreamMember member, SubscriptionMeters meters, Consumer<Delivered> sink)
            implements FailoverFeed.Listener {

        @Override
        public void told(byte[] result) {
            tell(new Delivered.Result(kind, result, result));
        }

        @Override
        public void reorganised(byte[] result) {
            tell(new Delivered.Reorganisation(result, false));
        }

        @Override
        public void lost(RpcError error) {
            tell(new Delivered.Failure(kind, error));
        }

        @Override
        public void polled() {
            meters.fetched(Fetch.PENDING);
        }

        private void tell(Delivered event) {
            sink.accept(member == null ? event : new Delivered.ToOne(member, event));
        }
    }

    /** Source whose members share a feed. Thread-safe. */
    private record Shared(EventLoop loop, FailoverFeed feed) implements EventSource {

        @Override
        public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
            loop.execute(() -> feed.join(deadlineNanos, joined));
        }

        @Override
        public void leave(StreamMember member) {
            if (!loop.isShuttingDown()) {
                loop.execute(feed::leave);
            }
        }
    }

    /**
     * Source of subscriptions to kinds that the proxy does not know. Each member has a feed. Thread-safe; its methods are called on the
     * event loop of the member.
     */
    static final class Passed implements EventSource {

        /** The usual bound of the members. Each has a connection to a node, of which providers allow some hundreds. */
        static final int MAX = 256;

        private final UpstreamPool pool;
        private final Budget slots;
        private final SubscriptionMeters meters;
        private final Consumer<Delivered> sink;
        private final Map<StreamMember, FailoverFeed> feeds = new ConcurrentHashMap<>();

        /**
         * @param max the most members at once
         * @param sink receives each event, in order for each member
         */
        Passed(UpstreamPool pool, int max, SubscriptionMeters meters, Consumer<Delivered> sink) {
            this.pool = pool;
            this.slots = new Budget(max);
            this.meters = meters;
            this.sink = sink;
        }

        /** Adds a member, whose holding gives back its slot. */
        @Override
        public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
            if (!member.holding().tryTake(slots, 1)) {
                meters.refused();
                joined.accept(RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                        "too many subscriptions of kinds that are passed to an upstream are open "
                                + member.holding().refused(slots, 1))));
                return;
            }
            Results results = new Results(member.kind(), member, meters, sink);
            FailoverFeed feed = feed(requireNonNull(member.passed()), pool, requireNonNull(member.loop()), results);
            feeds.put(member, feed);
            feed.join(deadlineNanos, failure -> {
                if (failure != null) {
                    feeds.remove(member);
                }
                joined.accept(failure);
            });
        }

        @Override
        public void leave(StreamMember member) {
            FailoverFeed feed = feeds.remove(member);
            if (feed != null) {
                feed.leave();
            }
        }
    }
}
