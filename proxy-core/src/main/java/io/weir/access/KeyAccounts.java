package io.weir.access;

import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.MethodCosts;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of API keys by the keys' names. They outlive a configuration, so that a changed one begins no account again.
 * Thread-safe.
 */
public final class KeyAccounts {

    private final Meters meters;
    private final UnitLedger ledger;
    private final boolean shared;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ConcurrentMap<String, KeyAccount> accounts = new ConcurrentHashMap<>();

    /** @param ledger has the units that were used today */
    public KeyAccounts(Meters meters, UnitLedger ledger) {
        this(meters, ledger, false);
    }

    /**
     * @param ledger has the units that were used today
     * @param shared whether other proxies share the rates
     */
    public KeyAccounts(Meters meters, UnitLedger ledger, boolean shared) {
        this.meters = meters;
        this.ledger = ledger;
        this.shared = shared;
    }

    /** Returns a new gate of a key's rate; null if it is no limit. */
    @Nullable
    RateGate gate(String name, RateConfig rate) {
        return shared && rate.callsPerSecond() > 0
                ? new SharedRateGate(name, rate, System::nanoTime)
                : BucketRateGate.of(rate);
    }

    /** Returns the account of a key, the same one each time. */
    KeyAccount of(String name) {
        return accounts.computeIfAbsent(name, key -> new KeyAccount(key, numbers.getAndIncrement(), meters));
    }

    KeyBounds bounds(String name, BoundConfig config, MethodCosts costs) {
        UnitQuota quota = config.unitsPerDay() == 0 ? null : new UnitQuota(config.unitsPerDay(), ledger.ofKey(name));
        return new KeyBounds(config, costs, quota, ledger.wallMillis());
    }
}
