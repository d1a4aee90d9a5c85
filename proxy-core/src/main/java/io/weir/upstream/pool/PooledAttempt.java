package io.weir.upstream.pool;

import io.weir.jsonrpc.RpcCall;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.AttemptHandle;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import org.jspecify.annotations.Nullable;

/**
 * Attempt at a node of the pool. It counts for the node's load until it ends or is given up. Later outcomes are ignored. Confined to
 * its event loop.
 */
final class PooledAttempt implements OutcomeSink, AttemptHandle {

    private final PooledUpstream node;
    private final RpcCall call;
    private final int epoch;
    private final long startNanos;
    private final OutcomeSink sink;
    private @Nullable AttemptHandle handle;
    private boolean over;
    private boolean streamed;
    /** Time until the answer, or until the beginning of one that goes on while it arrives. */
    private long nanos;

    /** @param epoch of the node's health when the attempt began */
    PooledAttempt(PooledUpstream node, RpcCall call, int epoch, long startNanos, OutcomeSink sink) {
        this.node = node;
        this.call = call;
        this.epoch = epoch;
        this.startNanos = startNanos;
        this.sink = sink;
    }

    @Override
    public void begun(AttemptHandle carried) {
        handle = carried;
    }

    @Override
    public @Nullable Object holder() {
        return sink.holder();
    }

    @Override
    public @Nullable TraceHeaders traceHeaders() {
        return sink.traceHeaders();
    }

    @Override
    public long wholeUpTo() {
        return sink.wholeUpTo();
    }

    /** The client's own speed must not count as the node's time. */
    @Override
    public boolean stream(ResultStream result) {
        nanos = node.nanosSince(startNanos);
        streamed = !over && sink.stream(result);
        if (streamed) {
            node.streamed();
        }
        return streamed;
    }

    @Override
    public void accept(NodeOutcome outcome) {
        if (!over) {
            over = true;
            if (streamed) {
                node.streamEnded(outcome);
            } else {
                nanos = node.nanosSince(startNanos);
            }
            sink.accept(node.ended(call, epoch, nanos, outcome));
        }
    }

    @Override
    public void cancel() {
        if (over) {
            return;
        }
        over = true;
        node.cancelled();
        if (handle != null) {
            handle.cancel();
        }
    }
}
