package io.weir.pipeline.filter;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Removal of expired filters at their nodes. Nodes remove idle filters themselves after a while. So the removal is skipped
 * if there are many at once, or if the node has problems. Thread-safe.
 */
final class IdleFilters implements Consumer<HeldFilter> {

    private static final int MAX_UNDER_WAY = 16;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final AtomicInteger underWay = new AtomicInteger();
    private final LongSupplier nanoTime;

    IdleFilters(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public void accept(HeldFilter filter) {
        if (filter.upstream().status().health() != Health.HEALTHY) {
            return;
        }
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            return;
        }
        try {
            filter.loop().execute(() -> giveUp(filter));
        } catch (RejectedExecutionException e) {
            // The proxy is shutting down.
            underWay.decrementAndGet();
        }
    }

    private void giveUp(HeldFilter filter) {
        RpcCall call = ChainCalls.uninstallFilter(filter.nodeId());
        filter.upstream()
                .ask(filter.loop(), call, nanoTime.getAsLong() + MAX_NANOS, outcome -> underWay.decrementAndGet());
    }
}
