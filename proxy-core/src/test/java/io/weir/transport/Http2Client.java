package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.io.IOException;

/** A client of HTTP/2 before a proxy. */
record Http2Client(TestProxy proxy) {

    /** Opens a connection, over TLS if the proxy speaks it. */
    Http2Connection connect() throws IOException {
        return new Http2Connection(proxy.port(), proxy.clientTls);
    }

    /** Sends a request with a call as its body, and another call behind it, which must be answered. Returns the first answer. */
    Http2Connection.Answer ask(byte[] fields) throws IOException {
        try (Http2Connection connection = connect()) {
            connection.send(Http2Frame.headers(1, false, fields));
            connection.send(Http2Frame.data(1, true, Http2IT.CALL.getBytes(ISO_8859_1)));
            Http2Connection.Answer answer = connection.await(1);
            assertServed(connection, 3);
            return answer;
        }
    }

    /** Asserts that a stream of a connection is served. */
    static void assertServed(Http2Connection connection, int stream) throws IOException {
        connection.post(stream, Http2IT.PATH, Http2IT.CALL);
        assertThat(connection.await(stream).text()).isEqualTo(Http2IT.ANSWER);
    }

    /** Waits until all connections are gone, with all that they took. */
    void awaitNothingLeft() {
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        await().until(() -> proxy.gauge(Meter.CALLS_IN_FLIGHT) == 0);
    }
}
