package io.weir.limit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Budgets of API keys, each of the same amount. The configuration limits the number of keys. Thread-safe. */
public final class KeyBudgets {

    private final long max;
    private final ConcurrentMap<String, Budget> budgets = new ConcurrentHashMap<>();

    /** Creates budgets of this amount, none of it taken. */
    public KeyBudgets(long max) {
        this.max = max;
    }

    /** Returns the budget of a key, by its name. */
    public Budget of(String key) {
        return budgets.computeIfAbsent(key, name -> new Budget(max));
    }
}
