package io.weir.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Without memory for an answer its connection closes, and nothing remains counted. */
class AnswerMemoryTest {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}";

    private final EmbeddedListener context = new EmbeddedListener(new ServerBounds());

    private void receive(byte[] bytes) {
        context.receive(bytes, 0, bytes.length);
    }

    private String sent() {
        return new String(context.sent(), US_ASCII);
    }

    @Test
    void anHttpConnectionEnds() {
        context.answeringLate();
        String request = RawConnection.post(PATH, CALL);
        receive((request + request).getBytes(US_ASCII));
        context.allowBuffersUpTo(64);
        context.settle();
        assertThat(context.isOpen()).isFalse();
        assertThat(sent()).isEmpty();
        // Checks that nothing is left.
        context.close();
    }

    @Test
    void aWebSocketEnds() {
        context.answeringLate();
        receive(RawWebSocket.handshake("/ws" + PATH).getBytes(US_ASCII));
        assertThat(sent()).contains(" 101 ");
        receive(RawWebSocket.frame(0x81, CALL.getBytes(US_ASCII)));
        context.allowBuffersUpTo(16);
        context.settle();
        assertThat(context.isOpen()).isFalse();
        context.close();
    }

    @Test
    void incompressibleAnswersAreSentUnchanged() {
        String large = CALL.replace("}", ",\"params\":[\"" + "x".repeat(2000) + "\"]}");
        byte[] request =
                RawConnection.post(PATH, large, "Accept-Encoding: gzip").getBytes(US_ASCII);
        context.allowBuffersUpTo(6000);
        receive(request);
        assertThat(sent()).startsWith("HTTP/1.1 200 OK").contains("xxx").doesNotContain("gzip");
        context.close();
    }
}
