package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that could be read in two ways, or in none, by a client that sends bytes as it likes. */
@NoLeaks
class HttpFramingIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final int LENGTH = CALL.length();
    private static final String CHUNKED = Integer.toHexString(LENGTH) + "\r\n" + CALL + "\r\n0\r\n\r\n";

    private static final String LINE = "POST " + PATH + " HTTP/1.1\r\n";
    private static final String HOST = "Host: a\r\n";
    private static final String SIZED = "Content-Length: " + LENGTH + "\r\n";
    private static final String IN_CHUNKS = "Transfer-Encoding: chunked\r\n";

    private TestProxy proxy;

    /** The listener's configuration before the bounds of these tests. */
    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeEach
    void start() throws Exception {
        start(bounds());
    }

    private void start(ServerBounds bounds) throws Exception {
        bounds.maxHeaderBytes = 2000;
        bounds.maxRequestLineBytes = 1000;
        bounds.maxBodyBytes = 100_000;
        proxy = new TestProxy(bounds);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    static String[] ambiguousLengths() {
        return new String[] {
            LINE + HOST + SIZED + SIZED + "\r\n" + CALL,
            LINE + HOST + SIZED + "Content-Length: 3\r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: " + LENGTH + ", " + LENGTH + "\r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: +" + LENGTH + "\r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: -1\r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: 0x10\r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: \r\n\r\n" + CALL,
            LINE + HOST + "Content-Length: 99999999999999999999\r\n\r\n" + CALL,
            LINE + HOST + SIZED + IN_CHUNKS + "\r\n" + CHUNKED,
            LINE + HOST + IN_CHUNKS + SIZED + "\r\n" + CHUNKED,
            LINE + HOST + IN_CHUNKS + IN_CHUNKS + "\r\n" + CHUNKED,
            LINE + HOST + "Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKED,
            LINE + HOST + "Transfer-Encoding: identity\r\n" + SIZED + "\r\n" + CALL,
            LINE + HOST + "Transfer-Encoding: xchunked\r\n\r\n" + CHUNKED,
            LINE + HOST + "Transfer-Encoding : chunked\r\n\r\n" + CHUNKED,
            LINE + HOST + "Content-Length : " + LENGTH + "\r\n\r\n" + CALL,
        };
    }

    static String[] ambiguousHeads() {
        return new String[] {
            LINE + HOST + HOST + SIZED + "\r\n" + CALL,
            LINE + SIZED + "\r\n" + CALL,
            LINE + "Host: a b\r\n" + SIZED + "\r\n" + CALL,
            LINE + "Host: a/b\r\n" + SIZED + "\r\n" + CALL,
            "POST " + PATH + "\0 HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + "?\0 HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + "?a=\u001b HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + "?a=%00 HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST /a/b/c/d\u007f HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            LINE + HOST + "X\0Y: 1\r\n" + SIZED + "\r\n" + CALL,
            LINE + HOST + "X: a\0b\r\n" + SIZED + "\r\n" + CALL,
            LINE + HOST + "no colon\r\n" + SIZED + "\r\n" + CALL,
            LINE + HOST + ": no name\r\n" + SIZED + "\r\n" + CALL,
            LINE + "Host: a\n" + SIZED + "\r\n" + CALL,
            "POST " + PATH + " HTTP/1.1\n" + HOST + SIZED + "\r\n" + CALL,
            "POST http://a" + PATH + " HTTP/1.1\r\n" + SIZED + "\r\n" + CALL,
            "POST http://a" + PATH + " HTTP/1.1\r\n" + HOST + HOST + SIZED + "\r\n" + CALL,
            "POST http://b@a" + PATH + " HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST http://" + PATH + " HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST ftp://a" + PATH + " HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + "  HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST\t" + PATH + " HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " HTTP/2.0\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " HTTP/1.2\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " http/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " Http/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            " POST " + PATH + " HTTP/1.1\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " HTTP/1.1 \r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + "\r\n" + HOST + SIZED + "\r\n" + CALL,
            "POST " + PATH + " HTTP/1.0\r\n" + HOST + IN_CHUNKS + "\r\n" + CHUNKED,
            "CONNECT a:80 HTTP/1.1\r\n" + HOST + "\r\n",
            "OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003 a TLS hello\r\n\r\n",
            LINE + " folded: 1\r\n" + HOST + SIZED + "\r\n" + CALL,
            LINE + HOST + "X: 1\r\n\tfolded\r\n" + SIZED + "\r\n" + CALL,
            LINE + HOST + "X: 1\r\n folded\r\n" + SIZED + "\r\n" + CALL,
        };
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, evil.test, 200",
        "HTTPS://side.test:8545, localhost, 200",
        "http://evil.test, localhost, 403"
    })
    void theHostOfAnAbsoluteTargetCountsInPlaceOfItsHeader(String target, String host, int status) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            String request = "POST " + target + PATH + " HTTP/1.1\r\nHost: " + host + "\r\n" + SIZED + "\r\n" + CALL;
            for (int i = 0; i < 3; i++) {
                assertThat(connection.send(request).read().status()).isEqualTo(status);
            }
            assertThat(connection
                            .send("GET http://localhost HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(405);
        }
    }

    static String[] ambiguousChunks() {
        return new String[] {
            LINE + HOST + IN_CHUNKS + "\r\n" + "zz\r\n" + CALL + "\r\n0\r\n\r\n",
            LINE + HOST + IN_CHUNKS + "\r\n" + "-1\r\n" + CALL + "\r\n0\r\n\r\n",
            LINE + HOST + IN_CHUNKS + "\r\n" + Integer.toHexString(LENGTH) + "\n" + CALL + "\r\n0\r\n\r\n",
            LINE + HOST + IN_CHUNKS + "\r\n" + Integer.toHexString(LENGTH) + "\r\n" + CALL + "XX0\r\n\r\n",
            LINE + HOST + IN_CHUNKS + "\r\n" + "fffffffffffffffff\r\n" + CALL + "\r\n0\r\n\r\n",
        };
    }

    @ParameterizedTest
    @MethodSource({"ambiguousLengths", "ambiguousHeads", "ambiguousChunks"})
    void anAmbiguousRequestIsRejectedAndNothingAfterItIsRead(String request) throws Exception {
        assertRejected(request);
    }

    private void assertRejected(String request) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(request + RawConnection.post(PATH, CALL));
            RawConnection.Answer answer = connection.read();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.body()).doesNotContain("%2F").doesNotContain("k/");
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.runner.calls()).isZero();
            assertThat(proxy.refused("framing")).isEqualTo(1);
        }
    }

    @Test
    void aLongRequestLineIsReported() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post("/v3/" + "x".repeat(1100), CALL));
            assertThat(connection.read().status()).isEqualTo(431);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void largeHeadersAreReported(int lines) throws Exception {
        String header = ("X: " + "y".repeat(2400 / lines) + "\r\n").repeat(lines);
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, CALL, header.strip()));
            assertThat(connection.read().status()).isEqualTo(431);
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.refused("headers")).isEqualTo(1);
        }
    }

    @Test
    void aLengthOverTheBoundIsReportedBeforeTheBodyComes() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n");
            assertThat(connection.read().status()).isEqualTo(413);
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.refused("size")).isEqualTo(1);
        }
    }

    @Test
    void aClientThatSendsOnStillReadsThatItsBodyIsTooLarge() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n");
            connection.send(new byte[3_000_000]);
            assertThat(connection.read().status()).isEqualTo(413);
        }
    }

    @Test
    void chunksOverTheBoundAreReported() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "4000\r\n" + " ".repeat(0x4000) + "\r\n";
            connection.send(chunk.repeat(7));
            assertThat(connection.read().status()).isEqualTo(413);
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.runner.calls()).isZero();
        }
    }

    @Test
    void aPostWithoutLengthIsReported() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(connection.read().status()).isEqualTo(411);
            connection.send(RawConnection.post(PATH, CALL));
            assertThat(connection.read().status()).isEqualTo(200);
        }
    }

    @Test
    void aRejectedRequestWithAShortBodyLeavesTheConnectionUsable() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post("/v3/wrong", CALL) + RawConnection.post(PATH, CALL));
            assertThat(connection.read().status()).isEqualTo(401);
            assertThat(connection.read().status()).isEqualTo(200);
        }
    }

    @Test
    void aRejectedRequestWhoseBodyIsHeldBackEndsTheConnection() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST /v3/wrong HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 40\r\n\r\n");
            RawConnection.Answer answer = connection.read();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
        }
    }
}
