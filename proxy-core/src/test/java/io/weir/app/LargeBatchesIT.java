package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Batches with large results: their order, and the bound on the bytes of all of them. */
final class LargeBatchesIT {

    private static final int SIZE = 1_500_000;
    /** Bytes of all results of a batch. */
    private static final int MAX_BYTES = 25_000_000;

    /** Calls of a batch that run at once. */
    private static final int MAX_AT_ONCE = 64;

    private static final String TOO_LARGE = "\"error\":{\"code\":-32003,\"message\":\"response too large\"}";

    private static final byte[] SMALL = "\"small\"".getBytes(US_ASCII);

    private static final JsonMapper JSON = new JsonMapper();

    private static StreamingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy("server.write-timeout = 2 s", "networks.main.upstreams.a.max-connections = 256");
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    @Test
    void aBatchOfSmallResultsIsAnsweredWithItsLength() throws IOException {
        answerWith(place -> SMALL);
        StrictAnswer answer = ask(100, "");
        assertThat(answer.head()).contains("Content-Length: ");
        assertThat(answer.body()).isEqualTo(expected(100, place -> SMALL));
    }

    @Test
    void theOrderIsThatOfTheCallsWhicheverResultComesFirst() throws IOException {
        byte[] large = ScriptedAnswers.result(2, SIZE);
        CountDownLatch others = new CountDownLatch(3);
        proxy.script = (call, out) -> {
            int place = place(call);
            byte[] body = ScriptedAnswers.body(call, place == 1 ? SMALL : large);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            if (place == 0) {
                out.write(body, 0, body.length / 2);
                StreamingProxy.awaitLatch(others);
                out.write(body, body.length / 2, body.length - body.length / 2);
            } else {
                out.write(body);
                others.countDown();
            }
        };
        assertThat(ask(4, "").body()).isEqualTo(expected(4, place -> place == 1 ? SMALL : large));
        proxy.assertNothingInFlight();
    }

    @Test
    void anyBatchIsTheSameTextWhateverStreams() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            int calls = 1 + random.nextInt(150);
            byte[][] results = new byte[calls][];
            for (int place = 0; place < calls; place++) {
                int size = random.nextInt(8) == 0 ? 1_100 + random.nextInt(600_000) : 1_100 + random.nextInt(30_000);
                results[place] = ScriptedAnswers.result(seed + place, size);
            }
            answerWith(place -> results[place]);
            assertThat(ask(calls, "").body())
                    .as("seed %d, batch %d", seed, i)
                    .isEqualTo(expected(calls, p -> results[p]));
            StrictAnswer accepted = ask(calls, "Accept-Encoding: gzip\r\n");
            assertThat(plain(accepted))
                    .as("seed %d, batch %d, packed", seed, i)
                    .isEqualTo(expected(calls, p -> results[p]));
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void errorsAndWrongElementsStandInTheirPlaces() throws IOException {
        byte[] large = ScriptedAnswers.result(5, SIZE);
        answerWith(place -> large);
        String batch = "[1," + call(0) + ",{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_sign\"}]";
        String body = new String(askText(batch, "").body(), UTF_8);
        assertThat(body).startsWith("[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
        assertThat(body).contains("},{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" + new String(large, UTF_8) + "},{");
        assertThat(body.substring(body.length() - 200))
                .contains("},{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601");
        proxy.assertNothingInFlight();
    }

    @Test
    void resultsUpToTheBoundPassAndTheRestIsNotAskedOfNodes() throws IOException {
        byte[] result = text(1_000_000);
        answerWith(place -> result);
        int asked = proxy.node.calls();
        List<JsonNode> answers = answers(ask(1_000, "").body());
        assertThat(answers).hasSize(1_000);
        int whole = 0;
        for (int place = 0; place < answers.size(); place++) {
            JsonNode answer = answers.get(place);
            assertThat(answer.path("id").asInt(-1)).isEqualTo(place);
            if (answer.has("result")) {
                assertThat(answer.path("result").asString()).hasSize(result.length - 2);
                whole++;
            } else {
                assertThat(answer.toString()).contains(TOO_LARGE);
            }
        }
        assertThat(whole).isEqualTo(MAX_BYTES / result.length);
        assertThat(proxy.node.calls() - asked).isLessThanOrEqualTo(MAX_AT_ONCE);
        proxy.assertNothingInFlight();
    }

    @Test
    void aSmallResultBehindTheBoundPassesIfItsCallHadBegun() throws IOException {
        byte[] large = text(MAX_BYTES - 1_000);
        byte[] medium = text(10_000);
        proxy.script = (call, out) -> {
            int place = place(call);
            await().until(() -> proxy.weir.admin().metric("weir_upstream_in_flight") == 3 - place);
            ScriptedAnswers.writeWhole(
                    out, ScriptedAnswers.body(call, place == 0 ? large : place == 1 ? medium : SMALL));
        };
        List<JsonNode> answers = answers(ask(3, "").body());
        assertThat(answers.get(0).has("result")).isTrue();
        assertThat(answers.get(1).toString()).contains(TOO_LARGE);
        assertThat(answers.get(2).path("result").asString()).isEqualTo("small");
        proxy.assertNothingInFlight();
    }

    @Test
    void whatABatchHoldsIsCounted() throws IOException {
        byte[] large = ScriptedAnswers.result(9, 2_000_000);
        CountDownLatch rest = new CountDownLatch(1);
        proxy.script = (call, out) -> {
            if (place(call) == 9) {
                StreamingProxy.awaitLatch(rest);
            }
            ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, large));
        };
        try (Socket socket = send(proxy, 10, "")) {
            await().until(() -> proxy.weir.admin().metric("weir_bytes_in_flight") >= 9 * large.length);
            rest.countDown();
            StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
            assertThat(answer.body()).isEqualTo(expected(10, place -> large));
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatReadsNothingIsCut() throws IOException {
        byte[] large = ScriptedAnswers.result(10, 700_000);
        answerWith(place -> large);
        double slow = proxy.weir.admin().metric("weir_slow_readers_total");
        try (Socket socket = send(proxy, 900, "")) {
            await().until(() -> proxy.weir.admin().metric("weir_slow_readers_total") == slow + 1);
            assertThat(socket.isConnected()).isTrue();
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsItsBatch() throws IOException {
        CountDownLatch left = new CountDownLatch(1);
        proxy.script = (call, out) -> {
            StreamingProxy.awaitLatch(left);
            ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, SMALL));
        };
        int asked = proxy.node.calls();
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(batch(900));
            await().until(() -> proxy.node.calls() >= asked + MAX_AT_ONCE);
        }
        await().until(() -> proxy.weir.admin().metric("weir_websockets") == 0);
        left.countDown();
        proxy.assertNothingInFlight();
        assertThat(proxy.node.calls()).isLessThan(asked + 900);
    }

