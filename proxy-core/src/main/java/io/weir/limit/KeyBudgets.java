package io.weir.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.metrics.OutOfMemory;

/**
 * Budgets of holders, each of the same amount: API keys, and the addresses of clients without one. A budget is there as long as
 * somebody refers to it. Thread-safe.
 */
public final class KeyBudgets {

    private final long max;
    private final Cache<Object, Budget> budgets =
            Caffeine.newBuilder().weakValues().executor(OutOfMemory::run).build();

    public KeyBudgets(long max) {
        this.max = max;
    }

    public Budget of(Object holder) {
        return budgets.get(holder, key -> new Budget(max));
    }
}
