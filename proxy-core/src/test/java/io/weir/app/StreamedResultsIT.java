package io.weir.app;

import static io.weir.app.StreamingProxy.expected;
import static io.weir.app.StreamingProxy.request;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large results that go on to the client while they arrive, whatever the node sends. */
final class StreamedResultsIT {

    private static final int SIZE = 3_000_000;

    private static StreamingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy("server.write-timeout = 2 s");
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    @Test
    void aResultOfKnownLengthArrivesByteForByte() throws IOException {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        double billed = proxy.weir.admin().metric("weir_key_bytes_total");
        proxy.answerWith(result);
        StrictAnswer answer = ask("7");
        assertThat(answer.head()).contains("Transfer-Encoding: chunked", "Server-Timing:", "Cache-Status: weir; fwd=");
        assertThat(answer.body()).isEqualTo(expected("7", result));
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        assertThat(proxy.weir.admin().metric("weir_key_bytes_total")).isEqualTo(billed + result.length);
    }

    @Test
    void aResultInChunksArrivesByteForByte() throws IOException {
        byte[] result = ScriptedAnswers.result(2, SIZE);
        double before = proxy.streamed();
        proxy.script = (call, out) -> ScriptedAnswers.writeChunks(out, ScriptedAnswers.body(call, result), 10_007);
        assertThat(ask("\"text\"").body()).isEqualTo(expected("\"text\"", result));
        assertThat(proxy.streamed()).isEqualTo(before + 1);
    }

    @Test
    void aSmallBoundOnWhatIsCollectedCutsOffNoStream() throws IOException {
        try (StreamingProxy small = new StreamingProxy("networks.main.upstreams.a.max-response = 100 KiB")) {
            byte[] result = ScriptedAnswers.result(4, 300_000);
            small.answerWith(result);
            assertThat(small.ask(call("1")).body()).isEqualTo(expected("1", result));
            small.script = (call, out) -> ScriptedAnswers.writeChunks(out, ScriptedAnswers.body(call, result), 10_007);
            assertThat(small.ask(call("1")).body()).isEqualTo(expected("1", result));
            assertThat(small.streamed()).isEqualTo(2);
        }
    }

    /** The node has ended before the socket of the client has taken all. */
    @ParameterizedTest
    @ValueSource(ints = {1_009, 7_777, 12_000})
    void aResultInSmallChunksArrivesToItsEnd(int chunk) throws IOException {
        for (int i = 0; i < 12; i++) {
            byte[] result = ScriptedAnswers.result(i, 700_000);
            proxy.script = (call, out) -> ScriptedAnswers.writeChunks(out, ScriptedAnswers.body(call, result), chunk);
            assertThat(ask("1").body()).as("result %d", i).isEqualTo(expected("1", result));
        }
    }

