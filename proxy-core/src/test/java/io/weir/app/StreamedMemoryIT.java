package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Several results larger than {@code max-response} at once through a proxy with a heap smaller than they are. {@code weir.stream.results}, {@code megabytes},
 * {@code rate} (megabytes a second of each client, 0 is any) and {@code heap} make it larger.
 */
final class StreamedMemoryIT {

    private static final int RESULTS = Integer.getInteger("weir.stream.results", 3);
    private static final int MEGABYTES = Integer.getInteger("weir.stream.megabytes", 100);
    private static final int RATE = Integer.getInteger("weir.stream.rate", 0);
    private static final String HEAP = System.getProperty("weir.stream.heap", "128m");

    /** A text and a comma, which repeat. */
    private static final byte[] BLOCK = ("\"" + "0123456789".repeat(1_000) + "\",   ").getBytes(US_ASCII);

    private static final int BLOCKS = MEGABYTES * 1_000_000 / BLOCK.length;

    @Test
    void resultsLargerThanTheHeapArriveWhole() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(RESULTS);
        try (ScriptedAnswers node = new ScriptedAnswers(StreamedMemoryIT::answer);
                WeirProcess weir = WeirProcess.start(
                        List.of("-Xmx" + HEAP),
                        ConfigurationText.of("main", "1")
                                .upstream("a", node.url())
                                .text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            List<Future<Long>> lengths = new ArrayList<>();
            for (int i = 0; i < RESULTS; i++) {
                int number = i;
                lengths.add(threads.submit(() -> read(weir.port(), number)));
            }
            for (Future<Long> length : lengths) {
                assertThat(length.get(10, TimeUnit.MINUTES)).isEqualTo(3L + (long) BLOCKS * BLOCK.length);
            }
            assertThat(weir.admin().metric("weir_upstream_streamed_total")).isEqualTo(RESULTS);
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
            assertThat(weir.process().told()).doesNotContain("OutOfMemory");
        } finally {
            threads.shutdownNow();
        }
    }

    private static void answer(JsonNode call, OutputStream out) throws IOException {
        byte[] before = ("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":[").getBytes(US_ASCII);
        long length = before.length + 3L + (long) BLOCKS * BLOCK.length;
        out.write(ScriptedAnswers.head("Content-Length: " + length));
        out.write(before);
        for (int i = 0; i < BLOCKS; i++) {
            out.write(BLOCK);
        }
        out.write("0]}".getBytes(US_ASCII));
    }

    /** Returns the length of the result, every byte of which was compared. */
    private static long read(int port, int number) throws Exception {
        String body = JsonRpcClient.call("trace_filter", number);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(US_ASCII));
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            StrictAnswer.beginning(in);
            long begun = System.nanoTime();
            byte[] frame = StrictAnswer.passChunk(in);
            assertThat(new String(frame, US_ASCII)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":");
            long at = 0;
            for (byte[] chunk = StrictAnswer.passChunk(in); chunk.length > 0; chunk = StrictAnswer.passChunk(in)) {
                for (byte b : chunk) {
                    if (b != expected(at)) {
                        throw new AssertionError("byte " + at + ": " + b + " (expected: " + expected(at) + ")");
                    }
                    at++;
                }
                if (RATE > 0) {
                    LockSupport.parkNanos(at * 1_000 / RATE - (System.nanoTime() - begun));
                }
            }
            return at - 1;
        }
    }

    private static byte expected(long at) {
        long end = 1 + (long) BLOCKS * BLOCK.length;
        if (at == 0) {
            return '[';
        }
        return at < end ? BLOCK[(int) ((at - 1) % BLOCK.length)] : (byte) "0]}".charAt((int) (at - end));
    }
}
