package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.KeepAliveConnection;
import io.weir.testing.traffic.LargeResultNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many clients that ask for large results and read them slowly: what is in flight stays within its bound. */
final class SlowReadersIT {

    private static final int CLIENTS = 64;
    private static final int LETTERS = 10_000_000;
    private static final long BOUND = 128L << 20;

    /** The bytes counted over the budget: a request and a small answer of each call. */
    private static final long SLACK = CLIENTS * 8192L;

    /** As many as fit into the share of one caller. */
    private static final int SERVED = (int) (BOUND * 8 / 9 / LETTERS);

    private final CountDownLatch readOn = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void bytesInFlightStayWithinTheirBoundAndOthersAreServed() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LargeResultNode node = new LargeResultNode(LETTERS, 0);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx256m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            Future<Double> highest = threads.submit(() -> highestBytesInFlight(weir));
            List<Future<Integer>> statuses = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                statuses.add(threads.submit((Callable<Integer>) () -> askAndReadSlowly(weir.port())));
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> weir.admin().metric("weir_bytes_in_flight") > SERVED * (double) LETTERS);
            callSmall(weir.port());
            readOn.countDown();
            List<Integer> seen = new ArrayList<>();
            for (Future<Integer> status : statuses) {
                seen.add(status.get(60, TimeUnit.SECONDS));
            }
            assertThat(seen).containsOnly(200, 503);
            assertThat(seen).filteredOn(status -> status == 200).hasSizeGreaterThanOrEqualTo(SERVED);
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
            ended.set(true);
            assertThat(highest.get(60, TimeUnit.SECONDS)).isLessThanOrEqualTo(BOUND + SLACK);
            assertThat(weir.admin().metric("weir_upstream_calls_total", "outcome=\"over_budget\""))
                    .isEqualTo(seen.stream().filter(status -> status == 503).count());
            assertThat(weir.admin().health("main", "a")).isEqualTo("healthy");
            assertThat(weir.process().told()).doesNotContain("OutOfMemory");
        } finally {
            readOn.countDown();
            ended.set(true);
            threads.shutdownNow();
        }
    }

    private static String configuration(LargeResultNode node) {
        return ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                .setting("server.bytes-in-flight = 128 MiB")
                .text();
    }

    private double highestBytesInFlight(WeirProcess weir) {
        double highest = 0;
        while (!ended.get()) {
            highest = Math.max(highest, weir.admin().metric("weir_bytes_in_flight"));
        }
        return highest;
    }

    private static void callSmall(int port) throws IOException {
        try (KeepAliveConnection other = new KeepAliveConnection(port)) {
            for (int i = 0; i < 50; i++) {
                assertThat(other.post(JsonRpcClient.call("trace_get"))).contains("\"result\":\"small\"");
            }
        }
    }

    /** Reads nothing until allowed, and then everything. Returns the status. */
    private int askAndReadSlowly(int port) throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1 << 16);
            socket.setSoTimeout(60_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            // Calls that are the same would share one answer. A client of HTTP/1.0 takes no chunks, so that its result
            // is collected.
            String body = JsonRpcClient.call("trace_filter", asked.incrementAndGet());
            socket.getOutputStream()
                    .write(("POST /v3/demo HTTP/1.0\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(US_ASCII));
            assertThat(readOn.await(60, TimeUnit.SECONDS)).isTrue();
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 15);
            String head = head(in);
            byte[] answer = in.readAllBytes();
            if (head.startsWith("HTTP/1.1 503 ")) {
                assertThat(head).contains("Retry-After: 1");
                assertThat(new String(answer, US_ASCII)).contains("\"code\":-32603", "overloaded: no room");
                return 503;
            }
            assertThat(head).startsWith("HTTP/1.1 200 ");
            String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\"}";
            assertThat(answer).hasSize(frame.length() + LETTERS);
            for (int i = frame.length() - 2; i < frame.length() - 2 + LETTERS; i++) {
                if (answer[i] != 'x') {
                    throw new AssertionError("byte " + i + ": " + answer[i] + " (expected: x)");
                }
            }
            return 200;
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("head: ended in '" + head + "'");
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
