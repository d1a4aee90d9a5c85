package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.deploy.Samples;
import io.weir.testing.JsonRpcClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layer-2 network's methods through the built proxy: metrics, coalescing and writes. */
final class LayerTwoMethodsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NONCE = "starknet_getNonce";

    @TempDir
    private Path scratch;

    private final ChainNodes nodes = new ChainNodes();
    private final ChainNodes.Node node = nodes.node("only");
    private LayerTwoProxy proxy;

    @BeforeEach
    void start() {
        node.head(100);
        proxy = LayerTwoProxy.in(scratch).network("main", nodes.url("only")).start();
        // From here on the head is known.
        assertThat(proxy.client("main").result("starknet_blockNumber").intValue())
                .isEqualTo(100);
    }

    @AfterEach
    void stop() {
        proxy.close();
        nodes.close();
    }

    private double counted(String method) {
        return proxy.process().admin().metric("weir_calls_total", "method=\"" + method + "\"");
    }

    private CompletableFuture<HttpResponse<String>> nonce() {
        return proxy.client("main").postLater(JsonRpcClient.call(NONCE, "pre_confirmed", "0x1"));
    }

    private static String result(CompletableFuture<HttpResponse<String>> answer) throws Exception {
        return Samples.json(answer.get(60, TimeUnit.SECONDS).body())
                .path("result")
                .asString();
    }

    private void awaitCalls(int count) {
        await().atMost(PATIENCE).until(() -> node.calls(NONCE).size(), size -> size == count);
    }

    @Test
    void callsAreCountedByTheNameOfTheirMethod() {
        proxy.client("main").result("starknet_specVersion");
        proxy.client("main").answer("starknet_unheardOf");
        assertThat(counted("starknet_specVersion")).isEqualTo(1);
        assertThat(counted("other")).isEqualTo(1);
    }

    @Test
    void equalReadsAtTheSameTimeReachANodeOnceButNoneIsAnsweredFromBeforeATransaction() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        node.hold(NONCE, answers);
        List<CompletableFuture<HttpResponse<String>>> reads = new ArrayList<>(List.of(nonce()));
        awaitCalls(1);
        reads.add(nonce());
        await().atMost(PATIENCE)
                .until(() -> proxy.process().admin().metric("weir_calls_in_flight"), inFlight -> inFlight == 2);
        proxy.client("main").result("starknet_addInvokeTransaction", "{}");
        reads.add(nonce());
        awaitCalls(2);
        answers.countDown();
        for (CompletableFuture<HttpResponse<String>> read : reads) {
            assertThat(result(read)).isEqualTo("0x64");
        }
        assertThat(node.calls(NONCE)).hasSize(2);
        assertThat(node.calls("starknet_addInvokeTransaction")).hasSize(1);
    }
}
