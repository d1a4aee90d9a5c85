package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds on request heads, trailers and chunk sizes, and what of them counts as in flight. */
class HeadBoundsTest {

    private static final String LINE = "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\n";
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"echo\"}";
    private static final String CHUNKED = LINE + "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final int LINE_COST = 192;
    private static final InetAddress CLIENT = NetUtil.createInetAddressFromIpAddressString("192.0.2.1");

    private final ServerBounds bounds = new ServerBounds();

    @BeforeEach
    void allowFewLines() {
        bounds.maxHeaderLines = 20;
    }

    private static void send(EmbeddedListener context, String text) {
        context.receive(text.getBytes(ISO_8859_1), 0, text.length());
    }

    private static String sent(EmbeddedListener context) {
        return new String(context.sent(), ISO_8859_1);
    }

    private static String post(String... lines) {
        return LINE + "Host: a\r\n" + String.join("", lines) + "Content-Length: " + CALL.length() + "\r\n\r\n" + CALL;
    }

    private void assertRejected(String request, String status, String detail) {
        for (int step : new int[] {request.length(), 7, 1}) {
            try (EmbeddedListener context = new EmbeddedListener(bounds)) {
                for (int at = 0; at < request.length(); at += step) {
                    send(context, request.substring(at, Math.min(request.length(), at + step)));
                }
                assertThat(sent(context))
                        .as("in steps of " + step)
                        .startsWith("HTTP/1.1 " + status)
                        .contains(detail);
                assertThat(context.bytesInFlight()).isZero();
            }
        }
    }

