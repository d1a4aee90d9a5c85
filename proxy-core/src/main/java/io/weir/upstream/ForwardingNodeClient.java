package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import org.jspecify.annotations.Nullable;

/** Client that passes everything on to another one, apart from what a subclass does itself, which is not about calls. Thread-safe. */
public abstract class ForwardingNodeClient implements NodeClient {

    private final NodeClient client;

    /** Wraps a client, which is closed with this one. */
    protected ForwardingNodeClient(NodeClient client) {
        this.client = client;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        client.ask(loop, call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        client.askAnew(loop, call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        client.probe(loop, call, deadlineNanos, sink);
    }

    @Override
    public NodeClient carrier() {
        return client.carrier();
    }

    @Override
    public void reset(boolean failWaiting) {
        client.reset(failWaiting);
    }

    @Override
    public void leave(EventLoop loop, Runnable lost) {
        client.leave(loop, lost);
    }

    @Override
    public @Nullable NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
        return client.subscribe(loop, listener);
    }

    @Override
    public long connects() {
        return client.connects();
    }

    @Override
    public void close() {
        client.close();
    }
}
