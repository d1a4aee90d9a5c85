package io.weir.upstream.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Parts of a client, one for each event loop, so that a call never changes its thread. Thread-safe.
 *
 * @param <T> one loop's part, confined to it
 */
public final class PerLoop<T> {

    /** Calls of one loop that may wait for a connection to a node: more of them would not be answered in time. */
    public static final int MAX_QUEUE = 1_024;

    private final Map<EventLoop, T> parts = new HashMap<>();

    /**
     * Creates the parts.
     *
     * @param total is divided among the loops; each gets at least one
     */
    public PerLoop(EventLoopGroup loops, int total, Factory<T> factory) {
        int count = 0;
        for (EventExecutor ignored : loops) {
            count++;
        }
        int index = 0;
        for (EventExecutor executor : loops) {
            EventLoop loop = (EventLoop) executor;
            // The first loops get the remainder.
            int share = total / count + (index++ < total % count ? 1 : 0);
            parts.put(loop, factory.make(loop, Math.max(1, share)));
        }
    }

    /** Factory of one loop's part. */
    @FunctionalInterface
    public interface Factory<T> {
        /** Creates the part with its share of the total. */
        T make(EventLoop loop, int share);
    }

    /** Returns the part of a loop; called on it. */
    public T of(EventLoop loop) {
        T own = loop.inEventLoop() ? parts.get(loop) : null;
        if (own == null) {
            throw new IllegalStateException("loop: " + loop + " (expected: one of the client's, and called on it)");
        }
        return own;
    }

    /** Runs an action for each part on its loop, at once or soon. */
    public void forEach(Consumer<T> action) {
        parts.forEach((loop, part) -> {
            if (loop.inEventLoop()) {
                action.accept(part);
            } else if (!loop.isShutdown()) {
                loop.execute(() -> action.accept(part));
            }
        });
    }
}
