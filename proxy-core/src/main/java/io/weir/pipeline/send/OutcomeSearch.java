package io.weir.pipeline.send;

import io.weir.ethereum.Hash32;
import io.weir.pipeline.CallContext;
import io.weir.upstream.Upstream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lookups of a transaction that a node may have taken, with growing pauses, until a node has it or the time is over. A node may still
 * be taking it in. Confined to the call's event loop.
 */
final class OutcomeSearch {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final List<Upstream> nodes;
    private final Hash32 hash;
    private final CallContext context;
    private final long endNanos;
    private final Consumer<Boolean> sink;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /**
     * @param nodes of which the first few are asked
     * @param maxNanos the longest time of the search, which ends with the call's deadline at the latest
     * @param sink receives the result once, on the call's loop
     */
    OutcomeSearch(List<Upstream> nodes, Hash32 hash, CallContext context, long maxNanos, Consumer<Boolean> sink) {
        this.nodes = nodes;
        this.hash = hash;
        this.context = context;
        long now = System.nanoTime();
        this.endNanos = now + Math.min(maxNanos, context.deadlineNanos() - now);
        this.sink = sink;
    }

    void look() {
        if (endNanos - System.nanoTime() <= 0) {
            sink.accept(false);
        } else {
            HashLookup.begin(nodes, hash, context, this::ended);
        }
    }

    private void ended(boolean found) {
        if (found || endNanos - System.nanoTime() <= pauseNanos) {
            sink.accept(found);
            return;
        }
        context.loop().schedule(() -> context.step(this::look), pauseNanos, TimeUnit.NANOSECONDS);
        pauseNanos = Math.min(2 * pauseNanos, MAX_PAUSE_NANOS);
    }
}
