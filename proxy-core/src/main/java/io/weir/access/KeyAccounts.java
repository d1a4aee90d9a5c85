package io.weir.access;

import io.weir.metrics.Meters;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * The accounts of API keys by the keys' names. They outlive a configuration, so that a changed one begins no account again.
 * Thread-safe.
 */
public final class KeyAccounts {

    private final Meters meters;
    private final LongSupplier wallMillis;
    private final ConcurrentMap<String, KeyAccount> accounts = new ConcurrentHashMap<>();

    /** @param wallMillis milliseconds since 1970 */
    public KeyAccounts(Meters meters, LongSupplier wallMillis) {
        this.meters = meters;
        this.wallMillis = wallMillis;
    }

    /** Returns the account of a key, the same one each time. */
    KeyAccount of(String name) {
        return accounts.computeIfAbsent(name, key -> new KeyAccount(key, meters));
    }

    /** Returns the clock by which keys expire, in milliseconds since 1970. */
    LongSupplier wallMillis() {
        return wallMillis;
    }
}
