package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that is asked for answers in gzip, whatever it answers. */
final class GzipNodesIT {

    private static final int SIZE = 3_000_000;
    private static final int SMALL = 3_000;
    private static final String GZIP = "Content-Encoding: gzip\r\n";

    private static StreamingProxy proxy;

    /** A defect of packed bytes. */
    enum Defect {
        TRUNCATED {
            @Override
            byte[] of(byte[] packed) {
                return Arrays.copyOf(packed, packed.length * 9 / 10);
            }
        },
        WITHOUT_ITS_LAST_BYTE {
            @Override
            byte[] of(byte[] packed) {
                return Arrays.copyOf(packed, packed.length - 1);
            }
        },
        OTHER_CHECKSUM {
            @Override
            byte[] of(byte[] packed) {
                packed[packed.length - 8] ^= 1;
                return packed;
            }
        },
        OTHER_LENGTH {
            @Override
            byte[] of(byte[] packed) {
                packed[packed.length - 1] ^= 1;
                return packed;
            }
        },
        BYTES_BEHIND {
            @Override
            byte[] of(byte[] packed) {
                return Arrays.copyOf(packed, packed.length + 1);
            }
        },
        HALF_A_MEMBER_BEHIND {
            @Override
            byte[] of(byte[] packed) throws IOException {
                byte[] more = ScriptedAnswers.gzip(" ".getBytes(US_ASCII));
                return join(packed, Arrays.copyOf(more, 12));
            }
        };

