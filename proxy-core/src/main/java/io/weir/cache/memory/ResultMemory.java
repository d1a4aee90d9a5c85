package io.weir.cache.memory;

import io.weir.cache.tier.TierStack;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.verify.VerifyExecutor;

/**
 * What all networks share to keep results. Thread-safe.
 *
 * @param executor verifies answers, and looks through the store
 * @param bytes of requests and answers in flight, which an answer from memory is to be among
 * @param tiers behind the memory
 */
public record ResultMemory(ResultStore store, VerifyExecutor executor, Budget bytes, TierStack tiers)
        implements AutoCloseable {

    /** Answers up to this size are given out although there is no room: they are about as large as what refuses them. */
    private static final int SMALL_BYTES = 16 * 1024;

    /** Whether an answer that no node sent for this very call may be given out now: it takes room once it is. */
    public boolean hasRoom(RpcReply reply) {
        long size = reply instanceof RpcReply.Result result ? result.value().length() : 0;
        return size <= SMALL_BYTES || bytes.taken() + size <= bytes.most();
    }

    /** A memory of these bounds, with its gauges, and nothing behind it. */
    public static ResultMemory of(CacheConfig config, Budget bytes, Meters meters) {
        return of(config, bytes, meters, TierStack.NONE);
    }

    /** A memory of these bounds, with its gauges, and tiers behind it, which it closes. */
    public static ResultMemory of(CacheConfig config, Budget bytes, Meters meters, TierStack tiers) {
        VerifyExecutor executor =
                new VerifyExecutor(config.verifyThreads(), config.verifyQueue(), config.verifyBytes());
        ResultStore store = new ResultStore(config.memoryBytes(), task -> {
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
