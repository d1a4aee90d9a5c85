package io.weir.upstream.batch;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls are batched, and which are sent at once. */
class BatchingNodeClientTest {

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final FakeCarrier carrier = new FakeCarrier();
    private final BatchingNodeClient client = new BatchingNodeClient(
            carrier,
            loops,
            MethodCatalogue.ethereum().batchable(),
            new BatchMemory(100, System::nanoTime),
            60_000,
            new BatchMeters(new Meters(new MetricRegistry()), "net", "node"));

    @AfterEach
    void end() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Returns how many single calls are in flight after three of this method were sent in one task of the loop. */
    private int outOfThree(EventLoop from, String method) {
        from.submit(() -> {
                    for (int i = 0; i < 3; i++) {
                        client.ask(from, new RpcCall(null, method, null), deadline(), outcome -> {});
                    }
                })
                .syncUninterruptibly();
        return carrier.singles.size();
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_getTransactionReceipt",
                "eth_getBlockReceipts",
                "eth_getBlockByNumber",
                "eth_getBalance",
                "eth_getStorageAt",
                "eth_chainId"
            })
    void lookupsAreBatched(String method) {
        assertThat(outOfThree(loop, method)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendRawTransaction",
                "eth_sendTransaction",
                "eth_newFilter",
                "eth_getFilterChanges",
                "eth_call",
                "eth_estimateGas",
                "eth_getLogs",
                "eth_getProof",
                "debug_traceTransaction",
                "trace_get",
                "txpool_content",
                "admin_peers",
                "vendor_unknown"
            })
    void writesAndSlowAndUnknownMethodsAreNeverBatched(String method) {
        assertThat(outOfThree(loop, method)).isEqualTo(3);
    }

    @Test
    void eachEventLoopHasItsOwnWindow() {
        assertThat(outOfThree(loop, "eth_getBalance")).isEqualTo(1);
        assertThat(outOfThree(loops.next(), "eth_getBalance")).isEqualTo(2);
    }

    @Test
    void probesAndRepeatedCallsDoNotWait() {
        outOfThree(loop, "eth_getBalance");
        RpcCall call = new RpcCall(null, "eth_blockNumber", null);
        loop.submit(() -> {
                    client.probe(loop, call, deadline(), outcome -> {});
                    client.askAnew(loop, call, deadline(), outcome -> {});
                })
                .syncUninterruptibly();
        assertThat(carrier.probed).isEqualTo(List.of("eth_blockNumber"));
        assertThat(carrier.askedAnew).isEqualTo(List.of("eth_blockNumber"));
    }

    @Test
    void closingClosesTheClientBehind() {
        client.close();
        assertThat(carrier.closed).isTrue();
    }
}
