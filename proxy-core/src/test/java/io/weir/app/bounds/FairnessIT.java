package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Nineteen keys at a steady rate, and one more that takes all it can get: the failures of the nineteen, and their times with and without
 * it. Times need a quiet machine, so the test runs on request alone.
 */
final class FairnessIT {

    private static final int KEYS = 19;
    private static final int SECONDS = Integer.getInteger("weir.fairness.seconds", 10);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final byte[] LARGE = ("\"" + "x".repeat(1_000_000) + "\"").getBytes(US_ASCII);

    private volatile CountDownLatch slow = new CountDownLatch(1);

    /**
     * What the callers of one run saw.
     *
     * @param nanos of each call, ascending
     */
    private record Run(long[] nanos, int failures) {

        long percentile(double part) {
            return nanos[(int) Math.min(nanos.length - 1L, Math.round(part * nanos.length))];
        }

        @Override
        public String toString() {
            return "%d calls, %d failed, median %.1f ms, 99th percentile %.1f ms"
                    .formatted(nanos.length, failures, percentile(0.5) / 1e6, percentile(0.99) / 1e6);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"slow batches", "slow calls", "unread batches"})
    void oneHostileKeyDoesNotFailOrDelayTheOthers(String way) throws Exception {
        assumeTrue(
                Boolean.getBoolean("weir.fairness"),
                "times need a quiet machine: run with -Dit.test=FairnessIT -Dweir.fairness=true");
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ScriptedAnswers node = new ScriptedAnswers(this::answer);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx512m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            run(threads, weir);
            Run before = run(threads, weir);
            List<Socket> hostile = attack(weir, way);
            Run during = run(threads, weir);
            System.out.println("fairness: " + way + ": without: " + before + "; with: " + during);
            slow.countDown();
            for (Socket socket : hostile) {
                socket.close();
            }
            assertThat(during.failures()).isLessThanOrEqualTo(during.nanos().length / 1000);
            assertThat(during.percentile(0.99)).isLessThanOrEqualTo(3 * before.percentile(0.99));
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        } finally {
            threads.shutdownNow();
        }
    }

    private Run run(ExecutorService threads, WeirProcess weir) throws Exception {
        List<Future<long[]>> callers = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            String url = weir.url().replace("demo", "key" + key);
            callers.add(threads.submit(() -> call(new JsonRpcClient(url))));
        }
        long[] nanos = {};
        for (Future<long[]> caller : callers) {
            long[] more = caller.get();
            int length = nanos.length;
            nanos = Arrays.copyOf(nanos, length + more.length);
            System.arraycopy(more, 0, nanos, length, more.length);
        }
        Arrays.sort(nanos);
        // A call that failed counts with a negative time.
        int failures = (int) Arrays.stream(nanos).filter(time -> time < 0).count();
        return new Run(Arrays.copyOfRange(nanos, failures, nanos.length), failures);
    }

    private static long[] call(JsonRpcClient client) {
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        for (int i = 0; System.nanoTime() < end; i++) {
            long begun = System.nanoTime();
            String body = client.post(JsonRpcClient.call(
                            "eth_getBalance", "0x%040x".formatted(System.nanoTime()), i % 2 == 0 ? "0x10" : "latest"))
                    .body();
            long time = System.nanoTime() - begun;
            nanos.add(body.contains("\"result\"") ? time : -time);
            LockSupport.parkNanos(PAUSE_NANOS - time);
        }
        return nanos.stream().mapToLong(Long::longValue).toArray();
    }

    private List<Socket> attack(WeirProcess weir, String way) throws IOException {
        slow = new CountDownLatch(1);
        List<Socket> sockets = new ArrayList<>();
        int connections = way.equals("slow calls") ? 2_000 : 32;
        for (int i = 0; i < connections; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port());
            sockets.add(socket);
            String method = way.equals("unread batches") ? "trace_filter" : "trace_get";
            String body = way.equals("slow calls") ? call(method, i) : batch(method, i);
            socket.getOutputStream()
                    .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(US_ASCII));
        }
        return sockets;
    }

    private static String batch(String method, int number) {
        return "["
                + String.join(
                        ",",
                        IntStream.range(0, 1_000)
                                .mapToObj(id -> call(method, 1_000 * number + id))
                                .toList())
                + "]";
    }

    private static String call(String method, int number) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":[\"" + number + "\"]}";
    }

    private void answer(JsonNode call, OutputStream out) throws IOException {
        String method = call.path("method").asString();
        if (method.equals("trace_get")) {
            try {
                assertThat(slow.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        byte[] result = method.equals("trace_filter") ? LARGE : SharesIT.result(method);
        ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
    }

    private static String configuration(ScriptedAnswers node) throws Exception {
        ConfigurationText text =
                ConfigurationText.of("main", "1").upstream("a", node.url()).setting("networks.main.verify = off");
        text.setting("server.max-connections = 5000");
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        for (int key = 0; key < KEYS; key++) {
            String hash = HexFormat.of().formatHex(sha256.digest(("key" + key).getBytes(StandardCharsets.UTF_8)));
            text.setting(
                    "access.keys.k" + key + " { sha256 = \"" + hash + "\", networks = [\"*\"], methods = [\"*\"] }");
        }
        return text.text();
    }
}
