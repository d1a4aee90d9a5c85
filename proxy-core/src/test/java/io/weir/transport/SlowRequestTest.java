package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests over HTTP/1.1 that arrive in pieces, the time that they have, and the time of connections without any. */
@ExtendWith(NoLeaks.class)
class SlowRequestTest {

    private static final int HEAD_MILLIS = 100;
    private static final int REQUEST_MILLIS = 1_000;
    private static final int IDLE_MILLIS = 5_000;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String HEAD = "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + CALL.length() + "\r\n\r\n";

    private final ServerBounds bounds = new ServerBounds();

    private EmbeddedListener open() {
        bounds.headerTimeoutMillis = HEAD_MILLIS;
        bounds.requestTimeoutMillis = REQUEST_MILLIS;
        bounds.idleMillis = IDLE_MILLIS;
        return new EmbeddedListener(bounds);
    }

    private static void send(EmbeddedListener connection, String text) {
        connection.receiveOnly(text.getBytes(ISO_8859_1));
    }

    private static String sent(EmbeddedListener connection) {
        return new String(connection.sent(), ISO_8859_1);
    }

    private static void assertServed(EmbeddedListener connection) {
        assertThat(sent(connection)).contains("\"main\"").doesNotContain("in time");
    }

    private static void assertCut(EmbeddedListener connection, String reason) {
        assertThat(sent(connection)).startsWith("HTTP/1.1 408 ").contains(reason);
        assertThat(connection.refused("slow")).isEqualTo(1);
    }

    private static void assertClosed(EmbeddedListener connection) {
        assertThat(connection.isOpen()).isFalse();
        assertThat(sent(connection)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, 100, headers: did not arrive in time", "false, 1000, request: did not arrive whole in time"})
    void aRequestWhosePiecesKeepComingHasTheTimeOfARequestAllTheSame(boolean inHead, int millis, String reason) {
        String text = inHead ? HEAD : HEAD + CALL;
        int at = inHead ? 0 : HEAD.length();
        try (EmbeddedListener connection = open()) {
            send(connection, HEAD + CALL);
            assertServed(connection);
            send(connection, text.substring(0, at + 1));
            for (int i = 1; i < 4; i++) {
                connection.pass(millis / 4);
                send(connection, text.substring(at + i, at + i + 1));
            }
            connection.pass(millis / 4 - 1);
            assertThat(sent(connection)).isEmpty();
            connection.pass(1);
            assertCut(connection, reason);
        }
    }

    @Test
    void aRequestThatBeginsWithTheEndOfTheOneBeforeHasATimeOfItsOwn() {
        try (EmbeddedListener connection = open()) {
            send(connection, HEAD + "{");
            connection.pass(REQUEST_MILLIS - 1);
            send(connection, CALL.substring(1) + HEAD + "{");
            assertServed(connection);
            connection.pass(REQUEST_MILLIS - 1);
            assertThat(sent(connection)).isEmpty();
            connection.pass(1);
            assertCut(connection, "request: did not arrive whole in time");
        }
    }

    @Test
    void aRequestHasNoMoreThanItsTimeOnAConnectionThatWasIdle() {
        try (EmbeddedListener connection = open()) {
            send(connection, HEAD + CALL);
            assertServed(connection);
            connection.pass(HEAD_MILLIS);
            send(connection, HEAD + "{");
            connection.pass(REQUEST_MILLIS);
            assertCut(connection, "request: did not arrive whole in time");
        }
    }

    @Test
    void theAnswerToAnEarlierRequestGivesTheNextOneNoMoreTime() {
        try (EmbeddedListener connection = open().answeringLate()) {
            send(connection, HEAD + CALL + HEAD + "{");
            connection.pass(REQUEST_MILLIS - 1);
            connection.answer();
            assertThat(sent(connection)).contains("\"id\":7");
            connection.pass(1);
            assertCut(connection, "request: did not arrive whole in time");
        }
    }

    @Test
    void aCallThatIsUnderWayGivesTheNextRequestNoMoreTime() {
        try (EmbeddedListener connection = open().answeringLate()) {
            send(connection, HEAD + CALL + HEAD + "{");
            connection.pass(REQUEST_MILLIS);
            connection.answer();
            assertThat(sent(connection)).contains("\"id\":7", "request: did not arrive whole in time");
        }
    }

    @Test
    void aRequestHasItsTimeFromTheMomentWhenTheProxyReadsAgain() {
        bounds.maxPipelined = 1;
        try (EmbeddedListener connection = open().answeringLate()) {
            send(connection, HEAD + CALL + HEAD + "{");
            connection.pass(2 * REQUEST_MILLIS);
            assertThat(sent(connection)).isEmpty();
            connection.answer();
            assertThat(sent(connection)).contains("\"id\":7");
            connection.pass(REQUEST_MILLIS - 1);
            assertThat(sent(connection)).isEmpty();
            send(connection, CALL.substring(1));
            connection.answer();
            assertThat(sent(connection)).contains("\"id\":7");
        }
    }

    @Test
    void aConnectionIsClosedThatSendsNoFirstHeadInTime() {
        try (EmbeddedListener connection = open()) {
            connection.pass(HEAD_MILLIS - 1);
            assertThat(connection.isOpen()).isTrue();
            connection.pass(1);
            assertClosed(connection);
        }
    }

    @Test
    void theTimeBeforeTheFirstHeadIsNotItsOwn() {
        try (EmbeddedListener connection = open()) {
            connection.pass(HEAD_MILLIS - 1);
            send(connection, HEAD.substring(0, 1));
            connection.pass(HEAD_MILLIS - 1);
            send(connection, HEAD.substring(1) + CALL);
            assertServed(connection);
        }
    }

    @Test
    void aConnectionMayBeIdleForLongerBetweenItsRequests() {
        try (EmbeddedListener connection = open()) {
            send(connection, HEAD + CALL);
            assertServed(connection);
            connection.pass(IDLE_MILLIS - 1);
            send(connection, HEAD + CALL);
            assertServed(connection);
            connection.pass(IDLE_MILLIS - 1);
            assertThat(connection.isOpen()).isTrue();
            connection.pass(1);
            assertClosed(connection);
        }
    }

    @Test
    void aConnectionIsNotIdleWhileItsCallIsUnderWay() {
        try (EmbeddedListener connection = open().answeringLate()) {
            send(connection, HEAD + CALL);
            connection.pass(2 * IDLE_MILLIS);
            connection.pass(IDLE_MILLIS / 2);
            assertThat(connection.isOpen()).isTrue();
            connection.answer();
            assertThat(sent(connection)).contains("\"id\":7");
            connection.pass(IDLE_MILLIS - 1);
            assertThat(connection.isOpen()).isTrue();
            connection.pass(1);
            assertClosed(connection);
        }
    }
}
