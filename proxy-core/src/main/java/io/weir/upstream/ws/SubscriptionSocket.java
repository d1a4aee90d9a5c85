package io.weir.upstream.ws;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeSubscription;
import io.weir.upstream.wire.BodyCollector;

/** Socket for one subscription. It stays open without calls, and is not made again. Confined to its event loop. */
final class SubscriptionSocket implements NodeSubscription, LoopSocket.Notifications {

    private final LoopSocket socket;
    private final Listener listener;
    private boolean over;

    private SubscriptionSocket(LoopSocket socket, Listener listener) {
        this.socket = socket;
        this.listener = listener;
    }

    /** Returns an object without a socket. */
    static SubscriptionSocket of(EventLoop loop, LoopSocket.Shared shared, SocketLimits limits, Listener listener) {
        LoopSocket socket = new LoopSocket(loop, shared, limits, true);
        SubscriptionSocket subscription = new SubscriptionSocket(socket, listener);
        socket.listen(subscription);
        return subscription;
    }

    @Override
    public void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        socket.ask(call, deadlineNanos, sink);
    }

    @Override
    public void close() {
        over = true;
        socket.close();
    }

    @Override
    public void notified(BodyCollector message) {
        if (!over) {
            listener.notified(RawJson.slice(message.bytes(), 0, message.length()));
        }
    }

    @Override
    public void gone() {
        if (!over) {
            close();
            listener.ended();
        }
    }
}
