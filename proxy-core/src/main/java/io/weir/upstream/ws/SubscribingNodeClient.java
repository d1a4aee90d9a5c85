package io.weir.upstream.ws;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeSubscription;
import org.jspecify.annotations.Nullable;

/** Client for a node with two addresses: one for calls, and one for subscriptions. Thread-safe. */
public final class SubscribingNodeClient implements NodeClient {

    private final NodeClient calls;
    private final NodeClient subscriptions;

    /** Creates a client from two, which it closes. */
    public SubscribingNodeClient(NodeClient calls, NodeClient subscriptions) {
        this.calls = calls;
        this.subscriptions = subscriptions;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        calls.ask(loop, call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        calls.askAnew(loop, call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        calls.probe(loop, call, deadlineNanos, sink);
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return subscriptions.subscribe(loop, listener);
    }

    @Override
    public void reset(boolean failWaiting) {
        calls.reset(failWaiting);
    }

    @Override
    public long connects() {
        return calls.connects();
    }

    @Override
    public void close() {
        calls.close();
        subscriptions.close();
    }
}
