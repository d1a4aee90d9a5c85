package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Clients of HTTP/2 that give no window: their streams end in time, and the others of their connection go on. */
@NoLeaks
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2SlowReaderIT {

    private static final String PATH = Http2IT.PATH;
    private static final int CANCEL = 8;
    private static final int LARGE = 4 << 20;
    private static final int FIRST_WINDOW = 65_535;
    private static final String LARGE_CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}";

    private TestProxy proxy;

    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeAll
    void start() throws Exception {
        ServerBounds bounds = bounds();
        // The clients of these tests must act within this time where they are to be served.
        bounds.writeTimeoutMillis = 3_000;
        proxy = new TestProxy(bounds);
        RawJson large = RawJson.of("\"" + "x".repeat(LARGE) + "\"");
        proxy.runner.on("large", call -> large);
    }

    @AfterAll
    void stop() {
        proxy.close();
    }

    private long slowReaders() {
        return proxy.meters.counter(Meter.SLOW_READERS).getCount();
    }

    private void assertAnswered(Http2Connection connection, int stream) throws Exception {
        connection.post(stream, PATH, Http2IT.CALL);
        connection.send(Http2Frame.window(stream, FIRST_WINDOW));
        assertThat(connection.await(stream).text()).isEqualTo(Http2IT.ANSWER);
    }

    @Test
    void aStreamWithoutWindowEndsAloneAndGivesEverythingBack() throws Exception {
        long before = slowReaders();
        Http2Frame none = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 0);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, none, 0)) {
            connection.post(1, PATH, LARGE_CALL);
            connection.awaitFrame(Http2Frame.HEADERS);
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isBetween((long) LARGE, LARGE + 8192L);
            assertAnswered(connection, 3);
            assertThat(connection.await(1).reset()).isEqualTo(CANCEL);
            assertThat(connection.answer(1).body()).isEmpty();
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            assertThat(slowReaders()).isEqualTo(before + 1);
            assertAnswered(connection, 5);
        }
    }

    @Test
    void streamsOfAConnectionWithoutWindowEndAndTheConnectionServesOn() throws Exception {
        long before = slowReaders();
        Http2Frame much = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, much, 0)) {
            connection.post(1, PATH, LARGE_CALL).post(3, PATH, LARGE_CALL);
            int taken = 0;
            while (connection.answer(1).reset() < 0 || connection.answer(3).reset() < 0) {
                Http2Frame frame = connection.read();
                taken += frame.type() == Http2Frame.DATA ? frame.content().length : 0;
            }
            assertThat(taken).isEqualTo(FIRST_WINDOW);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            assertThat(slowReaders()).isEqualTo(before + 2);
            connection.send(Http2Frame.window(0, FIRST_WINDOW)).post(5, PATH, Http2IT.CALL);
            assertThat(connection.await(5).text()).isEqualTo(Http2IT.ANSWER);
        }
    }

    @Test
    void aWindowThatIsTakenBackAndGivenAgainLosesNothing() throws Exception {
        Http2Frame some = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 1000);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, some, 0)) {
            connection.post(1, PATH, LARGE_CALL);
            connection.awaitFrame(Http2Frame.DATA);
            connection.send(Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 0));
            connection.send(Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, FIRST_WINDOW));
            assertThat(connection.await(1).text())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"xxx")
                    .hasSizeGreaterThan(LARGE)
                    .endsWith("xxx\"}");
        }
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
    }

    @Test
    void aClientThatLeavesAConnectionFullOfAnswersGivesEverythingBack() throws Exception {
        Http2Frame none = Http2Frame.setting(Http2Frame.INITIAL_WINDOW_SIZE, 0);
        try (Http2Connection connection = new Http2Connection(proxy.port(), proxy.clientTls, none, 0)) {
            for (int stream = 1; stream < 20; stream += 2) {
                connection.post(stream, PATH, LARGE_CALL);
            }
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) >= 10L * LARGE);
        }
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
    }
}
