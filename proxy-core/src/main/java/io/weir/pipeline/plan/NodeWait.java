package io.weir.pipeline.plan;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.pipeline.CallContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits of one call for a node, between two rounds of attempts, or for the budget of retries. Most calls need none. Confined to the call's event loop. */
final class NodeWait {

    private final WaitLimits limits;
    private final CallMeters meters;
    private final CallContext context;
    private final Runnable again;
    private final Runnable giveUp;
    private @Nullable ScheduledFuture<?> timer;
    private boolean registered;
    private long backoffNanos;
    private long waitedNanos;
    private int rounds;

    /**
     * Creates an object for one call.
     *
     * @param again runs after each wait
     * @param giveUp runs instead if the client left meanwhile
     */
    NodeWait(WaitLimits limits, CallMeters meters, CallContext context, Runnable again, Runnable giveUp) {
        this.limits = limits;
        this.meters = meters;
        this.context = context;
        this.again = again;
        this.giveUp = giveUp;
    }

    /**
     * Begins a wait for a node, and returns whether it did. The call waits longer than asked for, by a random time.
     *
     * @param leastNanos how long no node can be asked; 0 if it is not known
     * @param leftNanos the time that the call has left
     */
    boolean beginForNode(long leastNanos, long leftNanos) {
        boolean begins = begin(leastNanos, leftNanos);
        rounds += begins ? 1 : 0;
        return begins;
    }

    /**
     * Begins a wait for the budget of retries, and returns whether it did. It ends no round, since nodes are left.
     *
     * @param leftNanos the time that the call has left
     */
    boolean beginForRetry(long leftNanos) {
        return begin(0, leftNanos);
    }

    private boolean begin(long leastNanos, long leftNanos) {
        long spare = Math.min(leftNanos, limits.maxNanos() - waitedNanos) - leastNanos;
        if (spare <= limits.backoffMinNanos()) {
            return false;
        }
        if (!limits.take()) {
            meters.countWaitRefused();
            return false;
        }
        meters.countWait();
        backoffNanos = limits.backoffNanos(backoffNanos);
        long nanos = leastNanos + Math.min(backoffNanos, spare / 2);
        waitedNanos += nanos;
        timer = context.loop().schedule(() -> context.step(this::over), nanos, TimeUnit.NANOSECONDS);
        if (!registered) {
            registered = true;
            context.whenClientLeaves(() -> context.step(this::clientLeft));
        }
        return true;
    }

    /** Returns the number of waits for a node so far. */
    int rounds() {
        return rounds;
    }

    private void over() {
        timer = null;
        limits.release();
        again.run();
    }

    private void clientLeft() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
            limits.release();
            giveUp.run();
        }
    }
}
