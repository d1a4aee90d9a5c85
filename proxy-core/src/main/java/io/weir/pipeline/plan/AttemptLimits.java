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
 * Limits of the attempts beyond the first ones of a network's calls, clients' and the proxy's own: budgets as shares of the calls, and
 * the times after which a slow attempt gets a second one beside it, or is given up. Thread-safe.
 */
public final class AttemptLimits {

    /** Seconds in which the reserve of retries is filled again. */
    private static final int RESERVE_SECONDS = 10;

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
    private final long hedgeAfterNanos;
    private final long attemptFactor;
    private final long attemptMinNanos;
    private final boolean refillsRetries;
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
        this.hedgeAfterNanos = TimeUnit.MILLISECONDS.toNanos(config.hedgeAfterMillis());
        this.attemptFactor = config.attemptFactor();
        this.attemptMinNanos = TimeUnit.MILLISECONDS.toNanos(config.attemptMinMillis());
        this.refillsRetries = config.retryPercent() > 0;
        int reserve = config.retryPercent() == 0 ? 0 : config.retryReserve();
        int perSecond = (reserve + RESERVE_SECONDS - 1) / RESERVE_SECONDS;
        this.retryBudget = new ShareBudget(config.retryPercent(), reserve, perSecond, clock);
        this.hedgeBudget = new ShareBudget(config.hedgePercent(), 1, 0, clock);
        this.waits = new WaitLimits(config.waits(), random);
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

    /** Returns whether the budget of retries is filled again. */
    boolean refillsRetries() {
        return refillsRetries;
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
        long usual = isUnmeasured(latencyClass) ? attemptMinNanos : pool.usualNanos(latencyClass);
        return usual > MAX_HEDGE_NANOS ? Long.MAX_VALUE : Math.max(usual, hedgeAfterNanos);
    }

    /**
     * Returns the longest time of one attempt while other nodes are left; {@link Long#MAX_VALUE} without a bound.
     *
     * @param rounds how often the call has waited, each of which doubles the time
     */
    long attemptNanos(MethodFacts facts, int rounds) {
        LatencyClass latencyClass = LatencyClass.of(facts);
        long usual = attemptFactor == 0 ? Long.MAX_VALUE : pool.usualNanos(latencyClass);
        if (attemptFactor > 0 && rounds <= MAX_DOUBLINGS && isUnmeasured(latencyClass)) {
            return (UNMEASURED * attemptMinNanos) << rounds;
        }
        if (usual > MAX_USUAL_NANOS || rounds > MAX_DOUBLINGS) {
            return Long.MAX_VALUE;
        }
        long least = Math.max(attemptMinNanos * latencyClass.patience(), hedgeAfterNanos);
        return Math.max(attemptFactor * usual, least) << rounds;
    }

    /** Returns whether it is a lookup, and none was measured yet: a node that hangs from the start would delay the first ones. */
    private boolean isUnmeasured(LatencyClass of) {
        return of == LatencyClass.LOOKUP && attemptMinNanos > 0 && pool.usualNanos(of) == Long.MAX_VALUE;
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
