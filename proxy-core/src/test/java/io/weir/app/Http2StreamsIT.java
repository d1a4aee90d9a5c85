package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.TestAuthority;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large results that go on to clients of HTTP/2 while they arrive. */
final class Http2StreamsIT {

    private static final int SIZE = 3_000_000;
    private static final int INTERNAL_ERROR = 2;
    private static final int CANCEL = 8;
    private static final int MAX_RESETS = 200;
    private static final String TIMEOUT = "server.write-timeout = 5 s";

    @TempDir
    private static Path folder;

    private static SSLContext trust;
    private static StreamingProxy plain;
    private static StreamingProxy secured;

    @BeforeAll
    static void start() throws Exception {
        TestAuthority authority = new TestAuthority("Authority");
        trust = authority.trust();
        authority.issue("localhost", "127.0.0.1").write(folder.resolve("a.pem"), folder.resolve("a.key"));
        plain = new StreamingProxy(TIMEOUT);
        secured = new StreamingProxy(
                TIMEOUT,
                "server.tls.certificates.a { chain = \"" + folder + "/a.pem\", key = \"" + folder + "/a.key\" }");
    }

    @AfterAll
    static void stop() throws IOException {
        plain.close();
        secured.close();
    }

    private static Http2Connection connect(StreamingProxy proxy) throws IOException {
        return new Http2Connection(proxy.weir.port(), proxy == secured ? trust : null);
    }

    /** Sends a call whose result the script of the node may tell by its number. */
    private static void call(Http2Connection connection, int stream, int number, String... fields) throws IOException {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"trace_filter\",\"params\":[" + number + "]}";
        connection.post(stream, "/v3/demo", body, fields);
    }

    private static StreamingProxy proxy(boolean tls) {
        return tls ? secured : plain;
    }

    /** Has the node answer calls of number 0 and below with a result, and others with a small one. */
    private static void answer(StreamingProxy proxy, byte[] result) {
        proxy.script = (call, out) -> ScriptedAnswers.writeWhole(
                out,
                ScriptedAnswers.body(
                        call, call.path("params").path(0).asInt() <= 0 ? result : "\"small\"".getBytes(US_ASCII)));
    }

