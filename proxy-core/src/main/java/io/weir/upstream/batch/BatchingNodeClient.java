package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.weir.config.BatchConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.PerLoop;
import java.util.function.Predicate;

/**
 * Asks a node in batches where calls come faster than it answers them; see {@link BatchWindow}. Calls that may not stand in a
 * batch, probes, and calls that are asked anew go their own way, at once. Thread-safe; see {@link NodeClient#ask} for who may
 * ask from where.
 */
public final class BatchingNodeClient implements NodeClient {

    private final BatchCarrier carrier;
    private final Predicate<String> batchable;
    private final PerLoop<BatchWindow> gatherings;

    /**
     * Stands before a client, which it closes with itself.
     *
     * @param loops the event loops to ask from, those of the client
     * @param batchable whether calls of a method may stand in a batch: they must be safe to repeat, and quick to answer,
     *     because the answers to a batch come together
     */
    public BatchingNodeClient(
            BatchCarrier carrier,
            EventLoopGroup loops,
            BatchConfig config,
            Predicate<String> batchable,
            BatchMeters meters) {
        this(carrier, loops, batchable, new BatchMemory(config.size(), System::nanoTime), config, meters);
    }

    BatchingNodeClient(
            BatchCarrier carrier,
            EventLoopGroup loops,
            Predicate<String> batchable,
            BatchMemory memory,
            BatchConfig config,
            BatchMeters meters) {
        this.carrier = carrier;
        this.batchable = batchable;
        this.gatherings =
                new PerLoop<>(loops, 0, (loop, share) -> new BatchWindow(loop, carrier, config, memory, meters));
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        if (batchable.test(call.method())) {
            gatherings.of(loop).ask(call, deadlineNanos, sink);
        } else {
            carrier.ask(loop, call, deadlineNanos, sink);
        }
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        carrier.askAnew(loop, call, deadlineNanos, sink);
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        carrier.probe(loop, call, deadlineNanos, sink);
    }

    @Override
    public void reset(boolean failWaiting) {
        if (failWaiting) {
            gatherings.forEach(BatchWindow::failGathered);
        }
        carrier.reset(failWaiting);
    }

    @Override
    public long connects() {
        return carrier.connects();
    }

    @Override
    public void close() {
        gatherings.forEach(BatchWindow::close);
        carrier.close();
    }
}
