package io.weir.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where there is no memory for an answer, its connection ends, and nothing stays counted. */
class AnswerMemoryTest {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}";

    private final EmbeddedDoor door = new EmbeddedDoor(new ServerBounds());

    private void receive(byte[] bytes) {
        door.receive(bytes, 0, bytes.length);
    }

    private String sent() {
        return new String(door.sent(), US_ASCII);
    }

    @Test
    void anHttpConnectionEnds() {
        door.answeringLate();
        String request = RawConnection.post(PATH, CALL);
        receive((request + request).getBytes(US_ASCII));
        door.allowBuffersUpTo(64);
        door.settle();
        assertThat(door.isOpen()).isFalse();
        assertThat(sent()).isEmpty();
        // Checks that nothing is left.
        door.close();
    }

    @Test
    void aWebSocketEnds() {
        door.answeringLate();
        receive(RawWebSocket.handshake("/ws" + PATH).getBytes(US_ASCII));
        assertThat(sent()).contains(" 101 ");
        receive(RawWebSocket.frame(0x81, CALL.getBytes(US_ASCII)));
        door.allowBuffersUpTo(16);
        door.settle();
        assertThat(door.isOpen()).isFalse();
        door.close();
    }

    @Test
    void whatCannotBePackedGoesAsItIs() {
        String large = CALL.replace("}", ",\"params\":[\"" + "x".repeat(2000) + "\"]}");
        byte[] request =
                RawConnection.post(PATH, large, "Accept-Encoding: gzip").getBytes(US_ASCII);
        door.allowBuffersUpTo(6000);
        receive(request);
        assertThat(sent()).startsWith("HTTP/1.1 200 OK").contains("xxx").doesNotContain("gzip");
        door.close();
    }
}
