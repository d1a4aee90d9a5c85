package io.weir.transport.websocket;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.weir.access.KeyBounds;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A timer for the expiry of the key of an open WebSocket, whose client may send nothing any more. Confined to its event loop. */
final class ExpiryTimer {

    /** The longest time between two looks at the system's clock, which may be set. */
    private static final long MAX_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Runnable action;
    private @Nullable Future<?> timer;

    /** @param action runs once the key has expired */
    ExpiryTimer(Runnable action) {
        this.action = action;
    }

    /** Watches a key in place of the one before. Keys that cannot expire need no timer. */
    void watch(EventExecutor loop, KeyBounds bounds) {
        stop();
        if (bounds.expires()) {
            long millis = Math.min(bounds.millisLeft(), MAX_MILLIS);
            timer = loop.schedule(() -> check(loop, bounds), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void check(EventExecutor loop, KeyBounds bounds) {
        if (bounds.isExpired()) {
            action.run();
        } else {
            watch(loop, bounds);
        }
    }

    /** Watches nothing any more. */
    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
