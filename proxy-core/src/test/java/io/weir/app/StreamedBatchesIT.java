package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Batches with large results, which go on to the client in the order of the calls while they arrive. */
final class StreamedBatchesIT {

    private static final int SIZE = 1_500_000;
    /** The calls that run at once, and each of them again at most, if there was no room for its result before its turn. */
    private static final int MAX_ASKED = 2 * 64;

    private static final byte[] SMALL = "\"small\"".getBytes(US_ASCII);

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
    void aLargeResultStreamsInItsTurn() throws IOException {
        byte[] large = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        answerInTurn(2, large);
        StrictAnswer answer = ask(5, "");
        assertThat(answer.head()).contains("Transfer-Encoding: chunked");
        assertThat(answer.body()).isEqualTo(expected(5, place -> place == 2 ? large : SMALL));
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        proxy.assertNothingInFlight();
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
    void allThatHasComeInOrderIsWithTheClientWhileTheNodeHoldsTheRest() throws IOException {
        byte[] large = ScriptedAnswers.result(3, SIZE);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        proxy.script = (call, out) -> {
            int place = place(call);
            if (place == 1) {
                // A large result that comes before its turn is held, and the batch with it.
                StreamingProxy.awaitLatch(asked);
                awaitInFlight(2);
            } else if (place == 2) {
                asked.countDown();
                StreamingProxy.awaitLatch(seen);
            }
            ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, place == 1 ? large : SMALL));
        };
        byte[] whole = expected(3, place -> place == 1 ? large : SMALL);
        try (Socket socket = send(proxy, 3, "")) {
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            StrictAnswer answer = StrictAnswer.beginning(in);
            int first = 0;
            int last = expected(1, place -> SMALL).length;
            while (first < whole.length - last) {
                first += answer.chunk(in).length;
            }
            seen.countDown();
            answer.readOn(in);
            assertThat(answer.body()).isEqualTo(whole);
        }
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
            byte[] packed = ask(calls, "Accept-Encoding: gzip\r\n").body();
            assertThat(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes())
                    .as("seed %d, batch %d, packed", seed, i)
                    .isEqualTo(expected(calls, p -> results[p]));
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aNodeThatBreaksOffEndsTheClientsConnection() throws IOException {
        byte[] large = ScriptedAnswers.result(4, SIZE);
        double before = proxy.brokenOff();
        proxy.script = (call, out) -> {
            boolean cut = place(call) == 1;
            byte[] body = ScriptedAnswers.body(call, cut ? large : SMALL);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, cut ? body.length - 1 : body.length);
            if (cut) {
                throw new IOException("cut");
            }
        };
        assertThatThrownBy(() -> ask(3, "")).isInstanceOf(IOException.class);
        await().until(() -> proxy.brokenOff() == before + 1);
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
    void aClientThatReadsNothingHoldsLittleAndIsCut() throws IOException {
        byte[] large = ScriptedAnswers.result(6, 700_000);
        answerWith(place -> large);
        double slow = proxy.weir.admin().metric("weir_slow_readers_total");
        int asked = proxy.node.calls();
        try (Socket socket = send(proxy, 900, "")) {
            await().until(() -> proxy.weir.admin().metric("weir_slow_readers_total") == slow + 1);
            assertThat(socket.isConnected()).isTrue();
        }
        assertThat(proxy.node.calls()).isLessThanOrEqualTo(asked + MAX_ASKED);
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsItsBatch() throws IOException {
        byte[] large = ScriptedAnswers.result(7, 700_000);
        answerWith(place -> large);
        double broken = proxy.brokenOff();
        int asked = proxy.node.calls();
        try (Socket socket = send(proxy, 900, "")) {
            socket.getInputStream().readNBytes(1_000_000);
        }
        proxy.assertNothingInFlight();
        assertThat(proxy.node.calls()).isLessThanOrEqualTo(asked + MAX_ASKED);
        assertThat(proxy.brokenOff()).isEqualTo(broken);
    }

    @Test
    void manyResultsThatTakeMuchMemoryTogetherGoOutAsTheyCome() throws IOException {
        byte[] result = ScriptedAnswers.result(8, 100_000);
        answerWith(place -> result);
        double streamed = proxy.streamed();
        try (Socket socket = send(proxy, 300, "")) {
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            StrictAnswer answer = StrictAnswer.beginning(in);
            assertThat(answer.head()).contains("Transfer-Encoding: chunked");
            assertThat(proxy.weir.admin().metric("weir_bytes_in_flight")).isLessThan(64 * 300_000);
            answer.readOn(in);
            assertThat(answer.body()).isEqualTo(expected(300, place -> result));
        }
        assertThat(proxy.streamed()).isEqualTo(streamed);
        proxy.assertNothingInFlight();
    }

    @Test
    void aWebSocketGetsItInFragmentsOfOneMessage() {
        byte[] large = ScriptedAnswers.result(9, SIZE);
        double before = proxy.streamed();
        answerInTurn(1, large);
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(batch(3));
            assertThat(socket.await()).isEqualTo(new String(expected(3, place -> place == 1 ? large : SMALL), UTF_8));
            socket.send(call(0));
            assertThat(socket.await()).contains("\"small\"");
        }
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aSubscriptionWithinSuchABatchBeginsBehindItsEnd() throws IOException {
        byte[] large = ScriptedAnswers.result(10, SIZE);
        String block = "{\"number\":\"0x10\",\"hash\":\"0x" + "1".repeat(64) + "\",\"parentHash\":\"0x" + "2".repeat(64)
                + "\"}";
        try (StreamingProxy unchecked = new StreamingProxy("networks.main.verify = off")) {
            unchecked.script = (call, out) -> ScriptedAnswers.writeWhole(
                    out,
                    ScriptedAnswers.body(
                            call,
                            call.path("method").asString().equals("trace_filter") ? large : block.getBytes(US_ASCII)));
            try (JsonRpcSocket socket = JsonRpcSocket.connect(unchecked.weir.socketUrl())) {
                socket.send("[" + call(0)
                        + ",{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\"]}]");
                String answer = socket.await();
                assertThat(answer).startsWith("[{\"jsonrpc\"");
                assertThat(answer.substring(answer.length() - 100)).contains("\"id\":1,\"result\":\"0x");
                await().until(() -> unchecked.weir.admin().metric("weir_subscriptions") == 1);
            }
            await().until(() -> unchecked.weir.admin().metric("weir_subscriptions") == 0);
        }
    }

    @Test
    void aNodeThatBreaksOffClosesTheWebSocket() throws Exception {
        byte[] large = ScriptedAnswers.result(11, SIZE);
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, large);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, SIZE - 1);
            throw new IOException("cut");
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(batch(2));
            assertThat(socket.closed().get(1, TimeUnit.MINUTES).code()).isEqualTo(1011);
        }
        proxy.assertNothingInFlight();
    }

    /** Most of them come out of their turn, and there is no room for them. */
    @Test
    void aBatchLargerThanTheMemoryArrivesWhole() throws IOException {
        byte[] large = ScriptedAnswers.result(12, SIZE);
        try (StreamingProxy small = new StreamingProxy("server.bytes-in-flight = 8 MiB")) {
            small.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, large));
            try (Socket socket = send(small, 20, "")) {
                StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
                assertThat(answer.body()).isEqualTo(expected(20, place -> large));
            }
            small.assertNothingInFlight();
        }
    }

    /** The calls before it are as many as run at once, so that it has not begun when the last result streams. */
    @Test
    void aNotificationBehindResultsThatStreamIsCarriedOut() throws IOException {
        byte[] large = ScriptedAnswers.result(13, SIZE);
        CountDownLatch streams = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        try (StreamingProxy one =
                new StreamingProxy("networks.main.hashing = none", "networks.main.upstreams.a.max-connections = 256")) {
            one.script = (call, out) -> {
                if (call.path("method").asString().equals("eth_sendRawTransaction")) {
                    sent.countDown();
                }
                byte[] body = ScriptedAnswers.body(call, place(call) == 0 ? large : SMALL);
                out.write(ScriptedAnswers.head("Content-Length: " + body.length));
                int first = body.length / 2;
                if (place(call) == 0) {
                    out.write(body, 0, first);
                    await().until(() -> one.weir.admin().metric("weir_streams_in_flight") == 1);
                    streams.countDown();
                    await().until(() -> one.weir.admin().metric("weir_upstream_in_flight") == 1);
                    out.write(body, first, body.length - first);
                } else {
                    StreamingProxy.awaitLatch(streams);
                    out.write(body);
                }
            };
            String calls = batch(64);
            String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"eth_sendRawTransaction\",\"params\":[\"0x02c0\"]}";
            try (Socket socket = sendText(one, calls.substring(0, calls.length() - 1) + "," + notification + "]", "")) {
                StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
                assertThat(answer.body()).isEqualTo(expected(64, place -> place == 0 ? large : SMALL));
            }
            await().until(() -> sent.getCount() == 0);
            one.assertNothingInFlight();
        }
    }

    private static void answerWith(IntFunction<byte[]> results) {
        proxy.script =
                (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, results.apply(place(call))));
    }

    private static int place(JsonNode call) {
        return call.path("params").path(0).asInt(-1);
    }

    /** Answers the calls before a large result first, so that its turn has come. */
    private static void answerInTurn(int turn, byte[] large) {
        proxy.script = (call, out) -> {
            if (place(call) == turn) {
                awaitInFlight(1);
            }
            ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, place(call) == turn ? large : SMALL));
        };
    }

    private static void awaitInFlight(int calls) {
        await().until(() -> proxy.weir.admin().metric("weir_upstream_in_flight") == calls);
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
