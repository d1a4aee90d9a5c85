package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class GzipRequestIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";

    private final ServerBounds bounds = new ServerBounds();

    static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static String packed(String text) throws IOException {
        return new String(gzip(text.getBytes(UTF_8)), ISO_8859_1);
    }

    private static String post(String body, String coding) {
        return RawConnection.post(PATH, body, "Content-Encoding: " + coding);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "GZip "})
    void packedBodiesAreServedLikePlainOnesOnOneConnection(String coding) throws Exception {
        String batch = "[" + CALL + "," + CALL.replace("7", "8") + "]";
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(post(packed(CALL), coding)
                    + RawConnection.post(PATH, CALL.replace("7", "9"))
                    + post(packed(batch), coding));
            assertThat(connection.read().body()).contains("\"id\":7,\"result\":\"main\"");
            assertThat(connection.read().body()).contains("\"id\":9,\"result\":\"main\"");
            assertThat(connection.read().body()).startsWith("[").contains("\"id\":7,", "\"id\":8,");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void aCompressedBodyMayComeInChunks() throws Exception {
        String body = packed(CALL);
        StringBuilder chunks = new StringBuilder();
        body.chars().forEach(c -> chunks.append("1\r\n").append((char) c).append("\r\n"));
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n");
            assertThat(connection.read().body()).contains("\"id\":7,\"result\":\"main\"");
        }
    }

    @Test
    void aBombEndsWith413WithoutItsMemory() throws Exception {
        byte[] bomb = gzip(gigabyteInPacked());
        assertThat(bomb.length).isLessThan(5 << 10);
        bounds.bytesInFlight = 4 << 20;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            // The one gzip inside the other is text like any other here: only one layer is ever unpacked.
            connection.send(post(new String(bomb, ISO_8859_1), "gzip"));
            assertThat(connection.read().body()).contains("-32700");
            connection.send(post(new String(gigabyteInPacked(), ISO_8859_1), "gzip"));
            RawConnection.Answer refused = connection.read();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.refused("size")).isEqualTo(1);
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isZero();
        }
    }

    /** Packed zeros, below the bound on bodies. */
    private static byte[] gigabyteInPacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] zeros = new byte[1 << 20];
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 1000; i++) {
                out.write(zeros);
            }
        }
        return packed.toByteArray();
    }

    @Test
    void unpackedBytesCountAsBytesInFlight() throws Exception {
        bounds.bytesInFlight = 100_000;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(post(packed(" ".repeat(90_000)), "gzip"));
            assertThat(connection.read().status()).isEqualTo(503);
            assertThat(proxy.refused("overload")).isEqualTo(1);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncated", "garbage", "plain", "checksum", "empty"})
    void aBrokenBodyIsAParseErrorAndTheConnectionStays(String kind) throws Exception {
        byte[] whole = gzip(CALL.getBytes(UTF_8));
        byte[] body = switch (kind) {
            case "truncated" -> Arrays.copyOf(whole, whole.length - 1);
            case "garbage" -> Arrays.copyOf(whole, whole.length + 5);
            case "plain" -> CALL.getBytes(UTF_8);
            case "empty" -> new byte[0];
            default -> {
                whole[whole.length - 6] ^= 1;
                yield whole;
            }
        };
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(post(new String(body, ISO_8859_1), "gzip") + RawConnection.post(PATH, CALL));
            RawConnection.Answer broken = connection.read();
            assertThat(broken.status()).isEqualTo(400);
            assertThat(broken.body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,");
            assertThat(connection.read().body()).contains("\"id\":7,\"result\"");
            assertThat(proxy.runner.calls()).isEqualTo(1);
            assertThat(proxy.refused("gzip")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deflate", "br", "gzip, gzip", "zstd", "gzip\r\nContent-Encoding: gzip"})
    void anotherEncodingIsRejectedAndTheRightOneNamed(String coding) throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(post(CALL, coding) + RawConnection.post(PATH, CALL));
            RawConnection.Answer refused = connection.read();
            assertThat(refused.status()).isEqualTo(415);
            assertThat(refused.header("Accept-Encoding")).isEqualTo("gzip");
            assertThat(connection.read().status()).isEqualTo(200);
            assertThat(proxy.refused("coding")).isEqualTo(1);
        }
    }

    @Test
    void halfAPackedBodyRunsIntoTheTimeOfRequests() throws Exception {
        bounds.requestTimeoutMillis = 200;
        String whole = post(packed(CALL), "gzip");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(whole.substring(0, whole.length() - 9));
            assertThat(connection.read().status()).isEqualTo(408);
            assertThat(connection.isEnded()).isTrue();
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }
}
