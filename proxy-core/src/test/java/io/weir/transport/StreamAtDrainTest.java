package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import org.junit.jupiter.api.Test;

/** Streams on a connection that is drained. */
@NoLeaks
class StreamAtDrainTest {

    private static final String CLOSING = "Connection: close";

    private final FakeStream stream = new FakeStream();

    private static String request(String method) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}";
        return "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /** Sends requests, drains the connection, and has the stream begin. Returns the connection's bytes until then. */
    private String begin(EmbeddedListener connection, String requests) {
        connection.receiveOnly(requests.getBytes(UTF_8));
        connection.drain();
        connection.settle();
        stream.receiver().flush();
        return sent(connection);
    }

    private void end() {
        stream.receiver().take(Unpooled.directBuffer().writeBytes("[]".getBytes(UTF_8)));
        stream.receiver().ended(true);
    }

    private static String sent(EmbeddedListener connection) {
        connection.settle();
        return new String(connection.sent(), UTF_8);
    }

    @Test
    void aStreamBeforeAnotherAnswerDoesNotSayThatTheConnectionCloses() {
        try (EmbeddedListener connection = new EmbeddedListener(new ServerBounds()).streaming(stream)) {
            assertThat(begin(connection, request("stream") + request("network")))
                    .contains("Transfer-Encoding: chunked")
                    .doesNotContain(CLOSING);
            end();
            assertThat(sent(connection)).contains("\"main\"", CLOSING);
        }
        assertThat(stream.isClosed()).isTrue();
    }

    @Test
    void aStreamThatIsTheLastAnswerSaysThatTheConnectionCloses() {
        try (EmbeddedListener connection = new EmbeddedListener(new ServerBounds()).streaming(stream)) {
            assertThat(begin(connection, request("stream"))).contains(CLOSING);
            assertThat(connection.isOpen()).isTrue();
            end();
            assertThat(sent(connection)).endsWith("0\r\n\r\n");
        }
        assertThat(stream.isClosed()).isTrue();
    }
}
