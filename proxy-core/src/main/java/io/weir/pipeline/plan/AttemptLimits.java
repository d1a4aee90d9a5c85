package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.limit.ShareBudget;
import io.weir.method.MethodFacts;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.latency.LatencyClass;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Limits of the attempts beyond the first ones of a network's calls, clients' and the proxy's own. They are budgets as shares of the
 * calls, and the times after which a slow attempt gets a second one beside it, or is given up. Thread-safe.
 */
public final class AttemptLimits {

    /** Retries in percent of calls: enough for a node of several that fails, and too few to bring down a node that is overloaded. */
    private static final int RETRY_PERCENT = 20;

    /** Retries that need no calls, so that a few calls outlast a failing node too. */
    static final int RETRY_RESERVE = 100;

    /** Retries that the reserve gets back each second: it is whole again once a short outage is over. */
    private static final int RETRIES_PER_SECOND = 10;

    /** A second attempt begins at the earliest after this time: to save less is not worth a call. */
    private static final long HEDGE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** An attempt ends after this many times the usual time while another node is left. Single honest calls take that much longer. */
    private static final int ATTEMPT_FACTOR = 20;

    /** But a lookup not before this time, which pauses of a node, such as for its garbage, do not reach. */
    private static final long ATTEMPT_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Slower classes of calls get no second attempt: they cost too much, and the queue of waiting calls would be long. */
    private static final long MAX_HEDGE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Shortest times of an attempt after which a lookup is given up while nothing was measured: it gets a second one after the first. */
    private static final int UNMEASURED = 2;

    /** Calls that usually take longer have no bound but their deadline. */
    private static final long MAX_USUAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int MAX_DOUBLINGS = 10;

    private final UpstreamPool pool;
    private final LongSupplier clock;
    private final boolean hedges;

    private final ShareBudget retryBudget;
    private final ShareBudget hedgeBudget;
    private final WaitLimits waits;

    @SuppressWarnings("ThreadLocalUsage") // Belongs to these limits alone.
    private final FastThreadLocal<HedgeQueue> queues = new FastThreadLocal<>();

    /**
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param random returns numbers from 0 to 1, exclusive; thread-safe
     */
    AttemptLimits(UpstreamPool pool, BalanceConfig config, LongSupplier clock, DoubleSupplier random) {
        this.pool = pool;
        this.clock = clock;
        this.hedges = config.hedgePercent() > 0 && pool.size() > 1;
        this.retryBudget = new ShareBudget(RETRY_PERCENT, RETRY_RESERVE, RETRIES_PER_SECOND, clock);
        this.hedgeBudget = new ShareBudget(config.hedgePercent(), 1, 0, clock);
        this.waits = new WaitLimits(config.waitMillis(), random);
    }

    /** Notes the first attempt of a call. */
    void called() {
        retryBudget.called();
        if (hedges) {
            hedgeBudget.called();
        }
    }

    /** Returns the limits of calls that wait for a node. */
    WaitLimits waits() {
        return waits;
    }

    /** Returns whether calls may get a second attempt beside a slow one. */
    boolean hedges() {
        return hedges;
    }

    boolean takeRetry() {
        return retryBudget.take();
    }

    boolean takeHedge() {
        return hedgeBudget.take();
    }

    /** Returns the nanoseconds after which a slow attempt gets a second one; {@link Long#MAX_VALUE} if it gets none. */
    long hedgeAfterNanos(MethodFacts facts) {
        if (!hedges || !facts.repeatable()) {
            return Long.MAX_VALUE;
        }
        LatencyClass latencyClass = LatencyClass.of(facts);
        if (latencyClass != LatencyClass.LOOKUP && latencyClass != LatencyClass.EXECUTION) {
            return Long.MAX_VALUE;
        }
        long usual = isUnmeasured(latencyClass) ? ATTEMPT_MIN_NANOS : pool.usualNanos(latencyClass);
        return usual > MAX_HEDGE_NANOS ? Long.MAX_VALUE : Math.max(usual, HEDGE_AFTER_NANOS);
    }

    /**
     * Returns the longest time of one attempt while other nodes are left; {@link Long#MAX_VALUE} without a bound.
     *
     * @param rounds how often the call has waited, each of which doubles the time
     */
    long attemptNanos(MethodFacts facts, int rounds) {
        LatencyClass latencyClass = LatencyClass.of(facts);
        long usual = pool.usualNanos(latencyClass);
        if (rounds <= MAX_DOUBLINGS && isUnmeasured(latencyClass)) {
            return (UNMEASURED * ATTEMPT_MIN_NANOS) << rounds;
        }
        if (usual > MAX_USUAL_NANOS || rounds > MAX_DOUBLINGS) {
            return Long.MAX_VALUE;
        }
        return Math.max(ATTEMPT_FACTOR * usual, ATTEMPT_MIN_NANOS * latencyClass.patience()) << rounds;
    }

    /** Returns whether it is a lookup, and none was measured yet: a node that hangs from the start would delay the first ones. */
    private boolean isUnmeasured(LatencyClass of) {
        return of == LatencyClass.LOOKUP && pool.usualNanos(of) == Long.MAX_VALUE;
    }

    /** Returns the queue of a loop; called on it. */
    HedgeQueue queue(EventLoop loop) {
        HedgeQueue queue = queues.get();
        if (queue == null || !queue.isOf(loop)) {
            queue = new HedgeQueue(loop, clock);
            queues.set(queue);
        }
        return queue;
    }
}
