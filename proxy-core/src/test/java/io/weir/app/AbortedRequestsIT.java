package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AdminClient;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.LargeResultNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Ten thousand requests whose clients go before their end: nothing of them stays counted. */
final class AbortedRequestsIT {

    private static final int THREADS = 8;
    private static final int OF_A_THREAD = 1_250;
    private static final int SLOW_READERS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> GAUGES = List.of(
            "weir_bytes_in_flight",
            "weir_calls_in_flight",
            "weir_connections",
            "weir_websockets",
            "weir_upstream_in_flight");
    private static final List<String> REASONS = List.of(
            "framing", "key", "path", "verb", "websocket_verb", "length", "size", "type", "gzip", "headers", "upgrade");

    @Test
    void everythingIsGivenBackAfterTenThousandAbortedRequestsOfEveryKind() throws Exception {
        long seed = new Random().nextLong();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Socket> slow = new ArrayList<>();
        try (LargeResultNode node = new LargeResultNode(300_000, 20);
                LocalProxy weir = LocalProxy.start(configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            for (int i = 0; i < SLOW_READERS; i++) {
                slow.add(slowReader(weir.port()));
            }
            List<Callable<Set<AbortedRequest>>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed + i);
                work.add(() -> abort(weir.port(), random));
            }
            for (Future<Set<AbortedRequest>> done : threads.invokeAll(work)) {
                assertThat(done.get()).as("seed " + seed).containsExactlyInAnyOrder(AbortedRequest.values());
            }
            AdminClient admin = weir.admin();
            await().atMost(PATIENCE).until(() -> admin.metric("weir_slow_readers_total") >= SLOW_READERS);
            for (String gauge : GAUGES) {
                await("seed " + seed + ": " + gauge).atMost(PATIENCE).until(() -> admin.metric(gauge) == 0);
            }
            assertThat(admin.metric("weir_upstream_calls_total"))
                    .as("calls that reached the node")
                    .isGreaterThan(1_000);
            for (String reason : REASONS) {
                assertThat(admin.metric("weir_requests_refused_total", "reason=\"" + reason + "\""))
                        .as("seed " + seed + ": requests refused for the reason " + reason)
                        .isPositive();
            }
            assertThat(new JsonRpcClient(weir.url())
                            .post(JsonRpcClient.call("trace_get"))
                            .body())
                    .contains("\"small\"");
        } finally {
            threads.shutdownNow();
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static Set<AbortedRequest> abort(int port, Random random) throws IOException {
        Set<AbortedRequest> done = EnumSet.noneOf(AbortedRequest.class);
        AbortedRequest[] all = AbortedRequest.values();
        for (int i = 0; i < OF_A_THREAD; i++) {
            // Each of them at least once, and then at random.
            AbortedRequest next = all[i < all.length ? i : random.nextInt(all.length)];
            next.run(port, random);
            done.add(next);
        }
        return done;
    }

    /** Asks for large answers, and reads none. */
    private static Socket slowReader(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String body = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"trace_filter\",\"params\":[]}";
        String request =
                "POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        socket.getOutputStream().write(request.repeat(40).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String configuration(LargeResultNode node) {
        return ConfigurationText.of("main", "1")
                .upstream("late", node.url())
                .setting("server { write-timeout = 2 s, request-timeout = 5 s }")
                .text();
    }
}