    /** Has the node break off before the end of the answer. */
    private static void breakOff(StreamingProxy proxy, byte[] result) {
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, body.length - 1);
            throw new IOException("cut");
        };
    }

    private static void assertSmall(Http2Connection connection, int stream) throws IOException {
        call(connection, stream, 1);
        assertThat(connection.await(stream).text()).endsWith("\"result\":\"small\"}");
    }

    @ParameterizedTest(name = "over TLS: {0}")
    @ValueSource(booleans = {false, true})
    void aResultArrivesByteForByteBesideOthers(boolean tls) throws IOException {
        StreamingProxy proxy = proxy(tls);
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        answer(proxy, result);
        // No stream waits for its window while the client reads another one.
        Http2Frame much = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 2 * SIZE);
        try (Http2Connection connection =
                new Http2Connection(proxy.weir.port(), proxy == secured ? trust : null, much, 0)) {
            for (int stream = 1; stream < 8; stream += 2) {
                // Calls that are the same would share one answer, and those too far behind would lose it.
                call(connection, stream, -stream);
            }
            assertSmall(connection, 9);
            for (int stream = 1; stream < 8; stream += 2) {
                Http2Connection.Answer answer = connection.await(stream);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.field("content-length")).isNull();
                assertThat(answer.isWhole()).as(answer.toString()).isTrue();
                assertThat(answer.body()).isEqualTo(expected(result));
            }
        }
        assertThat(proxy.streamed()).isEqualTo(before + 4);
        proxy.assertNothingInFlight();
    }

    @ParameterizedTest(name = "over TLS: {0}")
    @ValueSource(booleans = {false, true})
    void aNodeThatBreaksOffResetsTheStreamAlone(boolean tls) throws IOException {
        StreamingProxy proxy = proxy(tls);
        byte[] result = ScriptedAnswers.result(2, SIZE);
        double before = proxy.brokenOff();
        try (Http2Connection connection = connect(proxy)) {
            for (int stream = 1; stream < 4; stream += 2) {
                breakOff(proxy, result);
                call(connection, stream, 0, "accept-encoding", stream == 1 ? "identity" : "gzip");
                Http2Connection.Answer broken = connection.await(stream);
                assertThat(broken.status()).isEqualTo(200);
                assertThat(broken.isWhole()).isFalse();
                assertThat(broken.reset()).isEqualTo(INTERNAL_ERROR);
                if (stream == 3) {
                    assertThat(broken.field("content-encoding")).isEqualTo("gzip");
                    assertThatThrownBy(() -> unpacked(broken.body())).isInstanceOf(IOException.class);
                }
            }
            answer(proxy, result);
            assertSmall(connection, 5);
        }
        await().until(() -> proxy.brokenOff() == before + 2);
        proxy.assertNothingInFlight();
    }

    @Test
    void resetsBecauseOfNodesDoNotCountAgainstTheClient() throws IOException {
        // Small enough for two hundred of them, and large enough to stream.
        byte[] result = ScriptedAnswers.result(6, 600_000);
        try (Http2Connection connection = connect(plain)) {
            int stream = 1;
            for (; stream < 2 * (MAX_RESETS + 5); stream += 2) {
                breakOff(plain, result);
                call(connection, stream, 0);
                assertThat(connection.await(stream).reset()).isEqualTo(INTERNAL_ERROR);
            }
            answer(plain, result);
            assertSmall(connection, stream);
        }
        plain.assertNothingInFlight();
    }

    @ParameterizedTest(name = "over TLS: {0}")
    @ValueSource(booleans = {false, true})
    void aClientThatAcceptsGzipGetsTheStreamCompressed(boolean tls) throws IOException {
        StreamingProxy proxy = proxy(tls);
        byte[] result = ScriptedAnswers.result(3, SIZE);
        double before = proxy.streamed();
        answer(proxy, result);
        try (Http2Connection connection = connect(proxy)) {
            call(connection, 1, 0, "accept-encoding", "gzip");
            Http2Connection.Answer answer = connection.await(1);
            assertThat(answer.field("content-encoding")).isEqualTo("gzip");
            assertThat(answer.field("vary")).isEqualTo("Accept-Encoding");
            assertThat(answer.isWhole()).isTrue();
            assertThat(answer.body()).hasSizeLessThan(SIZE / 2);
            assertThat(unpacked(answer.body())).isEqualTo(expected(result));
        }
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        proxy.assertNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip"})
    void aClientWithoutWindowHoldsBackTheNodeAndItsStreamEndsAlone(String coding) throws IOException {
        int failed = plain.node.failed();
        double slow = plain.weir.admin().metric("weir_slow_readers_total");
        answer(plain, ScriptedAnswers.result(4, 60_000_000));
        try (Http2Connection connection = connect(plain)) {
            connection.send(Http2Frame.window(0, 1 << 30));
            call(connection, 1, 0, "accept-encoding", coding);
            connection.awaitFrame(Http2Frame.DATA);
            assertSmall(connection, 3);
            assertThat(plain.weir.admin().metric("weir_bytes_in_flight")).isLessThan(2 << 20);
            assertThat(plain.node.failed()).isEqualTo(failed);
            while (connection.answer(1).reset() < 0) {
                connection.read();
            }
            assertThat(connection.answer(1).reset()).isEqualTo(CANCEL);
            assertThat(connection.answer(1).body()).hasSize(65_535);
            await().until(() -> plain.node.failed() == failed + 1);
            assertThat(plain.weir.admin().metric("weir_slow_readers_total")).isEqualTo(slow + 1);
            assertSmall(connection, 5);
        }
        plain.assertNothingInFlight();
    }

    @Test
    void aClientThatResetsTheStreamEndsTheReadingFromTheNode() throws IOException {
        int failed = plain.node.failed();
        double broken = plain.brokenOff();
        answer(plain, ScriptedAnswers.result(5, 30_000_000));
        try (Http2Connection connection = connect(plain)) {
            call(connection, 1, 0);
            connection.awaitFrame(Http2Frame.DATA);
            connection.send(Http2Frame.reset(1, CANCEL));
            await().until(() -> plain.node.failed() == failed + 1);
            assertSmall(connection, 3);
        }
        plain.assertNothingInFlight();
        assertThat(plain.brokenOff()).isEqualTo(broken);
        assertThat(plain.weir.admin().health("main", "a")).isEqualTo("healthy");
    }

    private static byte[] expected(byte[] result) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + 100);
        out.writeBytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":".getBytes(US_ASCII));
        out.writeBytes(result);
        out.write('}');
        return out.toByteArray();
    }

    private static byte[] unpacked(byte[] packed) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    }
}