    @Test
    void allThatArrivedGoesOnWhileTheNodeHoldsTheRest() throws Exception {
        byte[] result = ScriptedAnswers.result(3, SIZE);
        CountDownLatch seen = new CountDownLatch(1);
        proxy.answerInTwoParts(result, 100_000, seen);
        try (Socket socket = proxy.send(call("1"))) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            StrictAnswer answer = StrictAnswer.beginning(in);
            int first = 0;
            while (first < 99_900) {
                first += answer.chunk(in).length;
            }
            seen.countDown();
            answer.readOn(in);
            assertThat(answer.body()).isEqualTo(expected("1", result));
        }
    }

    @Test
    void howTheNodesBytesAreCutChangesNothing() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 5; i++) {
            byte[] result = ScriptedAnswers.result(seed + i, 400_000);
            proxy.script = (call, out) -> {
                byte[] body = ScriptedAnswers.body(call, result);
                out.write(ScriptedAnswers.head("Content-Length: " + body.length));
                for (int at = 0; at < body.length; ) {
                    int length = Math.min(body.length - at, 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000));
                    out.write(body, at, length);
                    at += length;
                }
            };
            assertThat(ask("1").body()).as("seed %d, result %d", seed, i).isEqualTo(expected("1", result));
        }
    }

    @Test
    void aResultBeforeItsIdIsStreamed() throws IOException {
        byte[] result = ScriptedAnswers.result(4, SIZE);
        double before = proxy.streamed();
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out,
                join("{\"jsonrpc\":\"2.0\",\"result\":", result, " , \"id\":" + call.get("id") + ",\"error\":null}\n"));
        assertThat(ask("1").body()).isEqualTo(expected("1", result));
        assertThat(proxy.streamed()).isEqualTo(before + 1);
    }

    @Test
    void aNodeThatBreaksOffEndsTheClientsConnectionWithoutTheLastChunk() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        double before = proxy.brokenOff();
        for (int i = 0; i < 10; i++) {
            byte[] result = ScriptedAnswers.result(5, SIZE);
            int cut = 1_000 + random.nextInt(SIZE - 1_000);
            proxy.breakOffAfter(result, cut);
            assertCutOff("seed " + seed + ", byte " + cut);
        }
        awaitBrokenOff(before + 10);
        proxy.assertNothingInFlight();
    }

    @Test
    void aResultThatIsNoJsonIsBrokenOff() throws IOException {
        assertBroken(bad(ScriptedAnswers.result(6, SIZE), SIZE / 2, (byte) 0xff));
        assertBroken(bad(ScriptedAnswers.result(6, SIZE), SIZE / 2, (byte) 1));
        byte[] unbalanced = ScriptedAnswers.result(6, SIZE);
        unbalanced[SIZE - 1] = '}';
        assertBroken(unbalanced);
    }

    @Test
    void anEnvelopeThatTurnsOutToBeWrongIsBrokenOff() throws IOException {
        byte[] result = ScriptedAnswers.result(7, SIZE);
        for (String end :
                new String[] {",\"error\":{\"code\":1,\"message\":\"\"}}", "}}", ",\"id\":\"no\"}", ",", ""}) {
            double before = proxy.brokenOff();
            proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                    out, join("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":", result, end));
            assertCutOff(end);
            awaitBrokenOff(before + 1);
        }
    }

    @Test
    void anotherNodesIdIsBrokenOff() throws IOException {
        byte[] result = ScriptedAnswers.result(8, SIZE);
        double before = proxy.brokenOff();
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out, join("{\"jsonrpc\":\"2.0\",\"result\":", result, ",\"id\":\"another\"}"));
        assertCutOff("id");
        awaitBrokenOff(before + 1);
    }

    @Test
    void aLargeErrorAndALargeMemberBeforeTheResultAreCollected() throws IOException {
        double before = proxy.streamed();
        String data = "x".repeat(SIZE);
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out,
                ("{\"id\":" + call.get("id") + ",\"error\":{\"code\":3,\"message\":\"execution reverted\",\"data\":\""
                                + data + "\"}}")
                        .getBytes(US_ASCII));
        assertThat(new String(ask("1").body(), UTF_8)).contains("\"code\":3");
        byte[] result = ScriptedAnswers.result(9, 1_000);
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out, join("{\"more\":\"" + data + "\",\"id\":" + call.get("id") + ",\"result\":", result, "}"));
        assertThat(ask("1").body()).isEqualTo(expected("1", result));
        assertThat(proxy.streamed()).isEqualTo(before);
    }

    @Test
    void aClientThatLeavesEndsTheReadingFromTheNode() throws IOException {
        proxy.answerWith(ScriptedAnswers.result(10, 30_000_000));
        proxy.assertThatAClientThatLeavesEndsTheReading(call("1"), 1_000_000);
    }

    @Test
    void aClientThatReadsNothingIsCutAndMeanwhileTheNodeIsNotReadOn() throws IOException {
        proxy.answerWith(ScriptedAnswers.result(11, 60_000_000));
        proxy.assertThatAClientThatReadsNothingIsCut(call("1"));
    }

    @Test
    void callsBehindALargeOneAreAnsweredAfterIt() throws IOException {
        byte[] result = ScriptedAnswers.result(12, SIZE);
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out,
                ScriptedAnswers.body(
                        call, call.path("params").path(0).asInt() == 0 ? result : "\"small\"".getBytes(US_ASCII)));
        try (Socket socket =
                proxy.send(request("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[0]}")
                        + request("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"trace_filter\",\"params\":[1]}")
                        + request("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"trace_filter\",\"params\":[0]}")
                        + closing("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"trace_filter\",\"params\":[1]}"))) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            assertThat(StrictAnswer.read(in).body()).isEqualTo(expected("1", result));
            assertThat(StrictAnswer.read(in).body()).isEqualTo(expected("2", "\"small\"".getBytes(US_ASCII)));
            assertThat(StrictAnswer.read(in).body()).isEqualTo(expected("3", result));
            assertThat(StrictAnswer.read(in).body()).isEqualTo(expected("4", "\"small\"".getBytes(US_ASCII)));
            assertThat(in.read()).isEqualTo(-1);
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void anOldClientGetsTheWholeWithItsLength() throws IOException {
        byte[] result = ScriptedAnswers.result(13, SIZE);
        double before = proxy.streamed();
        proxy.answerWith(result);
        try (Socket socket = proxy.send(call("1").replace("HTTP/1.1", "HTTP/1.0"))) {
            StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream()));
            assertThat(answer.head()).contains("Content-Length: ");
            assertThat(answer.body()).isEqualTo(expected("1", result));
        }
        assertThat(proxy.streamed()).isEqualTo(before);
    }

    @Test
    void streamsAndTheirBytesAreCounted() throws Exception {
        byte[] result = ScriptedAnswers.result(16, SIZE);
        CountDownLatch seen = new CountDownLatch(1);
        double bytes = proxy.weir.admin().metric("weir_streamed_bytes_total");
        proxy.answerInTwoParts(result, SIZE / 2, seen);
        try (Socket socket = proxy.send(call("1"))) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            StrictAnswer answer = StrictAnswer.beginning(in);
            assertThat(proxy.weir.admin().metric("weir_streams_in_flight")).isEqualTo(1);
            seen.countDown();
            answer.readOn(in);
        }
        assertThat(proxy.weir.admin().metric("weir_streamed_bytes_total")).isEqualTo(bytes + result.length);
        await().until(() -> proxy.weir.admin().metric("weir_streams_in_flight") == 0);
    }

    private static void assertBroken(byte[] result) throws IOException {
        double before = proxy.brokenOff();
        proxy.answerWith(result);
        assertCutOff("invalid");
        awaitBrokenOff(before + 1);
    }

    private static void assertCutOff(String description) {
        assertThatThrownBy(() -> ask("1")).as(description).isInstanceOf(IOException.class);
    }

    /** The client sees the end of its connection a moment before the attempt is counted. */
    private static void awaitBrokenOff(double count) {
        await().until(() -> proxy.brokenOff() == count);
    }

    private static byte[] bad(byte[] result, int at, byte b) {
        result[at] = b;
        return result;
    }

    private static byte[] join(String before, byte[] result, String after) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + 200);
        out.writeBytes(before.getBytes(US_ASCII));
        out.writeBytes(result);
        out.writeBytes(after.getBytes(US_ASCII));
        return out.toByteArray();
    }

    private static String call(String id) {
        return closing("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"trace_filter\",\"params\":[0]}");
    }

    private static String closing(String body) {
        return request(body, "Connection: close");
    }

    private static StrictAnswer ask(String id) throws IOException {
        return proxy.ask(call(id));
    }
}
