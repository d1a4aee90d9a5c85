package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests and answers follow each other on one HTTP connection. */
@NoLeaks
class HttpExchangeIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final int MAX = 4;

    private final Held held = new Held();
    TestProxy proxy;

    /** The listener's configuration before the bounds of these tests. */
    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeEach
    void start() throws Exception {
        ServerBounds bounds = bounds();
        bounds.maxPipelined = MAX;
        bounds.maxBodyBytes = 4 << 20;
        proxy = new TestProxy(bounds);
        proxy.runner.on("held", held);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void answersKeepTheOrderOfRequestsHoweverTheyEnd() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(held(1) + held(2) + RawConnection.post("/v3/wrong", CALL) + held(3));
            await().until(() -> held.count() == 3);
            held.release("3");
            held.release("1");
            assertThat(connection.read().body()).endsWith("\"result\":1}");
            held.release("2");
            assertThat(connection.read().body()).endsWith("\"result\":2}");
            assertThat(connection.read().status()).isEqualTo(401);
            assertThat(connection.read().body()).endsWith("\"result\":3}");
        }
    }

    @Test
    void largeAnswersStandBetweenOthersAndArriveWhole() throws Exception {
        String letters = "x".repeat(3_000_000);
        proxy.runner.on("large", call -> RawJson.of("\"" + letters + "\""));
        String large = CALL.replace("network", "large");
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, CALL) + RawConnection.post(PATH, large));
            connection.send(RawConnection.post(PATH, "[" + large + "," + large + "]") + RawConnection.post(PATH, CALL));
            String answer = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"" + letters + "\"}";
            assertThat(connection.read().body()).endsWith("\"main\"}");
            assertThat(connection.read().body().equals(answer)).isTrue();
            assertThat(connection.read().body().equals("[" + answer + "," + answer + "]"))
                    .isTrue();
            assertThat(connection.read().body()).endsWith("\"main\"}");
        }
    }

    @Test
    void noMoreRequestsAreTakenThanMayBeInFlight() throws Exception {
        int requests = 50;
        try (RawConnection connection = new RawConnection(proxy)) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < requests; i++) {
                all.append(held(i));
            }
            connection.send(all.toString());
            for (int i = 0; i < requests; i++) {
                int expected = Math.min(MAX, requests - i);
                await().until(() -> held.count() >= expected);
                assertThat(held.count()).isEqualTo(expected);
                held.release(Integer.toString(i));
                assertThat(connection.read().body()).endsWith("\"result\":" + i + "}");
            }
        }
    }

    @Test
    void aConnectionServesManyRequests() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            for (int i = 0; i < 200; i++) {
                assertThat(connection
                                .send(RawConnection.post(PATH, CALL))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(proxy.runner.calls()).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatComesByteByByteIsReadWhole() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            for (byte b : RawConnection.post(PATH, CALL).getBytes()) {
                connection.send(new byte[] {b});
            }
            assertThat(connection.read().body()).contains("\"main\"");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void bodiesOfAnySizeComeAndGoUnchanged(int seed) throws Exception {
        Random random = new Random(seed);
        String text = "\"" + randomText(random, random.nextInt(4_000_000)) + "\"";
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[" + text + "]}";
        String expected = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[" + text + "]}";
        try (RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection
                            .send(RawConnection.post(PATH, body))
                            .read()
                            .body()
                            .equals(expected))
                    .as("seed %d, with a length", seed)
                    .isTrue();
            connection.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int at = 0; at < body.length(); ) {
                int end = Math.min(body.length(), at + 1 + random.nextInt(100_000));
                connection.send(Integer.toHexString(end - at) + "\r\n" + body.substring(at, end) + "\r\n");
                at = end;
            }
            connection.send("0\r\nTrailer: ignored\r\n\r\n");
            assertThat(connection.read().body().equals(expected))
                    .as("seed %d, in chunks", seed)
                    .isTrue();
        }
    }

    @Test
    void aClientThatHoldsItsBodyBackIsAskedToSendIt() throws Exception {
        String head = "POST " + PATH + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
                + CALL.length() + "\r\n\r\n";
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(head);
            assertThat(connection.read().status()).isEqualTo(100);
            connection.send(CALL);
            assertThat(connection.read().status()).isEqualTo(200);
            connection.send(held(1) + head);
            await().until(() -> held.count() == 1);
            held.release("1");
            assertThat(connection.read().body()).endsWith("\"result\":1}");
            assertThat(connection.read().status()).isEqualTo(100);
            connection.send(CALL);
            assertThat(connection.read().status()).isEqualTo(200);
        }
    }

    @Test
    void aClientThatWantsTheConnectionClosedGetsItSo() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, CALL, "Connection: close") + RawConnection.post(PATH, CALL));
            RawConnection.Answer answer = connection.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.runner.calls()).isEqualTo(1);
        }
    }

    @Test
    void oldHttpClosesUnlessAskedNotTo() throws Exception {
        String old = RawConnection.post(PATH, CALL).replace("HTTP/1.1\r\nHost: localhost", "HTTP/1.0");
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(old.replace("Content-Length", "Connection: keep-alive\r\nContent-Length"));
            assertThat(connection.read().header("Connection")).isEqualTo("keep-alive");
            connection.send(old);
            assertThat(connection.read().header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void aClientThatClosesItsSideIsStillAnswered() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(held(1) + held(2));
            connection.closeOutput();
            await().until(() -> held.count() == 2);
            held.release("2");
            held.release("1");
            assertThat(connection.read().body()).endsWith("\"result\":1}");
            assertThat(connection.read().body()).endsWith("\"result\":2}");
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void whileAClientDoesNotReadNothingMoreIsReadFromIt() throws Exception {
        RawJson large = RawJson.of("\"" + "x".repeat(2 << 20) + "\"");
        proxy.runner.on("large", (context, sink) -> sink.accept(new RpcReply.Result(large)));
        String request = RawConnection.post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}");
        int requests = 40;
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(request.repeat(requests));
            await().until(() -> proxy.runner.calls() > 0);
            // Another connection on the same loop is served meanwhile: what could be run has been.
            try (RawConnection other = new RawConnection(proxy)) {
                assertThat(other.send(RawConnection.post(PATH, CALL)).read().status())
                        .isEqualTo(200);
            }
            assertThat(proxy.runner.calls()).isLessThan(requests / 2);
            for (int i = 0; i < requests; i++) {
                assertThat(connection.read().body()).hasSizeGreaterThan(2 << 20);
            }
        }
    }

    @Test
    void aClientThatDisconnectsAffectsNoOther() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(held(1));
            await().until(() -> held.count() == 1);
        }
        held.release("1");
        try (RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(RawConnection.post(PATH, CALL)).read().status())
                    .isEqualTo(200);
        }
    }

    static String held(int id) {
        return RawConnection.post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}");
    }

    private static String randomText(Random random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