        abstract byte[] of(byte[] packed) throws IOException;
    }

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy("server.write-timeout = 5 s", "networks.main.upstreams.a.gzip = true");
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    @Test
    void aLargeResultIsUnpackedOnItsWay() throws IOException {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
        assertThat(ask("").body()).isEqualTo(expected(result));
        assertThat(proxy.node.newestHead()).contains("\r\naccept-encoding: gzip\r\n");
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 1_009);
        StrictAnswer packed = ask("Accept-Encoding: gzip\r\n");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
                .isEqualTo(expected(result));
        assertThat(proxy.streamed()).isEqualTo(before + 2);
        proxy.assertNothingInFlight();
    }

    @Test
    void aSmallResultIsUnpackedAndAPlainOneIsTakenToo() throws IOException {
        byte[] result = ScriptedAnswers.result(2, SMALL);
        int calls = proxy.node.calls();
        for (int i = 0; i < 3; i++) {
            proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
            assertThat(ask("").body()).isEqualTo(expected(result));
            assertThat(ask("").body()).isEqualTo(expected(result));
            proxy.script = (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, result));
            assertThat(ask("").body()).isEqualTo(expected(result));
        }
        assertThat(proxy.node.calls()).isEqualTo(calls + 9);
        proxy.assertNothingInFlight();
    }

    @Test
    void howTheNodesBytesAndMembersAreCutChangesNothing() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            byte[] result = ScriptedAnswers.result(seed + i, i % 2 == 0 ? 400_000 : SMALL);
            boolean single = i < 2;
            proxy.script = (call, out) -> {
                byte[] packed = members(ScriptedAnswers.body(call, result), random);
                out.write(ScriptedAnswers.head(GZIP + "Content-Length: " + packed.length));
                for (int at = 0; at < packed.length; ) {
                    int most = single ? 1 : random.nextBoolean() ? 3 : 5_000;
                    int length = Math.min(packed.length - at, 1 + random.nextInt(most));
                    out.write(packed, at, length);
                    at += length;
                }
            };
            assertThat(ask("").body()).as("seed %d, result %d", seed, i).isEqualTo(expected(result));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDefectIsAFaultOfTheNodeAndNoClientTakesAPartForTheWhole(Defect defect) throws IOException {
        double broken = badAnswers("broken_coding");
        byte[] small = ScriptedAnswers.result(3, SMALL);
        proxy.script =
                (call, out) -> writePacked(out, defect.of(ScriptedAnswers.gzip(ScriptedAnswers.body(call, small))), 0);
        StrictAnswer failed = ask("");
        assertThat(failed.head()).startsWith("HTTP/1.1 503");
        assertThat(new String(failed.body(), UTF_8)).contains("\"code\":-32603");
        double small503 = badAnswers("broken_coding");
        assertThat(small503).isGreaterThan(broken);

        double before = proxy.brokenOff();
        byte[] large = ScriptedAnswers.result(4, SIZE);
        proxy.script =
                (call, out) -> writePacked(out, defect.of(ScriptedAnswers.gzip(ScriptedAnswers.body(call, large))), 0);
        assertThatThrownBy(() -> ask("")).isInstanceOf(IOException.class);
        await().until(() -> proxy.brokenOff() == before + 1);
        await().until(() -> badAnswers("broken_coding") == small503 + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aNodeThatBreaksOffEndsTheClientsConnection() throws IOException {
        byte[] result = ScriptedAnswers.result(5, SIZE);
        double before = proxy.brokenOff();
        proxy.script = (call, out) -> {
            byte[] packed = ScriptedAnswers.gzip(ScriptedAnswers.body(call, result));
            out.write(ScriptedAnswers.head(GZIP + "Content-Length: " + packed.length));
            out.write(packed, 0, packed.length - 1);
            throw new IOException("cut");
        };
        assertThatThrownBy(() -> ask("")).isInstanceOf(IOException.class);
        await().until(() -> proxy.brokenOff() == before + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void anotherCodingIsAFaultOfTheNode() throws IOException {
        double before = badAnswers("unrequested_coding");
        proxy.script = (call, out) -> {
            out.write(ScriptedAnswers.head("Content-Encoding: br\r\nContent-Length: 4"));
            out.write(new byte[4]);
        };
        assertThat(ask("").head()).startsWith("HTTP/1.1 503");
        assertThat(badAnswers("unrequested_coding")).isGreaterThan(before);
    }

    @Test
    void aFewBytesThatUnpackToManyAreUnpackedOnlyAsTheClientReads() throws IOException {
        byte[] result = bomb(50_000_000);
        double slow = proxy.weir.admin().metric("weir_slow_readers_total");
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
        double streamed = proxy.streamed();
        double direct = proxy.weir.admin().metric("weir_bytes_direct");
        try (Socket socket = send("")) {
            await().until(() -> proxy.streamed() == streamed + 1);
            await().until(() -> proxy.weir.admin().metric("weir_slow_readers_total") == slow + 1);
            assertThat(socket.isConnected()).isTrue();
            assertThat(proxy.weir.admin().metric("weir_bytes_direct")).isLessThan(direct + (20 << 20));
        }
        proxy.assertNothingInFlight();
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 7);
        assertThat(ask("").body()).isEqualTo(expected(result));
        proxy.assertNothingInFlight();
    }

    @Test
    void aBombEndsAtTheBoundOfAnAnswer() throws IOException {
        byte[] result = bomb(70_000_000);
        double before = badAnswers("too_large");
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
        assertThatThrownBy(() -> ask("")).isInstanceOf(IOException.class);
        await().until(() -> badAnswers("too_large") == before + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsTheUnpacking() throws IOException {
        byte[] result = bomb(50_000_000);
        double broken = proxy.brokenOff();
        proxy.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
        try (Socket socket = send("")) {
            socket.getInputStream().readNBytes(1_000_000);
        }
        proxy.assertNothingInFlight();
        assertThat(proxy.brokenOff()).isEqualTo(broken);
        assertThat(proxy.weir.admin().health("main", "a")).isEqualTo("healthy");
    }

    @Test
    void aNodeThatClosesBehindItsAnswerIsReadToItsEndByASlowClient() throws IOException {
        byte[] result = bomb(20_000_000);
        for (String length :
                new String[] {"Connection: close\r\nContent-Length: ", "Connection: close\r\nX-Length: "}) {
            proxy.script = (call, out) -> {
                byte[] packed = ScriptedAnswers.gzip(ScriptedAnswers.body(call, result));
                out.write(ScriptedAnswers.head(GZIP + length + packed.length));
                out.write(packed);
                throw new IOException("closes");
            };
            int failed = proxy.node.failed();
            try (Socket socket = send("")) {
                await().until(() -> proxy.node.failed() == failed + 1);
                InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
                assertThat(StrictAnswer.read(in).body()).isEqualTo(expected(result));
            }
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void anAnswerInGzipThatWasNotAskedForIsRead() throws IOException {
        byte[] result = ScriptedAnswers.result(6, SMALL);
        try (StreamingProxy plain = new StreamingProxy()) {
            plain.script = (call, out) -> writePacked(out, ScriptedAnswers.gzip(ScriptedAnswers.body(call, result)), 0);
            try (Socket socket = send(plain, "")) {
                StrictAnswer answer = StrictAnswer.read(new BufferedInputStream(socket.getInputStream()));
                assertThat(answer.head()).startsWith("HTTP/1.1 200");
                assertThat(new String(answer.body(), US_ASCII)).contains(new String(result, US_ASCII));
            }
            assertThat(plain.node.newestHead()).doesNotContainIgnoringCase("accept-encoding");
        }
    }

    private static double badAnswers(String reason) {
        return proxy.weir.admin().metric("weir_upstream_bad_answers_total", "reason=\"" + reason + "\"");
    }

    /** Returns a text of one letter. */
    private static byte[] bomb(int size) {
        byte[] text = new byte[size];
        Arrays.fill(text, (byte) 'x');
        text[0] = '"';
        text[size - 1] = '"';
        return text;
    }

    /** Returns several members, some of them empty. */
    private static byte[] members(byte[] plain, Random random) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int at = 0; at < plain.length; ) {
            int length = Math.min(plain.length - at, random.nextInt(random.nextBoolean() ? 10 : plain.length));
            packed.writeBytes(ScriptedAnswers.gzip(Arrays.copyOfRange(plain, at, at + length)));
            at += length;
        }
        return packed.toByteArray();
    }

    /** @param chunk the size of chunks; 0 for an answer of known length */
    private static void writePacked(OutputStream out, byte[] packed, int chunk) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        if (chunk == 0) {
            ScriptedAnswers.writeWhole(answer, packed);
        } else {
            ScriptedAnswers.writeChunks(answer, packed, chunk);
        }
        int headLine = "HTTP/1.1 200 OK\r\n".length();
        byte[] bytes = answer.toByteArray();
        out.write(bytes, 0, headLine);
        out.write(GZIP.getBytes(US_ASCII));
        out.write(bytes, headLine, bytes.length - headLine);
    }

    private static byte[] expected(byte[] result) {
        return join(
                join("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":".getBytes(US_ASCII), result), "}".getBytes(US_ASCII));
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static StrictAnswer ask(String headers) throws IOException {
        try (Socket socket = send(headers)) {
            return StrictAnswer.read(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        }
    }

    private static Socket send(String headers) throws IOException {
        return send(proxy, headers);
    }

    private static Socket send(StreamingProxy to, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.weir.port());
        socket.setSoTimeout(60_000);
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[0]}";
        socket.getOutputStream()
                .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers
                                + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(US_ASCII));
        return socket;
    }
}
