package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.metrics.RateLimitedLogger;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;
import org.slf4j.LoggerFactory;

/**
 * Deliveries of one event loop, which take effect in the order in which they come. A long one is cut into turns of the event loop,
 * so that its sockets are looked at between them. Confined to that event loop, except for {@link #submit}.
 */
final class DeliveryTurns {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(DeliveryTurns.class));

    /** Notifications that are written in one turn of the event loop. */
    private static final int PER_TURN = 512;

    private final EventLoop loop;
    private final IntSupplier sent;
    private final Queue<Delivery> waiting = new ArrayDeque<>();
    private boolean running;

    /** Delivery that can be cut. Confined to the event loop. */
    @FunctionalInterface
    interface Delivery {

        /** Does a part of it, of at most so many notifications. Returns whether it is done. */
        boolean run(int max);
    }

    /** @param sent the number of notifications so far, which may overflow */
    DeliveryTurns(EventLoop loop, IntSupplier sent) {
        this.loop = loop;
        this.sent = sent;
    }

    /** Runs a delivery behind all that were submitted before. Thread-safe. */
    void submit(Delivery delivery) {
        execute(() -> add(delivery));
    }

    private void execute(Runnable task) {
        if (!loop.isShuttingDown()) {
            loop.execute(task);
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
            int before = sent.getAsInt();
            if (isDone(waiting.element(), left)) {
                waiting.remove();
            }
            left -= Math.max(1, sent.getAsInt() - before);
        }
        running = !waiting.isEmpty();
        if (running) {
            execute(this::run);
        }
    }

    private static boolean isDone(Delivery delivery, int max) {
        try {
            return delivery.run(max);
        } catch (RuntimeException | Error e) {
            LOG.warn("subscriptions: an event was not delivered", e);
            return true;
        }
    }
}
