package io.weir.upstream.budget;

import com.codahale.metrics.Counter;
import io.weir.config.BudgetConfig;
import io.weir.limit.SecondBudget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.BudgetStatus;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Budget of one node in the units in which its provider bills: within any second, and on each UTC day. Calls of clients keep to the
 * bounds. Probes and subscriptions may exceed that of the second a little, so that calls do not keep them from a busy node; later
 * calls wait for that. Thread-safe.
 */
final class UnitBudget implements NodeBudget {

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
     * @param ledger has the units that were used today and in this second
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    UnitBudget(
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

    @Override
    public boolean affords(String method) {
        if (second.fits(config.secondCosts().of(method), clock.getAsLong())
                && config.costs().of(method) <= day.left(perDay)) {
            return true;
        }
        refused = method;
        return false;
    }

    @Override
    public @Nullable Failed take(String method) {
        return isTaken(method, 0) ? null : refusal();
    }

    @Override
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

    @Override
    public boolean takeNotification() {
        second.take(config.notification(), clock.getAsLong());
        day.add(config.notification());
        units.inc(config.notification());
        return day.used() <= perDay;
    }

    @Override
    public void overflowed() {
        overflow.inc();
    }

    @Override
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

    @Override
    public BudgetStatus status() {
        return new BudgetStatus(
                config.perSecond(), second.taken(clock.getAsLong()), config.perDay(), day.used(), waitNanos() > 0);
    }

    @Override
    public void close() {
        if (gauge != null) {
            gauge.run();
        }
    }
}
