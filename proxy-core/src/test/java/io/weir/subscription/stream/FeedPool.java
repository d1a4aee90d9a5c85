package io.weir.subscription.stream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A pool whose nodes with a WebSocket take subscriptions as the test says. Confined to one thread. */
public final class FeedPool extends FixedPool {

    private final Set<String> withSocket;
    /** The subscriptions, the oldest first. */
    public final List<Feed> feeds = new ArrayList<>();

    /** One subscription at a node. */
    public static final class Feed implements NodeFeed {

        final Upstream node;
        final RpcCall call;
        public final Listener listener;
        public boolean closed;

        Feed(Upstream node, RpcCall call, Listener listener) {
            this.node = node;
            this.call = call;
            this.listener = listener;
        }

        /** Sends a notification. */
        void tell(String result) {
            listener.notified(RawJson.of(result));
        }

        /** Breaks, or is refused without words. */
        void end(boolean refused) {
            listener.ended(new End(refused, null));
        }

        /** Is refused by an answer. */
        public void refuse(RpcReply.Failure failure) {
            listener.ended(new End(true, failure));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** @param withSocket the ids of the nodes with a WebSocket */
    public FeedPool(Set<String> withSocket, HandNode... nodes) {
        super(new FakeHead(1), nodes);
        this.withSocket = withSocket;
    }

    @Override
    public NodeFeed subscribe(Upstream upstream, EventLoop loop, RpcCall call, NodeFeed.Listener listener) {
        if (!withSocket.contains(upstream.id())) {
            return null;
        }
        Feed feed = new Feed(upstream, call, listener);
        feeds.add(feed);
        return feed;
    }

    /** The newest subscription. */
    public Feed newest() {
        return feeds.get(feeds.size() - 1);
    }
}
