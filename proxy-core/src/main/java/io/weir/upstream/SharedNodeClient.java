package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.NodeSubscription;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Client of a node that several pools have at the same time, so that a pool that replaces another one keeps the connections. A node with
 * two addresses has another client for subscriptions. Both are closed with the last use. Thread-safe.
 */
public final class SharedNodeClient {

    private final NodeClient client;
    private final @Nullable NodeClient subscriptions;
    private final Runnable afterClose;
    private final AtomicInteger uses = new AtomicInteger();

    /**
     * Shares clients, which nobody uses yet.
     *
     * @param client for calls, and for subscriptions too if there is no other client for these
     * @param subscriptions null for none
     * @param afterClose runs once, on the thread that ends the last use
     */
    public SharedNodeClient(NodeClient client, @Nullable NodeClient subscriptions, Runnable afterClose) {
        this.client = client;
        this.subscriptions = subscriptions;
        this.afterClose = afterClose;
    }

    /** Returns the client for one more pool, which closes it; null if its last use has ended. */
    public @Nullable NodeClient use() {
        int now = uses.updateAndGet(count -> count < 0 ? count : count + 1);
        return now < 0 ? null : new Use();
    }

    public boolean isClosed() {
        return uses.get() < 0;
    }

    private void close() {
        try {
            client.close();
        } finally {
            if (subscriptions != null) {
                subscriptions.close();
            }
        }
    }

    /** The client as one pool has it. Thread-safe. */
    private final class Use implements NodeClient {

        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            client.ask(loop, call, deadlineNanos, attempt);
        }

        @Override
        public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            client.askAnew(loop, call, deadlineNanos, attempt);
        }

        @Override
        public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            client.probe(loop, call, deadlineNanos, attempt);
        }

        @Override
        public NodeClient carrier() {
            return client;
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
            return (subscriptions == null ? client : subscriptions).subscribe(loop, listener);
        }

        @Override
        public long connects() {
            return client.connects();
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)
                    && uses.updateAndGet(count -> count == 1 ? Integer.MIN_VALUE : count - 1) < 0) {
                try {
                    SharedNodeClient.this.close();
                } finally {
                    afterClose.run();
                }
            }
        }
    }
}
