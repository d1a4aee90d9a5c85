package io.weir.upstream.link;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.link.BatchWindow.BatchMemory;
import io.weir.upstream.link.BatchWindow.Batching;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clients that batch calls of some methods, not of {@code eth_call}, on one event loop. */
final class BatchBench extends LoopBench<SocketNodeClient> {

    private static final Set<String> BATCHABLE =
            Set.of("eth_test", "eth_chainId", "eth_getBalance", "eth_getBlockReceipts", "eth_thatNobodyHas");

    final Meters meters = new Meters(new MetricRegistry());
    private int size = 100;
    private long waitMillis = BatchWindow.WAIT_MILLIS;

    BatchBench() {
        super(1);
    }

    @Override
    protected SocketNodeClient open(UpstreamConfig config) {
        StreamLimit streams = new StreamLimit(1000, meters);
        SocketNodeClient.Resources resources =
                new SocketNodeClient.Resources(loops, NioSocketChannel.class, bytes, streams);
        BatchWindow.Counters counts = new BatchWindow.Counters(meters, "net", "node");
        return SocketNodeClient.ofHttp(
                config,
                resources,
                SocketNodeClient.Setting.of(null),
                new Batching(BATCHABLE, new BatchMemory(size, System::nanoTime), waitMillis, counts));
    }

    /** Gives clients that are made from now on this batch size and wait. */
    void window(int calls, long millis) {
        size = calls;
        waitMillis = millis;
    }

    static RpcCall call(String method, String param) {
        return new RpcCall(RawJson.of("1"), method, RawJson.of("[\"" + param + "\"]"));
    }

    /** Sends in one task of the event loop a lookup for each number from 0 on. */
    List<CompletableFuture<NodeOutcome>> askAll(SocketNodeClient client, int calls, String suffix) {
        List<CompletableFuture<NodeOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            outcomes.add(new CompletableFuture<>());
        }
        loop.execute(() -> {
            for (int i = 0; i < calls; i++) {
                client.ask(loop, call("eth_test", i + suffix), deadline(), Attempt.of(outcomes.get(i)::complete));
            }
        });
        return outcomes;
    }

    static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    /** Waits for an outcome. Returns its result, or a description if it is a failure. */
    static String result(CompletableFuture<NodeOutcome> outcome) {
        NodeOutcome ended = get(outcome);
        return ended instanceof Answered answered && answered.reply() instanceof RpcReply.Result result
                ? result.value().toString()
                : ended.toString();
    }

    long count(Meter meter) {
        return meters.counter(meter, "net", "node").getCount();
    }
}
