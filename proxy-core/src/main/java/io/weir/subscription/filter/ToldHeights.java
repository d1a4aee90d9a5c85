package io.weir.subscription.filter;

import io.netty.channel.EventLoop;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.SubscriptionKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Heights up to which the stream told its blocks and logs. A poll waits for the known head, so that it tells of a block that the same
 * client has just seen in another answer. Some clients, such as ethers, poll once after each block, and not again until the next. If
 * a height was not told in time, later polls do not wait until the stream goes on. Thread-safe.
 */
final class ToldHeights {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Map<SubscriptionKind, Height> heights = new EnumMap<>(SubscriptionKind.class);

    /** The height of one kind. Thread-safe. */
    private static final class Height {

        private volatile long number = -1;
        /** Highest number for which a call waited in vain since the stream went on. */
        private volatile long givenUp = -1;

        private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    }

    /** Call that waits for a height. Its action runs on the loop, by the thread that removes the call. Immutable. */
    private record Waiter(long number, EventLoop loop, Runnable action) {}

    ToldHeights() {
        heights.put(SubscriptionKind.NEW_HEADS, new Height());
        heights.put(SubscriptionKind.LOGS, new Height());
    }

    /** Handles that the stream reached a height, or fell back to it. */
    void reached(Delivered.Height event) {
        Height height = heights.get(event.kind());
        if (height == null) {
            return;
        }
        if (height.number != event.number()) {
            height.number = event.number();
            height.givenUp = -1;
        }
        height.waiters.forEach(waiter -> {
            boolean over = event.number() >= waiter.number && height.waiters.remove(waiter);
            if (over && !waiter.loop.isShuttingDown()) {
                waiter.loop.execute(waiter.action);
            }
        });
    }

    /**
     * Runs an action once everything of a kind was told up to a height, or after some time.
     *
     * @param loop runs the action; called on it
     */
    void await(SubscriptionKind kind, long number, EventLoop loop, Runnable action) {
        @Nullable Height height = heights.get(kind);
        if (height == null || height.number >= number || height.givenUp >= number) {
            action.run();
            return;
        }
        Waiter waiter = new Waiter(number, loop, action);
        height.waiters.add(waiter);
        loop.schedule(
                () -> {
                    if (height.waiters.remove(waiter)) {
                        height.givenUp = number;
                        action.run();
                    }
                },
                WAIT_NANOS,
                TimeUnit.NANOSECONDS);
        if (height.number >= number && height.waiters.remove(waiter)) {
            action.run();
        }
    }
}
