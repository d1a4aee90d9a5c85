package io.weir.upstream.link;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.BatchWindow.BatchMemory;
import io.weir.upstream.link.BatchWindow.Batching;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Batch window in front of a fake carrier, on an event loop with a clock of the test. */
final class BatchWindowBench {

    static final Answered ANSWERED = new Answered(new RpcReply.Result(RawJson.of("\"single\"")));
    static final int SIZE = 10;
    static final long WAIT_MILLIS = 25;
    private static final Set<String> BATCHABLE = batchable();

    private static Set<String> batchable() {
        Set<String> methods = new HashSet<>(MethodCatalogue.ethereum().batchable());
        methods.add("eth_test");
        return methods;
    }

    final MockTicker ticker = Ticker.newMockTicker();
    final EmbeddedChannel channel = EmbeddedChannel.builder().ticker(ticker).build();
    final FakeCarrier carrier = new FakeCarrier();
    final Meters meters = new Meters(new MetricRegistry());
    final BatchMemory memory = new BatchMemory(SIZE, ticker::nanoTime);
    final BatchWindow window;

    /** Outcomes of the calls, in the order in which they ended. */
    final List<NodeOutcome> outcomes = new ArrayList<>();

    BatchWindowBench() {
        window = new BatchWindow(
                channel.eventLoop(),
                carrier,
                new Batching(BATCHABLE, memory, WAIT_MILLIS, new BatchWindow.Counters(meters, "net", "node")));
    }

    static RpcCall call(int paramsLength) {
        return new RpcCall(RawJson.of("\"theirs\""), "eth_test", RawJson.of("[" + " ".repeat(paramsLength - 2) + "]"));
    }

    /** Sends this number of calls. */
    BatchWindowBench ask(int calls) {
        for (int i = 0; i < calls; i++) {
            ask(call(2), 10_000);
        }
        return this;
    }

    void ask(RpcCall call, long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        send(call, deadline, Attempt.of(outcomes::add));
    }

    /** Sends this number of calls for someone. */
    void askFor(Object holder, int calls) {
        for (int i = 0; i < calls; i++) {
            Attempt attempt = Attempt.of(CallCause.OTHER, holder, outcomes::add);
            send(call(2), System.nanoTime() + TimeUnit.SECONDS.toNanos(10), attempt);
        }
    }

    /** Sends a call and returns its attempt, which can be given up. */
    Attempt askCancellable() {
        Attempt attempt = Attempt.of(outcomes::add);
        send(call(2), System.nanoTime() + TimeUnit.SECONDS.toNanos(10), attempt);
        return attempt;
    }

    void send(RpcCall call, long deadlineNanos, Attempt attempt) {
        attempt.setCall(call);
        window.send(attempt, deadlineNanos);
    }

    /** Lets time pass. */
    void pass(long millis) {
        for (long left = millis; left > 0; left -= 5) {
            ticker.advanceMillis(Math.min(left, 5));
            channel.runScheduledPendingTasks();
        }
    }

    FakeCarrier.Posted batch(int index) {
        return carrier.batches.get(index);
    }

    /** Returns the size of each batch so far. */
    List<Integer> batchSizes() {
        return carrier.batches.stream().map(FakeCarrier.Posted::size).toList();
    }

    /** Returns the results so far, in words. */
    List<String> results() {
        return outcomes.stream()
                .map(outcome ->
                        outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result result
                                ? result.value().toString()
                                : "none")
                .toList();
    }

    static Fault fault(NodeOutcome outcome) {
        return ((Failed) outcome).fault();
    }

    long count(Meter meter) {
        return meters.counter(meter, "net", "node").getCount();
    }
}
