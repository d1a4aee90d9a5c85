package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls whose results stream are in flight until their streams have ended. */
@NoLeaks
class StreamedCallsTest {

    private final ServerBounds bounds = new ServerBounds();
    private final FakeStream stream = new FakeStream();

    private static String request(String method) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}";
        return "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /** Opens a connection on which a result streams. */
    private EmbeddedListener begin(String requests) {
        return begin(requests, connection -> {});
    }

    private EmbeddedListener begin(String requests, Consumer<EmbeddedListener> before) {
        EmbeddedListener connection = new EmbeddedListener(bounds).streaming(stream);
        connection.receiveOnly(requests.getBytes(UTF_8));
        before.accept(connection);
        connection.answer();
        stream.receiver().take(Unpooled.directBuffer().writeBytes("[]".getBytes(UTF_8)));
        stream.receiver().flush();
        assertThat(connection.callsInFlight()).isOne();
        return connection;
    }

    private static String sent(EmbeddedListener connection) {
        connection.settle();
        return new String(connection.sent(), UTF_8);
    }

    @Test
    void aCallEndsWithTheLastByteOfItsResult() {
        try (EmbeddedListener connection = begin(request("stream"))) {
            stream.receiver().ended(true);
            assertThat(sent(connection)).endsWith("0\r\n\r\n");
            assertThat(connection.callsInFlight()).isZero();
        }
    }

    @Test
    void aCallEndsWithAResultThatBreaksOff() {
        try (EmbeddedListener connection = begin(request("stream"))) {
            stream.receiver().ended(false);
            assertThat(connection.callsInFlight()).isZero();
            assertThat(stream.isClosed()).isTrue();
        }
    }

    @Test
    void aCallEndsWithItsClient() {
        try (EmbeddedListener connection = begin(request("stream"))) {
            connection.cut();
            assertThat(connection.callsInFlight()).isZero();
            assertThat(stream.isClosed()).isTrue();
        }
    }

    @Test
    void aCallOverTheBoundOfItsConnectionBeginsBehindTheResult() {
        bounds.callsPerConnection = 1;
        try (EmbeddedListener connection = begin(request("stream") + request("network"))) {
            assertThat(connection.callsBegun()).isOne();
            stream.receiver().ended(true);
            assertThat(sent(connection)).contains("\"main\"");
            assertThat(connection.callsBegun()).isEqualTo(2);
        }
    }

    @Test
    void aCallOverTheBoundOfItsConnectionDoesNotBeginOnceThatEnds() {
        bounds.callsPerConnection = 1;
        try (EmbeddedListener connection = begin(request("stream") + request("network"))) {
            connection.cut();
            assertThat(connection.callsBegun()).isOne();
        }
    }

    @Test
    void aCallOverTheBoundOfItsConnectionDoesNotBeginBehindAResultThatBreaksOff() {
        bounds.callsPerConnection = 1;
        try (EmbeddedListener connection = begin(request("stream") + request("network"))) {
            stream.receiver().ended(false);
            assertThat(connection.callsBegun()).isOne();
        }
    }

    @Test
    void aCallOverTheBoundOfItsConnectionDoesNotBeginBehindTheLastAnswer() {
        bounds.callsPerConnection = 1;
        try (EmbeddedListener connection = begin(request("stream"), EmbeddedListener::drain)) {
            connection.receiveOnly(request("network").getBytes(UTF_8));
            stream.receiver().ended(true);
            assertThat(sent(connection)).contains("Connection: close").endsWith("0\r\n\r\n");
            assertThat(connection.callsBegun()).isOne();
        }
    }
}