    @Test
    void aWebSocketHasTheSameBound() {
        byte[] large = text(10_000_000);
        answerWith(place -> large);
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(batch(4));
            assertThat(socket.await())
                    .hasSizeBetween(2 * large.length, MAX_BYTES)
                    .startsWith("[{\"jsonrpc\":\"2.0\",\"id\":0,")
                    .contains(TOO_LARGE);
            socket.send(call(0));
            assertThat(socket.await()).hasSizeGreaterThan(large.length);
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aBatchWithoutRoomIsAnsweredAsFarAsThereIsRoom() throws IOException {
        byte[] large = ScriptedAnswers.result(12, SIZE);
        try (StreamingProxy small = new StreamingProxy("server.bytes-in-flight = 8 MiB")) {
            small.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, large));
            try (Socket socket = send(small, 20, "")) {
                StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
                assertThat(answers(answer.body()))
                        .hasSize(20)
                        .anyMatch(reply -> reply.has("result"))
                        .anyMatch(reply -> reply.path("error").path("code").asInt() == -32603);
            }
            small.assertNothingInFlight();
        }
    }

    /** Returns the text of an answer, which is not compressed if that would not make it smaller. */
    private static byte[] plain(StrictAnswer answer) throws IOException {
        return answer.head().contains("Content-Encoding: gzip")
                ? new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes()
                : answer.body();
    }

    private static byte[] text(int bytes) {
        return ("\"" + "x".repeat(bytes - 2) + "\"").getBytes(US_ASCII);
    }

    private static List<JsonNode> answers(byte[] body) {
        List<JsonNode> answers = new ArrayList<>();
        JSON.readTree(body).forEach(answers::add);
        return answers;
    }

    private static void answerWith(IntFunction<byte[]> results) {
        proxy.script =
                (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, results.apply(place(call))));
    }

    private static int place(JsonNode call) {
        return call.path("params").path(0).asInt(-1);
    }

    private static String call(int place) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + place + ",\"method\":\"trace_filter\",\"params\":[" + place + "]}";
    }

    private static String batch(int calls) {
        StringBuilder batch = new StringBuilder("[");
        for (int place = 0; place < calls; place++) {
            batch.append(place == 0 ? "" : ",").append(call(place));
        }
        return batch.append(']').toString();
    }

    private static byte[] expected(int calls, IntFunction<byte[]> results) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int place = 0; place < calls; place++) {
            String before = (place == 0 ? "[" : ",") + "{\"jsonrpc\":\"2.0\",\"id\":" + place + ",\"result\":";
            out.writeBytes(before.getBytes(US_ASCII));
            out.writeBytes(results.apply(place));
            out.write('}');
        }
        out.write(']');
        return out.toByteArray();
    }

    private static StrictAnswer ask(int calls, String headers) throws IOException {
        return askText(batch(calls), headers);
    }

    private static StrictAnswer askText(String body, String headers) throws IOException {
        try (Socket socket = sendText(proxy, body, headers)) {
            return StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        }
    }

    private static Socket send(StreamingProxy to, int calls, String headers) throws IOException {
        return sendText(to, batch(calls), headers);
    }

    private static Socket sendText(StreamingProxy to, String body, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.weir.port());
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers
                                + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(US_ASCII));
        return socket;
    }
}
