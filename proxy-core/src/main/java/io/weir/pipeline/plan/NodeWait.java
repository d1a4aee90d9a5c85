package io.weir.pipeline.plan;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.pipeline.CallContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits of one call for a node, between two rounds of attempts, or for the budget of retries. Most calls need none. Confined to the call's event loop. */
final class NodeWait {

    private final AttemptLimits limits;
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
     * @param again runs after each wait
     * @param giveUp runs instead if the client left meanwhile
     */
    NodeWait(AttemptLimits limits, CallMeters meters, CallContext context, Runnable again, Runnable giveUp) {
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
        long nanos = begin(leastNanos, Math.min(leftNanos, limits.maxWaitNanos() - waitedNanos));
        waitedNanos += nanos;
        rounds += nanos > 0 ? 1 : 0;
        return nanos > 0;
    }

    /**
     * Begins a wait for the budget of retries, and returns whether it did. It ends no round, since nodes are left. Only the time that
     * the call has left bounds such waits, because the budget is filled again.
     */
    boolean beginForRetry(long leftNanos) {
        return limits.maxWaitNanos() > 0 && begin(0, leftNanos) > 0;
    }

    /** Begins a wait, and returns its length; 0 if it does not begin. */
    private long begin(long leastNanos, long mostNanos) {
        long spare = mostNanos - leastNanos;
        if (spare <= AttemptLimits.SHORTEST_WAIT_NANOS) {
            return 0;
        }
        if (!limits.takeWait()) {
            meters.countWaitRefused();
            return 0;
        }
        meters.countWait();
        backoffNanos = limits.waitNanos(backoffNanos);
        long nanos = leastNanos + Math.min(backoffNanos, spare / 2);
        timer = context.loop().schedule(() -> context.step(this::over), nanos, TimeUnit.NANOSECONDS);
        if (!registered) {
            registered = true;
            context.whenClientLeaves(() -> context.step(this::clientLeft));
        }
        return nanos;
    }

    /** Returns the number of waits for a node so far. */
    int rounds() {
        return rounds;
    }

    private void over() {
        timer = null;
        limits.endWait();
        again.run();
    }

    private void clientLeft() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
            limits.endWait();
            giveUp.run();
        }
    }
}
