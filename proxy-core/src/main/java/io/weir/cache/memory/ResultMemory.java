package io.weir.cache.memory;

import io.weir.cache.tier.TierStack;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.verify.VerifyExecutor;

/**
 * Cache parts that all networks share. Thread-safe.
 *
 * @param executor verifies answers and scans the store
 * @param bytes the budget of requests and answers in flight, answers from memory included
 * @param tiers behind the memory
 */
public record ResultMemory(ResultStore store, VerifyExecutor executor, Budget bytes, TierStack tiers)
        implements AutoCloseable {

    /** Maximum size of one result: large logs and traces are asked for again seldom, and would displace much. */
    private static final long MAX_ENTRY_BYTES = 8 << 20;

    /** Answers up to this size need no budget, because a refusal is about as large. */
    private static final int SMALL_BYTES = 16 * 1024;

    /** Returns whether a cached answer may be sent now. It takes budget once it is sent. */
    public boolean hasRoom(RpcReply reply) {
        long size = reply instanceof RpcReply.Result result ? result.value().length() : 0;
        return size <= SMALL_BYTES || bytes.taken() + size <= bytes.max();
    }

    /** Creates a memory with these limits and its gauges, and no tiers. */
    public static ResultMemory of(CacheConfig config, Budget bytes, Meters meters) {
        return of(config, bytes, meters, TierStack.NONE);
    }

    /** Creates a memory with these limits and its gauges, and with tiers, which it closes. */
    public static ResultMemory of(CacheConfig config, Budget bytes, Meters meters, TierStack tiers) {
        return of(config, new VerifyExecutor(), bytes, meters, tiers);
    }

    /** Creates a memory with these limits and its gauges, and with an executor and tiers, which it closes. */
    public static ResultMemory of(
            CacheConfig config, VerifyExecutor executor, Budget bytes, Meters meters, TierStack tiers) {
        ResultStore store = new ResultStore(config.memoryBytes(), MAX_ENTRY_BYTES, task -> {
            if (!executor.tryRun(0, task)) {
                task.run();
            }
        });
        meters.gauge(Meter.CACHE_ENTRIES, store::entries);
        meters.gauge(Meter.CACHE_BYTES, store::bytes);
        meters.gauge(Meter.CACHE_EVICTIONS, store::evictions);
        return new ResultMemory(store, executor, bytes, tiers);
    }

    @Override
    public void close() {
        executor.close();
        tiers.close();
    }
}
