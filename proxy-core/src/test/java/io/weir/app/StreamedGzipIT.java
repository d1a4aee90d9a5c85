package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Large results that are compressed for the client while they arrive. */
final class StreamedGzipIT {

    /** The default of {@code server.compression.level}. */
    private static final int LEVEL = 4;

    private static final int SIZE = 3_000_000;
    private static final String GZIP = "Accept-Encoding: gzip\r\n";

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
    void aClientThatAcceptsGzipGetsTheStreamCompressed() throws IOException {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
        StrictAnswer answer = ask(GZIP);
        assertThat(answer.head())
                .contains("Transfer-Encoding: chunked", "Content-Encoding: gzip", "Vary: Accept-Encoding");
        assertThat(unpacked(answer.body())).isEqualTo(expected(result));
        assertThat(answer.body().length).isLessThan(packed(expected(result)).length * 21 / 20);
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        assertThat(ask("Accept-Encoding: br, gzip;q=0\r\n").head()).doesNotContain("Content-Encoding");
        proxy.assertNothingInFlight();
    }

    @Test
    void theClientCanReadAllThatArrivedWhileTheNodeHoldsTheRest() throws Exception {
        byte[] result = ScriptedAnswers.result(2, SIZE);
        CountDownLatch seen = new CountDownLatch(1);
        int held = 300_001;
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, held);
            StreamingProxy.awaitLatch(seen);
            out.write(body, held, body.length - held);
        };
        try (Socket socket = send(GZIP)) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            StrictAnswer answer = StrictAnswer.beginning(in);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            byte[] first = {};
            while (first.length < held - 50) {
                packed.writeBytes(answer.chunk(in));
                first = unpackedSoFar(packed.toByteArray());
            }
            assertThat(first).isEqualTo(Arrays.copyOf(expected(result), first.length));
            seen.countDown();
            answer.readOn(in);
            assertThat(unpacked(answer.body())).isEqualTo(expected(result));
        }
    }

    @Test
    void aNodeThatSendsOneByteAtATimeIsPassedOn() throws IOException {
        byte[] result = ScriptedAnswers.result(3, 300_000);
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, 270_000);
            for (int at = 270_000; at < body.length; at++) {
                out.write(body[at]);
            }
        };
        assertThat(unpacked(ask(GZIP).body())).isEqualTo(expected(result));
    }

    @Test
    void aNodeThatBreaksOffLeavesNeitherALastChunkNorAnEndOfTheText() throws Exception {
        byte[] result = ScriptedAnswers.result(4, SIZE);
        double before = proxy.brokenOff();
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, body.length - 1);
            throw new IOException("cut");
        };
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (Socket socket = send(GZIP)) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            StrictAnswer.beginning(in);
            assertThatThrownBy(() -> {
                        for (byte[] chunk = StrictAnswer.passChunk(in);
                                chunk.length > 0;
                                chunk = StrictAnswer.passChunk(in)) {
                            packed.writeBytes(chunk);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> unpacked(packed.toByteArray())).isInstanceOf(IOException.class);
        await().until(() -> proxy.brokenOff() == before + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatReadsNothingHoldsBackTheNodeAndIsCut() throws IOException {
        byte[] result = new byte[60_000_000];
        fillWithHex(result);
        int failed = proxy.node.failed();
        double slow = proxy.weir.admin().metric("weir_slow_readers_total");
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
        try (Socket socket = send(GZIP)) {
            proxy.assertHoldsLittleUntil(() -> proxy.node.failed() == failed + 1);
            assertThat(proxy.weir.admin().metric("weir_slow_readers_total")).isEqualTo(slow + 1);
            assertThat(socket.isConnected()).isTrue();
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesInTheMiddleGivesEverythingBack() throws IOException {
        byte[] result = new byte[60_000_000];
        fillWithHex(result);
        int failed = proxy.node.failed();
        double broken = proxy.brokenOff();
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
        try (Socket socket = send(GZIP)) {
            assertThat(socket.getInputStream().readNBytes(500_000)).hasSize(500_000);
        }
        await().until(() -> proxy.node.failed() == failed + 1);
        proxy.assertNothingInFlight();
        assertThat(proxy.brokenOff()).isEqualTo(broken);
    }

    @Test
    void answersBehindACompressedStreamKeepTheirOrder() throws IOException {
        byte[] result = ScriptedAnswers.result(6, SIZE);
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
        try (Socket socket = send(GZIP, "", GZIP + "Connection: close\r\n")) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            assertThat(unpacked(StrictAnswer.read(in).body())).isEqualTo(expected(result));
            assertThat(StrictAnswer.read(in).body()).isEqualTo(expected(result));
            StrictAnswer last = StrictAnswer.read(in);
            assertThat(last.head()).contains("Connection: close");
            assertThat(unpacked(last.body())).isEqualTo(expected(result));
            assertThat(in.read()).isEqualTo(-1);
        }
        proxy.assertNothingInFlight();
    }

    /** Makes a text that packs to about half. */
    private static void fillWithHex(byte[] text) {
        Random random = new Random(text.length);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) "0123456789abcdef".charAt(random.nextInt(16));
        }
        text[0] = '"';
        text[text.length - 1] = '"';
    }

    private static byte[] expected(byte[] result) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + 100);
        out.writeBytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":".getBytes(US_ASCII));
        out.writeBytes(result);
        out.write('}');
        return out.toByteArray();
    }

    private static byte[] packed(byte[] text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(LEVEL);
            }
        }) {
            gzip.write(text);
        }
        return out.toByteArray();
    }

    private static byte[] unpacked(byte[] packed) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    }

    /** Returns what can be read of a text whose end is missing. */
    private static byte[] unpackedSoFar(byte[] packed) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed, 10, packed.length - 10);
            byte[] text = new byte[SIZE];
            int length = 0;
            for (int more = 1; more > 0; length += more) {
                more = inflater.inflate(text, length, text.length - length);
            }
            return Arrays.copyOf(text, length);
        } finally {
            inflater.end();
        }
    }

    private static StrictAnswer ask(String headers) throws IOException {
        try (Socket socket = send(headers)) {
            return StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        }
    }

    /** Sends a call for each of these headers. */
    private static Socket send(String... headers) throws IOException {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[0]}";
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.weir.port());
        socket.setSoTimeout(60_000);
        StringBuilder requests = new StringBuilder();
        for (String header : headers) {
            requests.append("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n")
                    .append(header)
                    .append("Content-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body);
        }
        socket.getOutputStream().write(requests.toString().getBytes(US_ASCII));
        return socket;
    }
}