    @Test
    void asManyHeaderLinesAsAllowedAreServed() {
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            send(context, post("a:\r\n".repeat(18)));
            assertThat(sent(context)).startsWith("HTTP/1.1 200 ").contains("\"id\":7");
        }
    }

    @Test
    void oneHeaderLineMoreThanAllowedIsRejected() {
        assertRejected(post("a:\r\n".repeat(19)), "431 ", "headers: too many lines (expected: at most 20)");
    }

    @Test
    void aRequestHeadThatNeverEndsIsRejectedAtTheFirstLineTooMany() {
        assertRejected(LINE + "a:\r\n".repeat(21), "431 ", "headers: too many lines");
    }

    @Test
    void theHandshakeOfAWebSocketHasTheSameBound() {
        assertRejected("GET /ws/v3/" + TestProxy.KEY + " HTTP/1.1\r\n" + "a:\r\n".repeat(21), "431 ", "too many lines");
    }

    @Test
    void trailerLinesCountWithTheHeaderLines() {
        assertRejected(CHUNKED + "0\r\n" + "a:\r\n".repeat(19) + "\r\n", "431 ", "headers: too many lines");
    }

    @Test
    void extensionsOfChunksHaveABoundInAll() {
        String chunk = "1;a=" + "b".repeat(1000) + "\r\n \r\n";
        assertRejected(CHUNKED + chunk.repeat(20), "431 ", "chunks: sizes and trailers too large");
    }

    @Test
    void chunksOfOneByteAreServed() {
        StringBuilder chunks = new StringBuilder(CHUNKED);
        CALL.chars().forEach(c -> chunks.append("1\r\n").append((char) c).append("\r\n"));
        for (int i = 0; i < 30_000; i++) {
            chunks.append("1\r\n \r\n");
        }
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            send(context, chunks + "0\r\n\r\n");
            assertThat(sent(context)).startsWith("HTTP/1.1 200 ").contains("\"id\":7");
        }
    }

    @Test
    void emptyLinesBeforeARequestHaveABound() {
        assertRejected("\r\n".repeat(3000), "431 ", "request line: too long");
    }

    @Test
    void aFoldedLineIsRejectedAtOnce() {
        assertRejected(LINE + "Host: a\r\nX: b\r\n c\r\n", "400 ", "not HTTP/1.1");
    }

    @Test
    void aHeadCountsFromItsFirstByteOnAndEachLineCostsMore() {
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            send(context, "P");
            assertThat(context.bytesInFlight()).isBetween(1L + LINE_COST, 1000L);
            send(context, LINE.substring(1));
            for (int i = 1; i <= 10; i++) {
                send(context, "a:\r\n");
                assertThat(context.bytesInFlight()).isGreaterThanOrEqualTo(LINE.length() + i * (4L + LINE_COST));
            }
            send(context, "Host: a\r\nContent-Length: 100\r\n\r\n{");
            assertThat(context.bytesInFlight()).as("the body alone").isLessThan(LINE_COST);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "P",
                "POST / HTTP/1.1\r\n",
                "POST / HTTP/1.1\r\nHost: a",
                "POST / HTTP/1.1\r\nHost: a\r\nb:\r\nc:\r\n\r",
                "POST /v3/half HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b",
                "POST /v3/half HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na:\r\n"
            })
    void bytesOfARequestHeadAreGivenBackIfTheRestDoesNotCome(String part) {
        bounds.headerTimeoutMillis = 100;
        bounds.requestTimeoutMillis = 100;
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            send(context, part);
            assertThat(context.bytesInFlight()).isGreaterThan(LINE_COST);
            context.cut();
            assertThat(context.bytesInFlight()).isZero();
        }
    }

    @Test
    void aRequestHeadOverTheBudgetIsRejectedAndTheConnectionCloses() {
        bounds.bytesInFlight = 3_000;
        bounds.maxHeaderLines = 100;
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            send(context, LINE);
            for (int i = 0; i < 20; i++) {
                send(context, "a:\r\n");
            }
            assertThat(sent(context))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Connection: close")
                    .containsOnlyOnce("HTTP/1.1");
            assertThat(context.bytesInFlight()).isZero();
        }
    }

    @Test
    void theAddressHoldsNoHeadBytesAfterAHandshakeInTwoReads() {
        bounds.headBytesPerAddress = 100_000;
        bounds.maxPipelined = 2;
        String handshake = RawWebSocket.handshake("/ws/v3/" + TestProxy.KEY);
        try (EmbeddedListener context = new EmbeddedListener(bounds, CLIENT).answeringLate()) {
            send(context, handshake.substring(0, handshake.length() / 2));
            assertThat(context.addressesWithHeadBytes()).isEqualTo(1);
            send(context, handshake.substring(handshake.length() / 2));
            assertThat(sent(context)).startsWith("HTTP/1.1 101 ");
            assertThat(context.addressesWithHeadBytes()).isZero();
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int i = 0; i < 3; i++) {
                frames.writeBytes(RawWebSocket.frame(0x81, CALL.getBytes(ISO_8859_1)));
            }
            context.receiveOnly(frames.toByteArray());
            context.settle();
            assertThat(sent(context).split("\"id\":7", -1))
                    .as("answers and one more")
                    .hasSize(4);
            assertThat(context.addressesWithHeadBytes()).isZero();
        }
    }

    @Test
    void bodiesOfWaitingRequestsDoNotCountForTheAddress() {
        bounds.headBytesPerAddress = 20_000;
        bounds.maxPipelined = 2;
        String large = post().replace(CALL, CALL + " ".repeat(9_000))
                .replace("Content-Length: " + CALL.length(), "Content-Length: " + (CALL.length() + 9_000));
        try (EmbeddedListener context = new EmbeddedListener(bounds, CLIENT).answeringLate()) {
            context.receiveOnly(large.repeat(7).getBytes(ISO_8859_1));
            assertThat(context.bytesInFlight()).isGreaterThan(5L * large.length());
            assertThat(context.addressesWithHeadBytes()).isEqualTo(1);
            context.settle();
            assertThat(sent(context).split("\"id\":7", -1))
                    .as("answers and one more")
                    .hasSize(8);
        }
    }

    @Test
    void anAddressThatManyClientsMayShareHasNoBound() {
        bounds.headBytesPerAddress = 20_000;
        bounds.maxPipelined = 2;
        try (EmbeddedListener context = new EmbeddedListener(bounds, NetUtil.LOCALHOST4).answeringLate()) {
            context.receiveOnly(post().repeat(150).getBytes(ISO_8859_1));
            assertThat(context.addressesWithHeadBytes()).isZero();
            context.settle();
            assertThat(sent(context).split("\"id\":7", -1))
                    .as("answers and one more")
                    .hasSize(151);
        }
    }

    @Test
    void headsOfWaitingRequestsCountForTheAddress() {
        bounds.headBytesPerAddress = 20_000;
        bounds.maxPipelined = 2;
        try (EmbeddedListener context = new EmbeddedListener(bounds, CLIENT).answeringLate()) {
            context.receiveOnly(post().repeat(150).getBytes(ISO_8859_1));
            context.settle();
            assertThat(sent(context)).contains("HTTP/1.1 503 ");
        }
    }

    @Test
    void requestsThatWaitBehindOthersAreCounted() {
        bounds.maxPipelined = 2;
        try (EmbeddedListener context = new EmbeddedListener(bounds).answeringLate()) {
            String many = post().repeat(100);
            context.receiveOnly(many.getBytes(ISO_8859_1));
            assertThat(context.bytesInFlight()).isGreaterThan(many.length() + 90L * LINE_COST);
            context.settle();
            assertThat(sent(context).split("\"id\":7", -1)).hasSize(101);
            assertThat(context.bytesInFlight()).isZero();
        }
    }

    @Test
    void manySmallWaitingRequestsOverTheBudgetAreRejected() {
        bounds.bytesInFlight = 200_000;
        bounds.maxPipelined = 2;
        String small = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        try (EmbeddedListener context = new EmbeddedListener(bounds).answeringLate()) {
            context.receiveOnly((post().repeat(2) + small.repeat(2_000)).getBytes(ISO_8859_1));
            assertThat(context.bytesInFlight()).isLessThan(10_000);
            context.settle();
            String answers = sent(context);
            assertThat(answers.split("\"id\":7", -1)).hasSize(3);
            assertThat(answers).contains("HTTP/1.1 503 ").doesNotContain("HTTP/1.1 405 ");
            assertThat(context.bytesInFlight()).isZero();
        }
    }

    @Test
    void aRequestThatComesWholeIsNotCountedAsUnfinished() {
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            for (int i = 0; i < 3; i++) {
                send(context, post());
                assertThat(sent(context)).startsWith("HTTP/1.1 200 ");
                assertThat(context.bytesInFlight()).isZero();
            }
        }
    }
}
