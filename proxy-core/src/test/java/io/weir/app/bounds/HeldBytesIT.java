package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.Runs;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.FrameConnection;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The gauge of the bytes in flight, beside the arrays and buffers that a process holds, for random requests that do not end. */
final class HeldBytesIT {

    private static final Pattern BYTE_ARRAYS = Pattern.compile("\\d+:\\s+\\d+\\s+(\\d+)\\s+\\[B ");
    private static final long SEED = Long.getLong("weir.held.seed", System.nanoTime());
    private static final int RUNS = Runs.number("weir.held.runs", 3, 60);

    /** Netty keeps no idle buffers. */
    private static final List<String> FLAGS =
            List.of("-Xmx512m", "-Dio.netty.allocator.numDirectArenas=0", "-Dio.netty.allocator.numHeapArenas=0");

    private final List<AutoCloseable> open = new ArrayList<>();
    private volatile CountDownLatch hanging = new CountDownLatch(1);

    /** A request that does not end, because its client or a node stops. */
    private enum Request {
        BATCH,
        BATCH_OVER_HTTP2,
        BATCH_OVER_WEB_SOCKET,
        HANGING_BATCH,
        LARGE_RESULT,
        HALF_BODY,
        HALF_GZIP,
        HALF_MESSAGE
    }

    /**
     * Bytes of one moment.
     *
     * @param held in arrays of the heap and in buffers outside of it
     */
    private record Bytes(long counted, long held) {

        static Bytes of(WeirProcess weir) throws IOException {
            ProcessHandle process = weir.process().handle();
            Path java = Path.of(ProcessHandle.current().info().command().orElse("java"));
            Process jcmd = new ProcessBuilder(
                            java.resolveSibling("jcmd").toString(), Long.toString(process.pid()), "GC.class_histogram")
                    .start();
            Matcher arrays =
                    BYTE_ARRAYS.matcher(new String(jcmd.getInputStream().readAllBytes(), UTF_8));
            assertThat(arrays.find()).isTrue();
            long direct = (long) weir.admin().metric("weir_bytes_direct");
            return new Bytes(
                    (long) weir.admin().metric("weir_bytes_in_flight"), direct + Long.parseLong(arrays.group(1)));
        }
    }

    @Test
    void atLeastFourFifthsOfTheBytesHeldAreCounted() throws Exception {
        Random random = new Random(SEED);
        try (ScriptedAnswers node = new ScriptedAnswers(this::answer);
                WeirProcess weir = WeirProcess.start(FLAGS, configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            // The first requests load classes.
            for (Request kind : Request.values()) {
                begin(kind, weir, random);
            }
            end(weir);
            long rest = Bytes.of(weir).held();
            for (int run = 0; run < RUNS; run++) {
                List<Request> kinds = random.ints(4 + random.nextInt(12), 0, Request.values().length)
                        .mapToObj(kind -> Request.values()[kind])
                        .toList();
                for (Request kind : kinds) {
                    begin(kind, weir, random);
                }
                awaitRest(weir);
                Bytes now = Bytes.of(weir);
                System.out.println(
                        "held bytes: " + now.counted() + " counted, " + (now.held() - rest) + " held: " + kinds);
                assertThat(now.counted())
                        .as("bytes counted in run %d of the seed %d: %s", run, SEED, kinds)
                        .isGreaterThan((now.held() - rest) * 4 / 5);
                end(weir);
            }
        }
    }

    private void begin(Request kind, WeirProcess weir, Random random) throws IOException {
        String batch = batch(random, kind == Request.HANGING_BATCH);
        byte[] spaces = new byte[1 << (20 + random.nextInt(2))];
        switch (kind) {
            case BATCH, HANGING_BATCH -> send(weir, batch.getBytes(US_ASCII), batch.length(), "");
            case BATCH_OVER_HTTP2 ->
                opened(new Http2Connection(weir.port(), null)).post(1, "/v3/demo", batch);
            case BATCH_OVER_WEB_SOCKET ->
                opened(new FrameConnection(weir.port())).send(batch);
            case LARGE_RESULT -> {
                String call = call(1_000_000 + random.nextInt(9_000_000), random.nextInt());
                send(weir, call.getBytes(US_ASCII), call.length(), "");
            }
            case HALF_BODY -> send(weir, spaces, 2 * spaces.length, "");
            case HALF_GZIP -> {
                byte[] packed = ScriptedAnswers.gzip(spaces);
                send(weir, packed, packed.length + 1, "Content-Encoding: gzip\r\n");
            }
            default -> {
                FrameConnection socket = opened(new FrameConnection(weir.port()));
                for (int i = 0; i < 100; i++) {
                    socket.sendFragment(i == 0, " ".repeat(1 << 14));
                }
            }
        }
    }

    private <T extends AutoCloseable> T opened(T connection) {
        open.add(connection);
        return connection;
    }

    private void send(WeirProcess weir, byte[] body, int length, String header) throws IOException {
        OutputStream out = opened(new Socket(InetAddress.getLoopbackAddress(), weir.port()))
                .getOutputStream();
        out.write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + header
                        + "Content-Length: " + length + "\r\n\r\n")
                .getBytes(US_ASCII));
        out.write(body);
    }

    private static String batch(Random random, boolean hangs) {
        int size = 10_000 + random.nextInt(1_000_000);
        int calls = 1 + random.nextInt(30);
        return IntStream.range(0, calls)
                .mapToObj(i -> hangs && i == calls / 2 ? call(-1, i) : call(size, random.nextInt()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** @param size of the result; a negative one does not come before the end of the run */
    private static String call(int size, int number) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[{\"fromBlock\":\"0x1\",\"after\":"
                + number + ",\"count\":" + size + "}]}";
    }

    private void answer(JsonNode call, OutputStream out) throws IOException {
        int size = call.path("params").path(0).path("count").asInt(0);
        try {
            if (size < 0) {
                assertThat(hanging.await(1, TimeUnit.MINUTES)).isTrue();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        String method = call.path("method").asString();
        byte[] large = ("\"" + "x".repeat(Math.max(0, size)) + "\"").getBytes(US_ASCII);
        ScriptedAnswers.writeWhole(
                out, ScriptedAnswers.body(call, method.equals("trace_filter") ? large : SharesIT.result(method)));
    }

    /** Waits until the gauge has the same value for a while. */
    private static void awaitRest(WeirProcess weir) {
        double[] last = new double[5];
        int[] reads = {0};
        await().until(() -> {
            last[reads[0]++ % last.length] = weir.admin().metric("weir_bytes_in_flight");
            return reads[0] > last.length && IntStream.range(1, last.length).allMatch(i -> last[i] == last[0]);
        });
    }

    private void end(WeirProcess weir) throws Exception {
        awaitRest(weir);
        hanging.countDown();
        for (AutoCloseable connection : open) {
            connection.close();
        }
        open.clear();
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        hanging = new CountDownLatch(1);
    }

    private static String configuration(ScriptedAnswers node) {
        return ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                .networkSetting("verify = off")
                .networkSetting("ejection = off")
                .setting("cache.memory = 1 MiB")
                .text();
    }
}
