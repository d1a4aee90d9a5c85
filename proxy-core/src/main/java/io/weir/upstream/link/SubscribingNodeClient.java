package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.weir.upstream.ForwardingNodeClient;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeSubscription;
import org.jspecify.annotations.Nullable;

/** Client for a node with two addresses: one for calls, and one for subscriptions. Thread-safe. */
public final class SubscribingNodeClient extends ForwardingNodeClient {

    private final NodeClient subscriptions;

    /** Creates a client from two, which it closes. */
    public SubscribingNodeClient(NodeClient calls, NodeClient subscriptions) {
        super(calls);
        this.subscriptions = subscriptions;
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return subscriptions.subscribe(loop, listener);
    }

    @Override
    public void close() {
        super.close();
        subscriptions.close();
    }
}
