package io.weir.app;

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

    /** The level at which the proxy packs. */
    private static final int LEVEL = 4;

    private static final int SIZE = 3_000_000;
    private static final String GZIP = "Accept-Encoding: gzip";

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
        proxy.answerWith(result);
        StrictAnswer answer = proxy.ask(request(GZIP));
        assertThat(answer.head())
                .contains("Transfer-Encoding: chunked", "Content-Encoding: gzip", "Vary: Accept-Encoding");
        assertThat(unpacked(answer.body())).isEqualTo(expected(result));
        assertThat(answer.body().length).isLessThan(packed(expected(result)).length * 21 / 20);
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        assertThat(proxy.ask(request("Accept-Encoding: br, gzip;q=0")).head()).doesNotContain("Content-Encoding");
        proxy.assertNothingInFlight();
    }

    @Test
    void theClientCanReadAllThatArrivedWhileTheNodeHoldsTheRest() throws Exception {
        byte[] result = ScriptedAnswers.result(2, SIZE);
        CountDownLatch seen = new CountDownLatch(1);
        int held = 300_001;
        proxy.answerInTwoParts(result, held, seen);
        try (Socket socket = proxy.send(request(GZIP))) {
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
        assertThat(unpacked(proxy.ask(request(GZIP)).body())).isEqualTo(expected(result));
    }

    @Test
    void aNodeThatBreaksOffLeavesNeitherALastChunkNorAnEndOfTheText() throws Exception {
        byte[] result = ScriptedAnswers.result(4, SIZE);
        double before = proxy.brokenOff();
        proxy.breakOffAfter(result, Integer.MAX_VALUE);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (Socket socket = proxy.send(request(GZIP))) {
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
        proxy.answerWith(hex(60_000_000));
        proxy.assertThatAClientThatReadsNothingIsCut(request(GZIP));
    }

    @Test
    void aClientThatLeavesInTheMiddleGivesEverythingBack() throws IOException {
        proxy.answerWith(hex(60_000_000));
        proxy.assertThatAClientThatLeavesEndsTheReading(request(GZIP), 500_000);
    }

    @Test
    void answersBehindACompressedStreamKeepTheirOrder() throws IOException {
        byte[] result = ScriptedAnswers.result(6, SIZE);
        proxy.answerWith(result);
        try (Socket socket = proxy.send(request(GZIP) + request() + request(GZIP, "Connection: close"))) {
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

    /** Returns a text that packs to about half. */
    private static byte[] hex(int bytes) {
        byte[] text = new byte[bytes];
        Random random = new Random(text.length);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) "0123456789abcdef".charAt(random.nextInt(16));
        }
        text[0] = '"';
        text[text.length - 1] = '"';
        return text;
    }

    private static byte[] expected(byte[] result) {
        return StreamingProxy.expected("1", result);
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

    private static String request(String... headerLines) {
        return StreamingProxy.request(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[0]}", headerLines);
    }
}
