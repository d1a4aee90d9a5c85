package io.weir.sharing;

import com.codahale.metrics.Counter;
import io.weir.access.SharedRateGate;
import io.weir.config.SharingConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.upstream.budget.DayUnits;
import io.weir.upstream.budget.DayUnits.OwnUse;
import io.weir.upstream.budget.UnitLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The exchange of what this proxy and others used of their shared limits. A thread of its own tells what changed, at an interval, and
 * waits for nothing. Between two reports, and while the others cannot be reached, each proxy decides by what it knows. Thread-safe.
 */
public final class SharedLimits implements AutoCloseable {

    /** The time between two reports: short beside the seconds of a burst, and few commands for Redis. */
    private static final long INTERVAL_MILLIS = 100;

    /** The most reports at once, fewer than commands may wait for a connection. */
    private static final int MAX_REPORTS = 1_000;

    private final LimitStore store;
    private final Supplier<List<SharedRateGate>> rates;
    private final UnitLedger ledger;
    private final ScheduledExecutorService timer;
    private final Counter told;
    private final Counter failed;
    /** Where the next round begins, so that none waits for ever. Confined to the timer. */
    private int start;

    /** @param rates those in force */
    SharedLimits(LimitStore store, Supplier<List<SharedRateGate>> rates, UnitLedger ledger, Meters meters) {
        this.store = store;
        this.rates = rates;
        this.ledger = ledger;
        this.told = meters.counter(Meter.SHARING_REPORTS, "told");
        this.failed = meters.counter(Meter.SHARING_REPORTS, "failed");
        meters.gauge(Meter.SHARING_UP, () -> store.isUp() ? 1 : 0);
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "weir-sharing");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts the exchange, and does not wait for the Redis. */
    public static SharedLimits start(
            SharingConfig config, Supplier<List<SharedRateGate>> rates, UnitLedger ledger, Meters meters) {
        LimitStore store = new RedisLimitStore(config, ledger.proxy());
        SharedLimits limits = new SharedLimits(store, rates, ledger, meters);
        limits.timer.scheduleWithFixedDelay(
                () -> OutOfMemory.run(limits::round), 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        return limits;
    }

    /** Returns whether the others can be reached. */
    public boolean isUp() {
        return store.isUp();
    }

    /** Returns the state in a few words. */
    public String state() {
        return store.state();
    }

    /** Tells once what changed. */
    void round() {
        boolean up = store.isUp();
        List<Supplier<Boolean>> reports = new ArrayList<>();
        for (SharedRateGate rate : rates.get()) {
            if (up) {
                rate.join();
                reports.add(() -> tell(rate));
            } else {
                rate.leave();
            }
        }
        ledger.forEach((name, units) -> {
            if (up) {
                units.join();
                reports.add(() -> tell(name, units));
            } else {
                units.leave();
            }
        });
        send(reports);
    }

    private void send(List<Supplier<Boolean>> reports) {
        int sent = 0;
        int size = reports.size();
        int at = size == 0 ? 0 : start % size;
        for (int i = 0; i < size && sent < MAX_REPORTS; i++) {
            if (reports.get(at).get()) {
                sent++;
            }
            at = (at + 1) % size;
        }
        start = at;
    }

    private boolean tell(SharedRateGate rate) {
        long units = rate.tell();
        if (units == 0) {
            return false;
        }
        store.take(rate, units, left -> {
            if (left == null) {
                failed.inc();
                rate.notTold(units);
            } else {
                told.inc();
                rate.told(left);
            }
        });
        return true;
    }

    private boolean tell(String name, DayUnits units) {
        if (!units.isUntold()) {
            return false;
        }
        OwnUse use = units.own();
        store.tell(name, use, known -> {
            if (known == null) {
                failed.inc();
            } else {
                told.inc();
                units.told(use, known.own(), known.others());
            }
        });
        return true;
    }

    /** Ends. The ledger keeps a day's units that were not told, and the next start tells them. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
