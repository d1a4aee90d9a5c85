package io.weir.chain;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Highest head that counted, of whatever tier, and the pace at which the chain grew up to it. Immutable.
 *
 * @param top the highest head that counted; -1 if none did
 * @param topNanos when it first counted
 * @param restsOn the id of the node on whose word it counts; null if its block was shown
 * @param confirmed the highest head that two nodes reached, or that a node has shown; -1 if there is none. Nodes are compared with it
 *     alone, because a head that merely is within the tolerated lag must not make others lag
 */
public record KnownHead(long top, long topNanos, @Nullable String restsOn, long confirmed, Pace pace) {

    /** Nanoseconds between blocks until the chain has shown its own pace. */
    public static final long FIRST_BLOCK_NANOS = TimeUnit.SECONDS.toNanos(12);

    private static final long MIN_PACE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MIN_BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double MAX_BLOCK_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * Pace of a chain. Immutable.
     *
     * @param number the block from which on it is measured next
     * @param nanos when that block counted
     * @param blockNanos the expected time between blocks
     */
    public record Pace(long number, long nanos, double blockNanos) {

        private Pace from(long block, long now) {
            return new Pace(block, now, blockNanos);
        }

        private Pace measured(long block, long now) {
            if (now - nanos < MIN_PACE_NANOS) {
                return this;
            }
            double measured = (now - nanos) / Math.max(1.0, (double) block - number);
            double bounded = Math.min(MAX_BLOCK_NANOS, Math.max(MIN_BLOCK_NANOS, measured));
            return new Pace(block, now, (blockNanos + bounded) / 2);
        }
    }

    public static KnownHead none() {
        return new KnownHead(-1, 0, null, -1, new Pace(0, 0, FIRST_BLOCK_NANOS));
    }

    /**
     * Returns this after a head counted.
     *
     * @param witness the id of the node on whose word it counts; null if its block was shown
     */
    public KnownHead accepted(long head, @Nullable String witness, long now) {
        if (head < top || (head == top && witness != null)) {
            return this;
        }
        if (head == top) {
            return new KnownHead(top, topNanos, null, confirmed, pace);
        }
        return new KnownHead(head, now, witness, confirmed, top < 0 ? pace.from(head, now) : pace.measured(head, now));
    }

    /** Returns this after two nodes reached a head, or a node has shown it. */
    public KnownHead confirmed(long head) {
        return head <= confirmed ? this : new KnownHead(top, topNanos, restsOn, head, pace);
    }

    KnownHead sunk(long to, long now) {
        String rest = top > to ? null : restsOn;
        return new KnownHead(to, now, rest, Math.min(confirmed, to), pace.from(to, now));
    }
}
