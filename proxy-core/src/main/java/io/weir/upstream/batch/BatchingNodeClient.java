package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.ForwardingNodeClient;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.PerLoop;
import java.util.Set;

/**
 * Client that batches calls if they arrive faster than the node answers; see {@link BatchWindow}. Calls that may not be in a
 * batch, probes and repeated calls are sent at once. Thread-safe; {@link NodeClient#ask} says on which loop to call.
 */
public final class BatchingNodeClient extends ForwardingNodeClient {

    private final Set<String> batchable;
    private final PerLoop<BatchWindow> windows;

    /**
     * Wraps a client, which is closed with this one.
     *
     * @param loops the event loops of the callers, those of the client
     * @param size calls in one batch
     * @param batchable methods whose calls may be in a batch: they must be safe to repeat, and quick, because the answers to
     *     a batch come together
     */
    public BatchingNodeClient(
            BatchCarrier carrier, EventLoopGroup loops, int size, Set<String> batchable, BatchMeters meters) {
        this(carrier, loops, batchable, new BatchMemory(size, System::nanoTime), BatchWindow.WAIT_MILLIS, meters);
    }

    BatchingNodeClient(
            BatchCarrier carrier,
            EventLoopGroup loops,
            Set<String> batchable,
            BatchMemory memory,
            long waitMillis,
            BatchMeters meters) {
        super(carrier);
        this.batchable = Set.copyOf(batchable);
        this.windows = new PerLoop<>(
                loops, 0, (loop, share) -> new BatchWindow(loop, carrier.of(loop), waitMillis, memory, meters));
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        if (batchable.contains(call.method())) {
            windows.of(loop).ask(call, deadlineNanos, sink);
        } else {
            super.ask(loop, call, deadlineNanos, sink);
        }
    }

    @Override
    public void reset(boolean failWaiting) {
        if (failWaiting) {
            windows.forEach(BatchWindow::failUnsent);
        }
        super.reset(failWaiting);
    }

    @Override
    public void leave(EventLoop loop, Runnable lost) {
        windows.forEach(BatchWindow::failUnsent);
        super.leave(loop, lost);
    }

    @Override
    public void close() {
        windows.forEach(BatchWindow::close);
        super.close();
    }
}
