package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.subscription.chain.GapPatience;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.delivery.SubscriptionMeters.Fetch;
import io.weir.subscription.node.PendingFeed;
import io.weir.upstream.UpstreamPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of pending transactions, which all their subscriptions of a network share. Thread-safe. */
final class PendingSource implements EventSource {

    /** Hashes that are not told again. Each takes about 70 bytes, so together about 2 MB. */
    private static final int RECENT = 32_768;

    /** Time between two polls of a node without a WebSocket: what a client hardly notices, and a provider bills little for. */
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final PendingFeed feed;

    /**
     * @param kind whether hashes or whole transactions are told
     * @param loop the event loop of the feed
     * @param sink receives each event, in order
     */
    PendingSource(
            SubscriptionKind kind,
            UpstreamPool pool,
            EventLoop loop,
            SubscriptionMeters meters,
            Consumer<Delivered> sink) {
        this.loop = loop;
        PendingFeed.Setting setting = new PendingFeed.Setting(POLL_NANOS, GapPatience.MAX_NANOS, RECENT);
        boolean whole = kind == SubscriptionKind.WHOLE_PENDING;
        this.feed = new PendingFeed(whole, pool, loop, new LoopTimer(loop), setting, new PendingFeed.Listener() {
            @Override
            public void told(byte[] transaction) {
                sink.accept(new Delivered.Result(kind, transaction, transaction));
            }

            @Override
            public void lost(RpcError error) {
                sink.accept(new Delivered.Failure(kind, error));
            }

            @Override
            public void polled() {
                meters.fetched(Fetch.PENDING);
            }
        });
    }

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
