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
 * Gives filters up at their nodes when they are forgotten here. Nodes forget idle ones themselves after a while, so this is
 * left out where it would be many at once, or where the node is in trouble. Thread-safe.
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
            // The proxy ends.
            underWay.decrementAndGet();
        }
    }

    private void giveUp(HeldFilter filter) {
        RpcCall call = ChainCalls.uninstallFilter(filter.nodeId());
        filter.upstream()
                .ask(filter.loop(), call, nanoTime.getAsLong() + MAX_NANOS, outcome -> underWay.decrementAndGet());
    }
}
