package io.weir.upstream.budget;

import com.codahale.metrics.Counter;
import io.weir.config.BudgetConfig;
import io.weir.limit.SecondBudget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Budget of one node in the units in which its provider bills: within any second, and on each UTC day. Calls of clients keep to the
 * bounds. Probes and subscriptions may exceed that of the second a little, so that calls do not keep them from a busy node; later
 * calls wait for that. Thread-safe.
 */
public final class NodeBudget implements AutoCloseable {

    /** Percent of the bound on a second by which probes and subscriptions may exceed it. */
    private static final int OVER_PERCENT = 5;

    private final BudgetConfig config;
    private final SecondBudget second;
    private final DayUnits day;
    private final long perSecond;
    private final long perDay;
    private final LongSupplier clock;
    private final Counter units;
    private final Counter overflow;
    private final @Nullable Runnable gauge;
    /** Method of the call that was refused last. */
    private volatile @Nullable String refused;

    /**
     * Returns the budget of a node; null without a bound.
     *
     * @param ledger has the units that were used today and in this second
     */
    public static @Nullable NodeBudget of(
            String network,
            String upstream,
            BudgetConfig config,
            UnitLedger ledger,
            Meters meters,
            LongSupplier clock) {
        return config.isBounded() ? new NodeBudget(network, upstream, config, ledger, meters, clock) : null;
    }

    private NodeBudget(
            String network,
            String upstream,
            BudgetConfig config,
            UnitLedger ledger,
            Meters meters,
            LongSupplier clock) {
        this.config = config;
        this.clock = clock;
        this.perSecond = config.perSecond() > 0 ? config.perSecond() : Long.MAX_VALUE / 2;
        this.perDay = config.perDay() > 0 ? config.perDay() : Long.MAX_VALUE / 2;
        this.second = ledger.secondOf(network, upstream, perSecond, clock.getAsLong());
        this.day = ledger.of(network, upstream);
        this.units = meters.counter(Meter.UPSTREAM_UNITS, network, upstream);
        this.overflow = meters.counter(Meter.UPSTREAM_OVER_BUDGET, network, upstream);
        this.gauge = config.perDay() > 0
                ? meters.gauge(Meter.UPSTREAM_UNITS_LEFT, () -> status().leftToday(), network, upstream)
                : null;
    }

    public boolean affords(String method) {
        if (second.fits(config.secondCosts().of(method), clock.getAsLong())
                && config.costs().of(method) <= day.left(perDay)) {
            return true;
        }
        refused = method;
        return false;
    }

    /** Takes the units of a call. Returns null if it may be sent; otherwise its outcome, and nothing is taken. */
    public @Nullable Failed take(String method) {
        return isTaken(method, 0) ? null : refusal();
    }

    /** Takes the units of a probe or of a call about a subscription, as {@link #take}. */
    public @Nullable Failed takeProbe(String method) {
        return isTaken(method, config.perSecond() * OVER_PERCENT / 100) ? null : refusal();
    }

    private boolean isTaken(String method, long over) {
        long cost = config.costs().of(method);
        if (cost > day.left(perDay) || !second.tryTake(config.secondCosts().of(method), over, clock.getAsLong())) {
            refused = method;
            return false;
        }
        // Of calls at the same moment, one may find the day spent after it took its share of the second, which then
        // passes unused.
        if (!day.tryAdd(cost, perDay)) {
            refused = method;
            return false;
        }
        units.inc(cost);
        return true;
    }

    /** Returns the outcome of a call that was refused. The node did not get it, and learns nothing from it. */
    private Failed refusal() {
        long nanos = Math.min(Math.max(waitNanos(), 1), TimeUnit.DAYS.toNanos(1));
        int seconds = (int) (TimeUnit.NANOSECONDS.toSeconds(nanos - 1) + 1);
        return new Failed(Fault.RATE_LIMITED, Executed.NO, "its budget of units is spent", seconds).uncounted();
    }

    /** Takes the units of a message of a subscription, which has arrived. Returns false if the day's are spent with it. */
    public boolean takeNotification() {
        second.take(config.notification(), clock.getAsLong());
        day.add(config.notification());
        units.inc(config.notification());
        return day.used() <= perDay;
    }

    /** Notes that a call went to another node because of this budget. */
    public void overflowed() {
        overflow.inc();
    }

    /**
     * Returns the nanoseconds until the call that was refused last can be paid for; 0 if it can be, or if none was refused; {@link
     * Long#MAX_VALUE} if it never can be.
     */
    public long waitNanos() {
        String method = refused;
        if (method == null) {
            return 0;
        }
        long seconds = second.waitNanos(config.secondCosts().of(method), clock.getAsLong());
        long cost = config.costs().of(method);
        long days = cost > perDay ? Long.MAX_VALUE : cost > day.left(perDay) ? day.nanosLeft() : 0;
        return Math.max(seconds, days);
    }

    public BudgetStatus status() {
        return new BudgetStatus(
                config.perSecond(), second.taken(clock.getAsLong()), config.perDay(), day.used(), waitNanos() > 0);
    }

    /** Removes the gauge. The counters stay, and so do the used units. */
    @Override
    public void close() {
        if (gauge != null) {
            gauge.run();
        }
    }
}
