package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of HTTP/2: their lengths, their ends, and clients that leave before. Each gives back what it took. */
@NoLeaks
class Http2BodiesIT {

    private static final String PATH = Http2IT.PATH;
    private static final String CALL = Http2IT.CALL;
    private static final int PROTOCOL_ERROR = 1;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int MAX_STREAMS = 128;

    private static final Held HELD = new Held();
    private static final List<String> LEFT = new CopyOnWriteArrayList<>();
    private static TestProxy proxy;
    private static Http2Client client;

    @BeforeAll
    static void start() throws Exception {
        ServerBounds bounds = new ServerBounds();
        proxy = new TestProxy(bounds);
        client = new Http2Client(proxy);
        proxy.runner.on("held", (context, sink) -> {
            String id = String.valueOf(context.call().id());
            context.whenClientLeaves(() -> LEFT.add(id));
            HELD.answer(context, sink);
        });
    }

    @AfterAll
    static void stop() {
        client.awaitNothingLeft();
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "42", "44", "+43", "-43", "4.3e1", "99999999999999999999", "x", ""})
    void aFalseLengthResetsTheStreamAndNothingRuns(String length) throws Exception {
        int calls = proxy.runner.calls();
        assertThat(CALL).hasSize(43);
        Http2Connection.Answer answer = client.ask(Http2Connection.request("POST", PATH, "content-length", length));
        assertThat(answer.reset() == PROTOCOL_ERROR || answer.status() == 400)
                .as("%s", answer)
                .isTrue();
        assertThat(proxy.runner.calls()).isEqualTo(calls + 1);
    }

    @Test
    void severalLengthsMustBeTheSame() throws Exception {
        int calls = proxy.runner.calls();
        byte[] different = Http2Connection.request("POST", PATH, "content-length", "43", "content-length", "44");
        assertThat(client.ask(different).reset()).isEqualTo(PROTOCOL_ERROR);
        byte[] same = Http2Connection.request("POST", PATH, "content-length", "43", "content-length", "43");
        assertThat(client.ask(same).text()).isEqualTo(Http2IT.ANSWER);
        // With those behind them.
        assertThat(proxy.runner.calls()).isEqualTo(calls + 3);
    }

    @Test
    void aLengthIsNotNeeded() throws Exception {
        assertThat(client.ask(Http2Connection.request("POST", PATH)).text()).isEqualTo(Http2IT.ANSWER);
        assertThat(client.ask(Http2Connection.request("POST", PATH, "content-length", "43"))
                        .text())
                .isEqualTo(Http2IT.ANSWER);
        assertThat(client.ask(Http2Connection.request("POST", PATH, "content-length", "9999999"))
                        .status())
                .isEqualTo(413);
    }

    @Test
    void aBodyOverTheBoundIsRejectedWhateverItsLengthSays() throws Exception {
        try (Http2Connection connection = client.connect()) {
            connection.send(Http2Frame.headers(1, false, Http2Connection.request("POST", PATH)));
            byte[] piece = new byte[1 << 14];
            Arrays.fill(piece, (byte) ' ');
            int window = 65_535;
            Http2Connection.Answer answer = connection.answer(1);
            for (int i = 0; answer.status() == 0; i++) {
                assertThat(i).as("pieces of 16 KiB").isLessThan(200);
                if (window < piece.length) {
                    Http2Frame next = connection.read();
                    window += next.type() == Http2Frame.WINDOW_UPDATE && next.stream() == 1 ? next.code() : 0;
                } else {
                    connection.send(Http2Frame.data(1, false, piece));
                    window -= piece.length;
                }
            }
            assertThat(connection.await(1).status()).isEqualTo(413);
            connection.post(3, PATH, CALL);
            assertThat(connection.await(3).text()).isEqualTo(Http2IT.ANSWER);
        }
    }

    @Test
    void trailersAreDropped() throws Exception {
        try (Http2Connection connection = client.connect()) {
            byte[] body = CALL.getBytes(ISO_8859_1);
            connection
                    .send(Http2Frame.headers(1, false, Http2Connection.request("POST", PATH)))
                    .send(Http2Frame.data(1, false, body))
                    .send(Http2Frame.headers(1, true, Http2Frame.fields("x-checksum", "1")));
            assertThat(connection.await(1).text()).isEqualTo(Http2IT.ANSWER);
            connection
                    .send(Http2Frame.headers(3, false, Http2Connection.request("POST", "/")))
                    .send(Http2Frame.data(3, false, body))
                    .send(Http2Frame.headers(3, true, Http2Frame.fields("x-api-key", "half")));
            assertThat(connection.await(3).status()).isEqualTo(401);
            connection
                    .send(Http2Frame.headers(5, false, Http2Connection.request("POST", PATH)))
                    .send(Http2Frame.data(5, false, body))
                    .send(Http2Frame.headers(5, true, Http2Frame.fields(":path", "/side" + PATH)));
            assertThat(connection.await(5).reset()).isEqualTo(PROTOCOL_ERROR);
            connection
                    .send(Http2Frame.headers(7, false, Http2Connection.request("POST", PATH)))
                    .send(Http2Frame.data(7, false, body))
                    .send(Http2Frame.headers(7, false, Http2Frame.fields("x-checksum", "1")));
            assertThat(connection.await(7).reset()).isEqualTo(PROTOCOL_ERROR);
        }
    }

    @Test
    void aClientThatAsksFirstIsTold() throws Exception {
        try (Http2Connection connection = client.connect()) {
            connection.send(
                    Http2Frame.headers(1, false, Http2Connection.request("POST", PATH, "expect", "100-continue")));
            connection.awaitFrame(Http2Frame.HEADERS);
            assertThat(connection.answer(1).status()).isEqualTo(100);
            connection.send(Http2Frame.data(1, true, CALL.getBytes(ISO_8859_1)));
            assertThat(connection.await(1).text()).isEqualTo(Http2IT.ANSWER);
            assertThat(connection.answer(1).status()).isEqualTo(200);
        }
    }

    @Test
    void aClientThatResetsAStreamIsToldToItsCallAndGivesEverythingBack() throws Exception {
        LEFT.clear();
        try (Http2Connection connection = client.connect()) {
            connection.post(1, PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"held\"}");
            connection.post(3, PATH, "[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"held\"}]");
            // Its request never ends.
            connection.send(Http2Frame.headers(5, false, Http2Connection.request("POST", PATH)));
            connection.send(Http2Frame.data(5, false, new byte[10_000]));
            await().until(() -> HELD.count() == 2 && proxy.gauge(Meter.BYTES_IN_FLIGHT) > 10_000);
            for (int stream : new int[] {1, 3, 5}) {
                connection.send(Http2Frame.reset(stream, CANCEL));
            }
            await().until(() -> LEFT.size() == 2);
            assertThat(LEFT).containsExactlyInAnyOrder("1", "2");
            HELD.release("1");
            HELD.release("2");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0 && proxy.gauge(Meter.CALLS_IN_FLIGHT) == 0);
            connection.post(7, PATH, CALL);
            assertThat(connection.await(7).text()).isEqualTo(Http2IT.ANSWER);
            assertThat(connection.answer(1).status()).isZero();
        }
    }

    @Test
    void aClientThatSendsNothingMoreIsToldToItsCallsAndGetsTheirAnswers() throws Exception {
        LEFT.clear();
        try (Http2Connection connection = client.connect()) {
            Http2Client.assertServed(connection, 1);
            connection.post(3, PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"held\"}");
            connection.send(Http2Frame.headers(5, false, Http2Connection.request("POST", PATH)));
            connection.send(Http2Frame.data(5, false, new byte[10_000]));
            await().until(() -> HELD.count() == 1 && proxy.gauge(Meter.BYTES_IN_FLIGHT) > 10_000);
            connection.closeOutput();
            await().until(() -> LEFT.equals(List.of("1")) && proxy.gauge(Meter.BYTES_IN_FLIGHT) < 10_000);
            HELD.release("1");
            assertThat(connection.await(3).text()).endsWith("\"result\":1}");
            connection.awaitEnd();
            assertThat(connection.answer(5).isWhole()).isFalse();
        }
    }

    @Test
    void aStreamOverTheBoundIsRefusedAndTheOthersGoOn() throws Exception {
        try (Http2Connection connection = client.connect()) {
            for (int i = 0; i < MAX_STREAMS; i++) {
                connection.send(Http2Frame.headers(2 * i + 1, false, Http2Connection.request("POST", PATH)));
            }
            int next = 2 * MAX_STREAMS + 1;
            connection.post(next, PATH, CALL);
            assertThat(connection.await(next).reset()).isEqualTo(REFUSED_STREAM);
            connection.send(Http2Frame.data(1, true, CALL.getBytes(ISO_8859_1)));
            assertThat(connection.await(1).text()).isEqualTo(Http2IT.ANSWER);
            connection.post(next + 2, PATH, CALL);
            assertThat(connection.await(next + 2).text()).isEqualTo(Http2IT.ANSWER);
        }
    }
}
