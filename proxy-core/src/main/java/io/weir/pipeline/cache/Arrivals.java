package io.weir.pipeline.cache;

import io.weir.pipeline.CallContext;
import io.weir.upstream.LoopWaiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of one network that no node has answered, and the lookups by a transaction's hash that wait for them. Nobody knows which
 * transactions a block has before it arrives, so a lookup may wait in vain. Waits must pay: each that finds its transaction earns
 * credit for {@link #REWARD} in vain. Without credit one lookup in as many tries. Thread-safe.
 */
final class Arrivals {

    static final int REWARD = 16;

    /** The wait for blocks that are being fetched, if fetches are fast. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The time for a fetch to begin, if none is under way: on connections of their own, lookups overtake the call for their block. */
    private static final long OVERTAKEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The longest of both waits, if fetches are slow. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The credit that it costs to wait for a fetch that does not begin. */
    private static final int OVERTAKEN_COST = 4;

    private static final int MAX_CREDIT = 4 * REWARD;
    private static final int MAX_WAITING = 4_000;

    private final LongSupplier clock;

    /** The fetches in the order of their numbers. */
    private final Map<Fetch, Begin> asked = new LinkedHashMap<>();

    private final List<Lookup> lookups = new ArrayList<>();
    private long lastNumber;
    private int credit = REWARD;
    private int withoutCredit;
    /** The time of the slowest fetch of late: each later one takes an eighth off it. */
    private long slowestNanos;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    Arrivals(LongSupplier clock) {
        this.clock = clock;
    }

    private record Begin(long number, long nanos) {}

    /** Notes a fetch that begins. */
    synchronized void opened(Fetch fetch) {
        asked.put(fetch, new Begin(++lastNumber, clock.getAsLong()));
    }

    /** Returns whether a lookup should wait. While no block is being fetched, it should only if waits have paid lately. */
    synchronized boolean isAwaited() {
        if (lookups.size() >= MAX_WAITING) {
            return false;
        }
        return asked.isEmpty() ? credit > REWARD : credit > 0 || ++withoutCredit % REWARD == 0;
    }

    /**
     * Lets a lookup wait until a block with its transaction has arrived, or all blocks that are being fetched now; called on its loop. The
     * wait has a bound, which is longer while fetches take long: on a busy machine, or with a slow node.
     *
     * @param ended runs once, on the loop
     */
    void await(String transaction, CallContext context, Runnable ended) {
        Lookup lookup;
        long most;
        synchronized (this) {
            lookup = new Lookup(transaction, context, ended);
            lookups.add(lookup);
            most = lookup.begun ? Math.max(WAIT_NANOS, 2 * slowestNanos) : Math.max(OVERTAKEN_NANOS, slowestNanos);
        }
        long left = context.deadlineNanos() - System.nanoTime();
        lookup.waiter.giveUpAfter(Math.min(left / 2, Math.min(most, MAX_NANOS)), false);
    }

    /**
     * Notes that a fetch was answered or has ended, and ends the waits for it.
     *
     * @param transactions of its block; null if it ended without an answer, which says nothing about the time of a fetch
     */
    void answered(Fetch fetch, @Nullable Collection<String> transactions) {
        List<LoopWaiter<Boolean>> ending = new ArrayList<>();
        synchronized (this) {
            Begin begin = asked.remove(fetch);
            if (begin != null && transactions != null) {
                slowestNanos = Math.max(clock.getAsLong() - begin.nanos, slowestNanos - slowestNanos / 8);
            }
            if (begin == null || lookups.isEmpty()) {
                return;
            }
            Set<String> arrived = transactions == null ? Set.of() : new HashSet<>(transactions);
            long first =
                    asked.isEmpty() ? Long.MAX_VALUE : asked.values().iterator().next().number;
            lookups.removeIf(lookup -> {
                boolean found = arrived.contains(lookup.transaction);
                boolean over = found || lookup.last < first;
                if (over) {
                    credit = found ? Math.min(MAX_CREDIT, credit + REWARD) : Math.max(0, credit - 1);
                    ending.add(lookup.waiter);
                }
                return over;
            });
        }
        ending.forEach(waiter -> waiter.end(true));
    }

    /** A lookup that waits. Confined to its event loop, except for what is final. */
    private final class Lookup implements Consumer<Boolean> {

        private final String transaction;
        private final CallContext context;
        private final Runnable ended;
        /** Whether a fetch was under way. */
        private final boolean begun = !asked.isEmpty();
        /** The number of the newest fetch that it waits for. */
        private final long last = begun ? lastNumber : lastNumber + 1;

        private final LoopWaiter<Boolean> waiter;

        Lookup(String transaction, CallContext context, Runnable ended) {
            this.transaction = transaction;
            this.context = context;
            this.ended = ended;
            this.waiter = new LoopWaiter<>(context.loop(), this);
        }

        @Override
        public void accept(Boolean arrived) {
            context.step(arrived ? ended : this::late);
        }

        private void late() {
            boolean again;
            synchronized (Arrivals.this) {
                lookups.remove(this);
                again = !begun && !asked.isEmpty() && lookups.size() < MAX_WAITING;
                credit = again ? credit : Math.max(0, credit - (begun ? 1 : OVERTAKEN_COST));
            }
            if (again) {
                await(transaction, context, ended);
            } else {
                ended.run();
            }
        }
    }
}
