package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follower of the head for the stream. While it is on, it wants the head as clients' calls do, so that nodes are polled or announce
 * their blocks. Confined to the event loop of the stream, except for methods marked as thread-safe.
 */
final class ChainFollower {

    /** Time between two looks at the head, if nothing tells of a new one before. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final EventLoop loop;
    private final HeadTracker tracker;
    private final Heads source;
    private volatile @Nullable Consumer<BlockLink> sink;
    private boolean looking;
    private boolean again;
    private int generation;

    /** What names the head of a network's chain with its hash. Confined to the event loop of the stream. */
    interface Heads {

        /**
         * Finds the head now.
         *
         * @param found receives it once, on the event loop; null if no node named it in time
         */
        void find(long deadlineNanos, Consumer<@Nullable BlockLink> found);

        /** Forgets what it knows, because nobody follows the head any more. */
        void forget();
    }

    ChainFollower(EventLoop loop, HeadTracker tracker, Heads source) {
        this.loop = loop;
        this.tracker = tracker;
        this.source = source;
    }

    /** Begins to hear of heads, of which nothing is told before the first {@link #follow}. Called once. */
    void start() {
        tracker.listen(new HeadListener() {
            @Override
            public void rose(long number) {
                lookSoon(0);
            }

            @Override
            public void wentBack(long from, long to) {
                lookSoon(0);
            }
        });
    }

    /** Begins to follow the head. The sink receives it whenever it may have changed, on the event loop. */
    void follow(Consumer<BlockLink> heads) {
        sink = heads;
        generation++;
        tick(generation);
    }

    /** Follows the head no more. */
    void stop() {
        sink = null;
        generation++;
        source.forget();
    }

    /** Returns whether it follows the head. Thread-safe. */
    boolean isOn() {
        return sink != null;
    }

    /** As {@link Heads#find}. */
    void find(long deadlineNanos, Consumer<@Nullable BlockLink> found) {
        source.find(deadlineNanos, found);
    }

    private void tick(int begun) {
        if (begun == generation) {
            look();
            loop.schedule(() -> tick(begun), TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Looks at the head after a time, if it is followed. Thread-safe. */
    void lookSoon(long nanos) {
        if (sink == null || loop.isShuttingDown()) {
            return;
        }
        if (nanos == 0) {
            loop.execute(this::look);
        } else {
            loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        if (sink == null) {
            return;
        }
        if (looking) {
            again = true;
            return;
        }
        looking = true;
        again = false;
        source.find(System.nanoTime() + CHECK_NANOS, found -> {
            looking = false;
            Consumer<BlockLink> heads = sink;
            if (heads != null && found != null) {
                heads.accept(found);
            }
            if (again) {
                look();
            }
        });
    }
}
