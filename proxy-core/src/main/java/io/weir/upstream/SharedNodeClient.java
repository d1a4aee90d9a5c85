package io.weir.upstream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Client of a node that several pools have at the same time, so that a pool that replaces another one keeps the connections. It is
 * closed with its last use. Thread-safe.
 */
public final class SharedNodeClient {

    private final NodeClient client;
    private final Runnable afterClose;
    private final AtomicInteger uses = new AtomicInteger();

    /**
     * Shares a client, which nobody uses yet.
     *
     * @param afterClose runs once, on the thread that ends the last use
     */
    public SharedNodeClient(NodeClient client, Runnable afterClose) {
        this.client = client;
        this.afterClose = afterClose;
    }

    /** Returns the client for one more pool, which closes it; null if its last use has ended. */
    public @Nullable NodeClient use() {
        int now = uses.updateAndGet(count -> count < 0 ? count : count + 1);
        return now < 0 ? null : new Use();
    }

    /** Returns whether it is closed. */
    public boolean isClosed() {
        return uses.get() < 0;
    }

    /** The client as one pool has it. Thread-safe. */
    private final class Use extends ForwardingNodeClient {

        private final AtomicBoolean closed = new AtomicBoolean();

        Use() {
            super(client);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)
                    && uses.updateAndGet(count -> count == 1 ? Integer.MIN_VALUE : count - 1) < 0) {
                try {
                    super.close();
                } finally {
                    afterClose.run();
                }
            }
        }
    }
}
