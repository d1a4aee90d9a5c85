package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time that a message has to arrive in pieces, and that a client may be silent. */
@NoLeaks
class WebSocketTimeTest {

    private static final int LIMIT_MILLIS = 100;
    private static final int PING_MILLIS = 5_000;
    private static final String PING = "\u0089\u0000";
    private static final byte[] PONG = RawWebSocket.frame(0x8a, new byte[0]);
    private static final byte[] CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}".getBytes(UTF_8);
    private static final byte[] FRAME = RawWebSocket.frame(0x81, CALL);
    private static final byte[] HALF = Arrays.copyOf(FRAME, FRAME.length / 2);
    private static final byte[] REST = Arrays.copyOfRange(FRAME, HALF.length, FRAME.length);

    private final ServerBounds bounds = new ServerBounds();

    @BeforeEach
    void limitTime() {
        bounds.requestTimeoutMillis = LIMIT_MILLIS;
        bounds.idleMillis = 2 * PING_MILLIS;
    }

    private EmbeddedListener open() {
        EmbeddedListener socket = new EmbeddedListener(bounds);
        socket.receiveOnly(RawWebSocket.handshake("/ws/v3/" + TestProxy.KEY).getBytes(ISO_8859_1));
        assertThat(sent(socket)).startsWith("HTTP/1.1 101 ");
        return socket;
    }

    private static String sent(EmbeddedListener socket) {
        return new String(socket.sent(), ISO_8859_1);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static void assertCut(EmbeddedListener socket) {
        assertThat(sent(socket)).contains("message did not arrive whole in time");
        assertThat(socket.refused("slow")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageWhosePiecesKeepComingHasTheTimeOfAMessageAllTheSame(boolean fragments) {
        try (EmbeddedListener socket = open()) {
            for (int i = 0; i < 3; i++) {
                byte[] piece =
                        fragments ? RawWebSocket.frame(i == 0 ? 0x01 : 0x00, new byte[] {' '}) : new byte[] {FRAME[i]};
                socket.receiveOnly(piece);
                socket.pass(LIMIT_MILLIS / 3);
                assertThat(sent(socket)).isEmpty();
            }
            socket.pass(1);
            assertCut(socket);
        }
    }

    @Test
    void aMessageThatBeginsWithTheEndOfTheOneBeforeHasATimeOfItsOwn() {
        try (EmbeddedListener socket = open()) {
            socket.receiveOnly(HALF);
            socket.pass(LIMIT_MILLIS - 1);
            socket.receiveOnly(joined(REST, HALF));
            socket.pass(LIMIT_MILLIS - 1);
            assertThat(sent(socket)).contains("\"main\"").doesNotContain("in time");
            socket.pass(1);
            assertCut(socket);
        }
    }

    @Test
    void aMessageThatHasArrivedWholeIsNotWaitedForAnyMore() {
        try (EmbeddedListener socket = open()) {
            socket.receiveOnly(HALF);
            socket.receiveOnly(REST);
            socket.pass(10 * LIMIT_MILLIS);
            assertThat(sent(socket)).contains("\"main\"").doesNotContain("in time");
            assertThat(socket.isOpen()).isTrue();
        }
    }

    @Test
    void aMessageHasItsTimeFromTheMomentWhenTheProxyReadsAgain() {
        bounds.maxPipelined = 1;
        try (EmbeddedListener socket = open().answeringLate()) {
            socket.receiveOnly(joined(FRAME, HALF));
            socket.pass(10 * LIMIT_MILLIS);
            assertThat(sent(socket)).isEmpty();
            socket.answer();
            socket.pass(LIMIT_MILLIS - 1);
            assertThat(sent(socket)).contains("\"id\":7").doesNotContain("in time");
            socket.pass(1);
            assertCut(socket);
        }
    }

    @Test
    void aSilentClientIsPingedAndClosedIfItStaysSilent() {
        try (EmbeddedListener socket = open()) {
            socket.pass(PING_MILLIS - 1);
            assertThat(sent(socket)).isEmpty();
            socket.pass(1);
            assertThat(sent(socket)).isEqualTo(PING);
            socket.pass(PING_MILLIS);
            assertThat(sent(socket)).contains("idle");
            assertThat(socket.isOpen()).isFalse();
        }
    }

    @Test
    void aClientThatAnswersPingsIsNotSilent() {
        try (EmbeddedListener socket = open()) {
            for (int i = 0; i < 4; i++) {
                socket.pass(PING_MILLIS);
                assertThat(sent(socket)).isEqualTo(PING);
                socket.receiveOnly(PONG);
            }
            assertThat(socket.isOpen()).isTrue();
        }
    }

    @Test
    void aClientIsNotSilentWhileTheProxyDoesNotRead() {
        bounds.maxPipelined = 1;
        try (EmbeddedListener socket = open().answeringLate()) {
            socket.pass(PING_MILLIS);
            assertThat(sent(socket)).isEqualTo(PING);
            socket.receiveOnly(joined(FRAME, FRAME));
            for (int i = 0; i < 4; i++) {
                socket.pass(PING_MILLIS);
                assertThat(sent(socket)).isEmpty();
            }
            socket.answer();
            socket.answer();
            assertThat(sent(socket)).contains("\"id\":7");
            socket.pass(PING_MILLIS);
            assertThat(sent(socket)).isEqualTo(PING);
        }
    }
}
