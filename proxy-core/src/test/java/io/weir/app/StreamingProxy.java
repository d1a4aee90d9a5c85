package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A running proxy before one node whose answers a test scripts, with the meters of streams. Thread-safe. */
final class StreamingProxy implements AutoCloseable {

    /** What the slowest client of a shared stream may be behind. */
    private static final double WINDOW = 1 << 20;

    private static final int TIMEOUT_MILLIS = 60_000;

    /** What the node answers to the next calls. */
    volatile ScriptedAnswers.Script script = (call, out) -> {};

    final ScriptedAnswers node;
    final LocalProxy weir;

    StreamingProxy(String... settings) throws IOException {
        node = new ScriptedAnswers((call, out) -> script.answer(call, out));
        ConfigurationText text =
                ConfigurationText.of("main", "1").upstream("a", node.url()).networkSetting("ejection = off");
        for (String setting : settings) {
            text.setting(setting);
        }
        weir = LocalProxy.start(text.text());
        await().until(() -> weir.admin().readyStatus() == 200);
    }

    /** Has the node answer with this result. */
    void answerWith(byte[] result) {
        script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
    }

    /** Has the node send so many bytes of its answer, and the rest once the latch is open. */
    void answerInTwoParts(byte[] result, int first, CountDownLatch rest) {
        script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, first);
            awaitLatch(rest);
            out.write(body, first, body.length - first);
        };
    }

    /** Has the node break off after so many bytes of its answer, and at the latest before the last one. */
    void breakOffAfter(byte[] result, int bytes) {
        script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, Math.min(bytes, body.length - 1));
            throw new IOException("cut");
        };
    }

    /** Sends requests over a connection of their own. */
    Socket send(String requests) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.getOutputStream().write(requests.getBytes(US_ASCII));
        return socket;
    }

    /** Sends one request, and returns its answer. */
    StrictAnswer ask(String request) throws IOException {
        try (Socket socket = send(request)) {
            return StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        }
    }

    /** Returns a request with this body and further header lines. */
    static String request(String body, String... headerLines) {
        StringBuilder head = new StringBuilder("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n");
        for (String line : headerLines) {
            head.append(line).append("\r\n");
        }
        return head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Returns the text of the answer to the call with this id. */
    static byte[] expected(String id, byte[] result) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + 100);
        out.writeBytes(("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":").getBytes(US_ASCII));
        out.writeBytes(result);
        out.write('}');
        return out.toByteArray();
    }

    /** Sends a request and reads nothing: the node is held, and in the end the client is cut. */
    void assertThatAClientThatReadsNothingIsCut(String request) throws IOException {
        awaitIdleNode();
        int failed = node.failed();
        double slow = weir.admin().metric("weir_slow_readers_total");
        try (Socket socket = send(request)) {
            assertHoldsLittleUntil(() -> node.failed() == failed + 1);
            assertThat(weir.admin().metric("weir_slow_readers_total")).isEqualTo(slow + 1);
            assertThat(socket.isConnected()).isTrue();
        }
        assertNothingInFlight();
    }

    /** Sends a request and leaves after so many bytes: the node's answer is given up, without a fault of the node. */
    void assertThatAClientThatLeavesEndsTheReading(String request, int bytes) throws IOException {
        awaitIdleNode();
        int failed = node.failed();
        double broken = brokenOff();
        try (Socket socket = send(request)) {
            assertThat(socket.getInputStream().readNBytes(bytes)).hasSize(bytes);
        }
        await().until(() -> node.failed() == failed + 1);
        assertNothingInFlight();
        assertThat(brokenOff()).isEqualTo(broken);
        assertThat(weir.admin().health("main", "a")).isEqualTo("healthy");
    }

    /** Returns how many answers went on while they arrived. */
    double streamed() {
        return weir.admin().metric("weir_upstream_streamed_total");
    }

    /** Returns how many of them broke off. */
    double brokenOff() {
        return weir.admin().metric("weir_upstream_broken_off_total");
    }

    /** Waits until the answer of a client that reads nothing is given up, and checks meanwhile that little of it is held. */
    private void assertHoldsLittleUntil(BooleanSupplier givenUp) {
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") > 0 || givenUp.getAsBoolean());
        await().until(() -> {
            // The window of a shared stream, and what is on its way into the client's socket.
            assertThat(weir.admin().metric("weir_bytes_in_flight")).isLessThan(2 * WINDOW);
            return givenUp.getAsBoolean();
        });
    }

    /** Waits until the node has noticed that the proxy gave up its answers to the calls of tests before. */
    private void awaitIdleNode() {
        await().until(() -> node.underWay() == 0);
    }

    void assertNothingInFlight() {
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        await().until(() -> weir.admin().metric("weir_calls_in_flight") == 0);
        await().until(() -> weir.admin().metric("weir_upstream_in_flight") == 0);
    }

    /** Waits as a part of a script. */
    static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            weir.close();
        } finally {
            node.close();
        }
    }
}
