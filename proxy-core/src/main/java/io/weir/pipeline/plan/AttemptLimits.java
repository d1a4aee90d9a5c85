package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.limit.ShareBudget;
import io.weir.method.MethodFacts;
import io.weir.metrics.Meter;
import io.weir.pipeline.CallContext;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the attempts beyond the first ones of a network's calls, clients' and the proxy's own. They are budgets as shares of the
 * calls, and the times after which a slow attempt gets a second one beside it, or is given up. A call for which no node is left waits by
 * them. Thread-safe.
 */
public final class AttemptLimits {

    /** Retries in percent of calls: enough for a node of several that fails, and too few to bring down a node that is overloaded. */
    private static final int RETRY_PERCENT = 20;

    /** Retries that need no calls, so that a few calls outlast a failing node too. */
    static final int RETRY_RESERVE = 100;

    /** Retries that the reserve gets back each minute: it is whole again once a short outage is over. */
    private static final int RETRIES_PER_MINUTE = 600;

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

    /** The shortest wait, in nanoseconds. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The longest wait, unless all nodes ask for a longer pause: whoever waits wants to know soon that a node is back. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The most calls that wait at once. Each holds little; more mean that the nodes are out, and their clients had better hear so. */
    static final int MAX_WAITING = 1_000;

    private final UpstreamPool pool;
    private final LongSupplier clock;
    private final boolean hedges;

    private final ShareBudget retryBudget;
    private final ShareBudget hedgeBudget;
    private final long maxWaitNanos;
    private final DoubleSupplier random;
    private final AtomicInteger waiting = new AtomicInteger();

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
        this.retryBudget = new ShareBudget(RETRY_PERCENT, RETRY_RESERVE, RETRIES_PER_MINUTE, clock);
        this.hedgeBudget = new ShareBudget(config.hedgePercent(), 1, 0, clock);
        this.maxWaitNanos = TimeUnit.MILLISECONDS.toNanos(config.waitMillis());
        this.random = random;
    }

    /** Notes the first attempt of a call. */
    void called() {
        retryBudget.called();
        if (hedges) {
            hedgeBudget.called();
        }
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

    /**
     * Waits for the time of a call's second attempt; called on the loop.
     *
     * @param nanos the time until then
     * @param begin begins the second attempt
     */
    Hedge hedge(EventLoop loop, long nanos, Runnable begin) {
        HedgeQueue queue = queues.get();
        if (queue == null || !loop.equals(queue.loop)) {
            queue = new HedgeQueue(loop, clock);
            queues.set(queue);
        }
        return queue.add(nanos, begin);
    }

    /** Returns whether a call may wait for a node. */
    boolean waits() {
        return maxWaitNanos > 0;
    }

    /**
     * Returns the length of a wait: at random from the shortest to three times the wait before, so that calls that failed together
     * do not come back together (decorrelated jitter).
     *
     * @param beforeNanos the wait before; 0 if it is the first one
     */
    private long waitNanos(long beforeNanos) {
        long most = Math.min(LONGEST_WAIT_NANOS, 3 * Math.max(beforeNanos, SHORTEST_WAIT_NANOS));
        return SHORTEST_WAIT_NANOS + (long) (random.getAsDouble() * (most - SHORTEST_WAIT_NANOS));
    }

    /** Lets one more call wait; returns false if too many do. */
    boolean takeWait() {
        if (waiting.incrementAndGet() <= MAX_WAITING) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    /** Waits of one call for a node, between two rounds of attempts, or for the budget of retries. Confined to its event loop. */
    final class Waits {

        private final CallContext context;
        private final CallMeters meters;
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
        Waits(CallContext context, CallMeters meters, Runnable again, Runnable giveUp) {
            this.context = context;
            this.meters = meters;
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
            long nanos = begin(leastNanos, Math.min(leftNanos, maxWaitNanos - waitedNanos));
            waitedNanos += nanos;
            rounds += nanos > 0 ? 1 : 0;
            return nanos > 0;
        }

        /**
         * Begins a wait for the budget of retries, and returns whether it did. It ends no round, since nodes are left. Only the time
         * that the call has left bounds such waits, because the budget is filled again.
         */
        boolean beginForRetry(long leftNanos) {
            return waits() && begin(0, leftNanos) > 0;
        }

        /** Begins a wait, and returns its length; 0 if it does not begin. */
        private long begin(long leastNanos, long mostNanos) {
            long spare = mostNanos - leastNanos;
            if (spare <= SHORTEST_WAIT_NANOS) {
                return 0;
            }
            if (!takeWait()) {
                meters.of(Meter.NODE_WAITS_REFUSED).inc();
                return 0;
            }
            meters.of(Meter.NODE_WAITS).inc();
            backoffNanos = waitNanos(backoffNanos);
            long nanos = leastNanos + Math.min(backoffNanos, spare / 2);
            timer = context.loop().schedule(() -> context.step(this::over), nanos, TimeUnit.NANOSECONDS);
            if (!registered) {
                registered = true;
                context.whenClientLeaves(() -> context.step(this::clientLeft));
            }
            return nanos;
        }

        int rounds() {
            return rounds;
        }

        private void over() {
            timer = null;
            waiting.decrementAndGet();
            again.run();
        }

        private void clientLeft() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
                waiting.decrementAndGet();
                giveUp.run();
            }
        }
    }

    /** A call that waits for the time of its second attempt. Confined to its event loop. */
    static final class Hedge {

        private final long dueNanos;
        private @Nullable Runnable begin;

        private Hedge(long dueNanos, Runnable begin) {
            this.dueNanos = dueNanos;
            this.begin = begin;
        }

        /** Removes the call, which needs no second attempt. */
        void cancel() {
            begin = null;
        }
    }

    /**
     * Calls on one event loop that may get a second attempt if the first one is slow. All of them wait for about the same time, so a
     * queue and one timer are enough. Confined to its event loop.
     */
    private static final class HedgeQueue {

        private final EventLoop loop;
        private final LongSupplier clock;
        private final ArrayDeque<Hedge> entries = new ArrayDeque<>();
        private boolean scheduled;

        HedgeQueue(EventLoop loop, LongSupplier clock) {
            this.loop = loop;
            this.clock = clock;
        }

        Hedge add(long nanos, Runnable begin) {
            Hedge entry = new Hedge(clock.getAsLong() + nanos, begin);
            entries.add(entry);
            schedule();
            return entry;
        }

        private void schedule() {
            if (!scheduled && !entries.isEmpty()) {
                scheduled = true;
                long left = entries.element().dueNanos - clock.getAsLong();
                loop.schedule(this::run, Math.max(0, left), TimeUnit.NANOSECONDS);
            }
        }

        private void run() {
            scheduled = false;
            long now = clock.getAsLong();
            for (Hedge next = entries.peek(); next != null; next = entries.peek()) {
                Runnable begin = next.begin;
                if (begin != null && next.dueNanos - now > 0) {
                    break;
                }
                entries.remove();
                if (begin != null) {
                    begin.run();
                }
            }
            schedule();
        }
    }
}
