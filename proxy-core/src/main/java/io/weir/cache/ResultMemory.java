package io.weir.cache;

import io.weir.config.WeirConfig.CacheConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

/**
 * What all networks share to keep results. Thread-safe.
 *
 * @param executor verifies answers, and looks through the store
 */
public record ResultMemory(ResultStore store, VerifyExecutor executor) implements AutoCloseable {

    /** A memory of these bounds, with its gauges. */
    public static ResultMemory of(CacheConfig config, Meters meters) {
        ResultStore store = new ResultStore(config.memoryBytes());
        meters.gauge(Meter.CACHE_ENTRIES, store::entries);
        meters.gauge(Meter.CACHE_BYTES, store::bytes);
        meters.gauge(Meter.CACHE_EVICTIONS, store::evictions);
        return new ResultMemory(
                store, new VerifyExecutor(config.verifyThreads(), config.verifyQueue(), config.verifyBytes()));
    }

    @Override
    public void close() {
        executor.close();
    }
}
