package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.metrics.RateLimitedLogger;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Deliveries of one event loop, which take effect in the order in which they come. A long one is cut into turns of the event loop,
 * so that its sockets are looked at between them. Confined to that event loop, except for {@link #submit}.
 */
final class DeliveryTurns {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(DeliveryTurns.class));

    /** Work of one notification, in comparisons of a log with criteria. */
    static final int NOTIFICATION = 16;

    /** Work that is done in one turn of the event loop. */
    private static final int PER_TURN = 512 * NOTIFICATION;

    private final EventLoop loop;
    private final Queue<Delivery> waiting = new ArrayDeque<>();
    private boolean running;

    /** Delivery that can be cut. Confined to the event loop. */
    @FunctionalInterface
    interface Delivery {

        /** Does a part of it, of at most about so much work. Returns how much is left of that; -1 if there is more to do. */
        int run(int max);
    }

    DeliveryTurns(EventLoop loop) {
        this.loop = loop;
    }

    /** Runs a delivery behind all that were submitted before. Thread-safe. */
    void submit(Delivery delivery) {
        if (!loop.isShuttingDown()) {
            loop.execute(() -> add(delivery));
        }
    }

    private void add(Delivery delivery) {
        waiting.add(delivery);
        if (!running) {
            run();
        }
    }

    private void run() {
        running = true;
        int left = PER_TURN;
        while (!waiting.isEmpty() && left > 0) {
            int rest = rest(waiting.element(), left);
            if (rest >= 0) {
                waiting.remove();
            }
            left = Math.min(left - NOTIFICATION, rest);
        }
        running = !waiting.isEmpty();
        if (running && !loop.isShuttingDown()) {
            // Scheduled instead of executed, because a loop runs all executed tasks before it looks at its sockets.
            loop.schedule(this::run, 0, TimeUnit.NANOSECONDS);
        }
    }

    private static int rest(Delivery delivery, int max) {
        try {
            return delivery.run(max);
        } catch (RuntimeException | Error e) {
            LOG.warn("subscriptions: an event was not delivered", e);
            return max;
        }
    }
}
