package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How connections of HTTP/2 end when the proxy is about to stop, and that they go on when its configuration changes. */
@NoLeaks
class Http2DrainIT {

    private static final String PATH = Http2IT.PATH;
    private static final long LONG = 60_000;
    private static final int NO_ERROR = 0;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int LARGE = 4 << 20;
    private static final int MEDIUM = 1 << 17;
    private static final int SMALL = 1 << 14;

    private final Held held = new Held();
    private TestProxy proxy;
    private CompletableFuture<Void> drained;

    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy(bounds());
        proxy.runner.on("held", held);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private Http2Connection connect() throws Exception {
        return new Http2Connection(proxy.port(), proxy.clientTls);
    }

    private static String heldCall(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}";
    }

    /** Has a call wait on each of these streams. */
    private void hold(Http2Connection connection, int... streams) throws Exception {
        for (int stream : streams) {
            connection.post(stream, PATH, heldCall(stream));
        }
        await().until(() -> held.count() == streams.length);
    }

    /** Drains, and awaits that the client is told. */
    private void drain(Http2Connection connection) throws Exception {
        drained = proxy.listener.drain(LONG);
        assertTold(connection);
    }

    private static void assertTold(Http2Connection connection) throws Exception {
        Http2Frame first = connection.awaitFrame(Http2Frame.GOAWAY);
        assertThat(first.lastStream()).isEqualTo(Integer.MAX_VALUE);
        assertThat(first.code()).isEqualTo(NO_ERROR);
    }

    private static void assertGone(Http2Frame goAway, int lastStream) {
        assertThat(goAway).isNotNull();
        assertThat(goAway.lastStream()).isEqualTo(lastStream);
        assertThat(goAway.code()).isEqualTo(NO_ERROR);
    }

    @Test
    void anIdleConnectionIsToldTheLastStreamAndCloses() throws Exception {
        try (Http2Connection connection = connect()) {
            connection.post(1, PATH, Http2IT.CALL);
            connection.await(1);
            connection.post(3, PATH, Http2IT.CALL);
            connection.await(3);
            drain(connection);
            assertGone(connection.awaitEnd(), 3);
        }
        drained.get(60, TimeUnit.SECONDS);
    }

    @Test
    void streamsInFlightAreAnsweredAndThoseOfBeforeTheClientHeard() throws Exception {
        try (Http2Connection connection = connect().leavingPings()) {
            hold(connection, 1, 3);
            // The client sends this one before it hears of the drain, and the proxy reads it afterwards.
            CompletableFuture<Void> both = proxy.holdLoop();
            drained = proxy.listener.drain(LONG);
            connection.post(5, PATH, Http2IT.CALL);
            both.complete(null);
            assertTold(connection);
            Http2Frame ping = connection.awaitFrame(Http2Frame.PING);
            assertThat(connection.await(5).text()).isEqualTo(Http2IT.ANSWER);
            connection.send(Http2Frame.ping(Http2Frame.ACK, ping.content()));
            assertGone(connection.awaitFrame(Http2Frame.GOAWAY), 5);
            // This one came too late, as the client knows; it gives it window, and then gives it up.
            connection.post(7, PATH, Http2IT.CALL);
            connection.send(Http2Frame.window(7, 1000));
            assertThat(connection.await(7).reset()).isEqualTo(REFUSED_STREAM);
            connection.send(Http2Frame.reset(7, CANCEL));
            held.release("3");
            assertThat(connection.await(3).text()).endsWith("\"result\":3}");
            held.release("1");
            assertThat(connection.await(1).text()).endsWith("\"result\":1}");
            connection.awaitEnd();
        }
        drained.get(60, TimeUnit.SECONDS);
        assertThat(proxy.runner.calls()).isEqualTo(3);
    }

    @Test
    void aClientThatAnswersNoPingIsNotAwaited() throws Exception {
        try (Http2Connection connection = connect().leavingPings()) {
            connection.post(1, PATH, Http2IT.CALL);
            connection.await(1);
            drain(connection);
            assertGone(connection.awaitEnd(), 1);
        }
        drained.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aRequestThatIsArrivingIsAwaited() throws Exception {
        try (Http2Connection connection = connect()) {
            byte[] call = Http2IT.CALL.getBytes(ISO_8859_1);
            connection.send(Http2Frame.headers(1, false, Http2Connection.request("POST", PATH)));
            connection.send(Http2Frame.data(1, false, java.util.Arrays.copyOf(call, 9)));
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) > 0);
            drain(connection);
            assertGone(connection.awaitFrame(Http2Frame.GOAWAY), 1);
            connection.send(Http2Frame.data(1, true, java.util.Arrays.copyOfRange(call, 9, call.length)));
            assertThat(connection.await(1).text()).isEqualTo(Http2IT.ANSWER);
            connection.awaitEnd();
        }
        drained.get(60, TimeUnit.SECONDS);
    }

    @Test
    void theLastAnswerArrivesWholeAlthoughTheClientGoesOnSending() throws Exception {
        RawJson large = RawJson.of("\"" + "x".repeat(LARGE) + "\"");
        proxy.runner.on("large", call -> large);
        Http2Frame much = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 1 << 30);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, much, SMALL)) {
            connection.send(Http2Frame.window(0, 1 << 30));
            connection.post(1, PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}");
            connection.awaitFrame(Http2Frame.HEADERS);
            drain(connection);
            // The socket of the proxy holds the end of the answer while the client still gives back window.
            assertThat(connection.await(1).isWhole()).isTrue();
            assertThat(connection.answer(1).body()).hasSizeGreaterThan(LARGE);
            connection.awaitEnd();
        }
        drained.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aClientThatTakesTheLastAnswerSlowlyGetsItWhole() throws Exception {
        RawJson medium = RawJson.of("\"" + "x".repeat(MEDIUM) + "\"");
        proxy.runner.on("medium", call -> medium);
        Http2Frame much = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 1 << 30);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, much, SMALL)) {
            connection.send(Http2Frame.window(0, 1 << 29));
            connection.post(1, PATH, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"medium\"}");
            // The socket of the proxy holds what does not fit into that of the client.
            await().until(() -> proxy.runner.calls() == 1 && proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            drained = proxy.listener.drain(LONG);
            long beganNanos = System.nanoTime();
            await().pollInSameThread().pollInterval(Duration.ofMillis(200)).until(() -> {
                connection.send(Http2Frame.window(0, 1));
                return System.nanoTime() - beganNanos > TimeUnit.SECONDS.toNanos(5);
            });
            assertThat(connection.await(1).body()).hasSizeGreaterThan(MEDIUM);
            connection.awaitEnd();
        }
        drained.get(60, TimeUnit.SECONDS);
    }

    @Test
    void whatIsOpenInTheEndIsCut() throws Exception {
        try (Http2Connection connection = connect()) {
            hold(connection, 1);
            proxy.listener.drain(50).get(60, TimeUnit.SECONDS);
            connection.awaitEnd();
            assertThat(connection.answer(1).isWhole()).isFalse();
        }
        held.release("1");
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0 && proxy.gauge(Meter.CALLS_IN_FLIGHT) == 0);
    }

    @Test
    void aConnectionServesOnUnderTheNextConfiguration() throws Exception {
        try (Http2Connection connection = connect()) {
            hold(connection, 1);
            proxy.current.publish(proxy.generation(true));
            connection.post(3, PATH, Http2IT.CALL);
            assertThat(connection.await(3).status()).isEqualTo(401);
            connection.post(5, "/", Http2IT.CALL);
            assertThat(connection.await(5).text()).isEqualTo(Http2IT.ANSWER);
            held.release("1");
            assertThat(connection.await(1).text()).endsWith("\"result\":1}");
        }
    }
}
