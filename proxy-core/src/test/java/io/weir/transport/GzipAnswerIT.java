package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

@NoLeaks
class GzipAnswerIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String GZIP = "Accept-Encoding: gzip";
    private static final int LARGE = 4 << 20;

    private final ServerBounds bounds = new ServerBounds();
    private final RawJson large = hex(LARGE);

    /** Text that packs to about half. */
    private static RawJson hex(int length) {
        byte[] bytes = new byte[length / 2];
        new Random(1).nextBytes(bytes);
        return RawJson.of("\"0x" + HexFormat.of().formatHex(bytes) + "\"");
    }

    private TestProxy proxy() throws IOException {
        TestProxy proxy = new TestProxy(bounds);
        proxy.runner.on("large", call -> large);
        proxy.runner.on("medium", call -> hex(5000));
        return proxy;
    }

    private static String call(int id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
    }

    private static String unpacked(RawConnection.Answer answer) throws IOException {
        assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
        return new String(
                new GZIPInputStream(new ByteArrayInputStream(answer.body().getBytes(ISO_8859_1))).readAllBytes(),
                UTF_8);
    }

    @Test
    void clientsThatAcceptGzipGetLargeAnswersCompressedInOrder() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, call(1, "large"), GZIP)
                    + RawConnection.post(PATH, call(2, "network"), GZIP)
                    + RawConnection.post(PATH, call(3, "medium"))
                    + RawConnection.post(PATH, "[" + call(4, "medium") + "," + call(5, "medium") + "]", GZIP)
                    + RawConnection.post(PATH, call(6, "large"), "Accept-Encoding: br, *;q=0.5"));
            RawConnection.Answer first = connection.read();
            assertThat(first.body()).hasSizeLessThan(LARGE * 2 / 3);
            assertThat(first.header("Vary")).isEqualTo("Accept-Encoding");
            assertThat(first.header("Server-Timing")).isNotNull();
            assertThat(unpacked(first)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + large + "}");
            RawConnection.Answer small = connection.read();
            assertThat(small.header("Content-Encoding")).isNull();
            assertThat(small.header("Vary")).isEqualTo("Accept-Encoding");
            assertThat(small.body()).contains("\"id\":2,");
            RawConnection.Answer unasked = connection.read();
            assertThat(unasked.header("Content-Encoding")).isNull();
            assertThat(unasked.header("Vary")).isEqualTo("Accept-Encoding");
            assertThat(unpacked(connection.read())).startsWith("[{").contains("\"id\":4,", "\"id\":5,");
            assertThat(unpacked(connection.read())).contains("\"id\":6,");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void anHttp10ClientGetsItsCompressedAnswerAndTheEnd() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            String body = call(1, "large");
            connection.send("POST " + PATH + " HTTP/1.0\r\n" + GZIP + "\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body);
            assertThat(unpacked(connection.read())).hasSizeGreaterThan(LARGE);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void answersWithoutSuchABodyAreNotTouched() throws Exception {
        bounds.corsOrigins = Set.of("*");
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, "{\"jsonrpc\":\"2.0\",\"method\":\"large\"}", GZIP)
                    + "HEAD " + PATH + " HTTP/1.1\r\nHost: a\r\n" + GZIP + "\r\n\r\n"
                    + "OPTIONS " + PATH + " HTTP/1.1\r\nHost: a\r\nOrigin: https://a.test\r\n"
                    + "Access-Control-Request-Method: POST\r\n" + GZIP + "\r\n\r\n"
                    + RawConnection.post("/v3/wrong", call(1, "large"), GZIP)
                    + RawConnection.post(PATH, call(2, "network"), "Connection: close"));
            String all = connection.readToEnd();
            assertThat(all).doesNotContain("Content-Encoding").containsOnlyOnce("Vary: Accept-Encoding");
            assertThat(all).containsSubsequence("204 No", "405 Method", "204 No", "401 Un", "200 OK");
        }
    }

    @Test
    void othersAreServedWhileALargeAnswerIsCompressed() throws Exception {
        RawJson huge = hex(16 << 20);
        try (TestProxy proxy = proxy();
                RawConnection slow = new RawConnection(proxy);
                RawConnection other = new RawConnection(proxy)) {
            proxy.runner.on("huge", call -> huge);
            slow.send(RawConnection.post(PATH, call(1, "huge"), GZIP));
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) > 16 << 20);
            for (int i = 0; i < 3; i++) {
                assertThat(other.send(RawConnection.post(PATH, call(2, "network")))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            // All of it is still there: the first byte is sent when the last one is packed.
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isGreaterThan(16 << 20);
            assertThat(unpacked(slow.read())).hasSizeGreaterThan(16 << 20);
        }
    }

    @Test
    void withoutBudgetForCompressionAnAnswerIsSentUnchanged() throws Exception {
        // Its share is used up by the plain answer.
        bounds.bytesInFlight = LARGE * 9 / 8 + 2_000;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer = connection
                    .send(RawConnection.post(PATH, call(1, "large"), GZIP))
                    .read();
            assertThat(answer.header("Content-Encoding")).isNull();
            assertThat(answer.body()).hasSizeGreaterThan(LARGE);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void aSlowReaderOfCompressedAnswersIsDisconnectedAndNothingStaysCounted() throws Exception {
        bounds.writeTimeoutMillis = 300;
        RawJson huge = hex(16 << 20);
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on("huge", call -> huge);
            connection.send(
                    RawConnection.post(PATH, call(1, "huge"), GZIP) + RawConnection.post(PATH, call(2, "huge"), GZIP));
            await().until(() -> proxy.meters.counter(Meter.SLOW_READERS).getCount() == 1);
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0 && proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void aCompressedErrorCountsUntilItIsSent() throws Exception {
        RawJson huge = hex(16 << 20);
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on(
                    "fails", (context, sink) -> sink.accept(RpcReply.failure(new RpcError(3, "reverted", huge))));
            connection.send(RawConnection.post(PATH, call(1, "fails"), GZIP));
            // Its text is gone when the first byte of the packed one is there.
            byte[] first = connection.bytes(1);
            assertThat(first).containsExactly('H');
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isBetween(8L << 20, 15L << 20);
            connection.reset();
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void answersBeingCompressedForAClientThatLeavesAreReleased() throws Exception {
        // Two of them take most of a second, so that the client leaves before.
        RawJson huge = hex(16 << 20);
        try (TestProxy proxy = proxy()) {
            proxy.runner.on("huge", call -> huge);
            for (int i = 0; i < 5; i++) {
                RawConnection connection = new RawConnection(proxy);
                connection.send(RawConnection.post(PATH, call(1, "huge"), GZIP)
                        + RawConnection.post(PATH, call(2, "huge"), GZIP));
                await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) > 16 << 20);
                connection.reset();
                await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            }
        }
    }
}
