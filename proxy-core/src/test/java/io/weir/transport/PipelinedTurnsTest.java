package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Much work that one read brings, and that needs no node: other connections of the event loop must not wait for all of it. */
class PipelinedTurnsTest {

    private static final int REQUESTS = 1_000;
    private static final int MAX_IN_TURN = 64;

    @ParameterizedTest
    @ValueSource(strings = {"/v3/" + TestProxy.KEY, "/v3/unknown", "/nowhere/at/all"})
    void aTurnOfTheLoopAnswersSomeAndTheOthersFollowInOrder(String path) {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < REQUESTS; i++) {
            String call = "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"echo\"}";
            requests.append("POST ")
                    .append(path)
                    .append(" HTTP/1.1\r\nHost: main\r\nContent-Type: application/json\r\n")
                    .append("Content-Length: ")
                    .append(call.length())
                    .append("\r\n\r\n")
                    .append(call);
        }
        ServerBounds bounds = new ServerBounds();
        try (EmbeddedListener connection = new EmbeddedListener(bounds)) {
            String first =
                    new String(connection.receiveInOneTurn(requests.toString().getBytes(UTF_8)), UTF_8);
            connection.settle();
            String all = first + new String(connection.sent(), UTF_8);

            assertThat(answers(first)).isBetween(1, MAX_IN_TURN);
            assertThat(answers(all)).isEqualTo(REQUESTS);
            int at = 0;
            for (int i = 0; i < REQUESTS && path.endsWith(TestProxy.KEY); i++) {
                int next = all.indexOf("\"id\":" + i + ",", at);
                assertThat(next).as("answer " + i).isGreaterThanOrEqualTo(at);
                at = next;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1 << 20})
    void aTurnOfTheLoopUnpacksAPartOfABodyAndTheRequestsBehindItWait(int mostBytes) throws Exception {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            String call = " ".repeat(900_000) + "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"echo\"}";
            byte[] body = GzipRequestIT.gzip(call.getBytes(UTF_8));
            requests.writeBytes(("POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: main\r\nContent-Encoding: gzip\r\n"
                            + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(UTF_8));
            requests.writeBytes(body);
        }
        byte[] all = requests.toByteArray();
        try (EmbeddedListener connection = new EmbeddedListener(new ServerBounds())) {
            int first = Math.min(mostBytes, all.length);
            long[] bytes = new long[1];
            byte[] sentFirst =
                    connection.receiveInOneTurn(Arrays.copyOf(all, first), () -> bytes[0] = connection.bytesInFlight());
            assertThat(sentFirst).isEmpty();
            assertThat(bytes[0]).isLessThan(400_000);
            connection.settle();
            for (int at = first; at < all.length; at += first) {
                connection.receive(all, at, Math.min(all.length, at + first));
            }
            connection.settle();
            String sent = new String(connection.sent(), UTF_8);
            assertThat(answers(sent)).isEqualTo(3);
            assertThat(sent).containsSubsequence("\"id\":0,", "\"id\":1,", "\"id\":2,");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyThatIsBeingUnpackedIsServedInADrainAndForgottenWithItsClient(boolean cut) throws Exception {
        String call = " ".repeat(900_000) + "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"echo\"}";
        byte[] body = GzipRequestIT.gzip(call.getBytes(UTF_8));
        String head = "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: main\r\nContent-Encoding: gzip\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        try (EmbeddedListener connection = new EmbeddedListener(new ServerBounds())) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes(head.getBytes(UTF_8));
            request.writeBytes(body);
            Runnable behind = cut ? connection::cut : connection::drain;
            assertThat(connection.receiveInOneTurn(request.toByteArray(), behind))
                    .isEmpty();
            connection.settle();
            String sent = new String(connection.sent(), UTF_8);
            assertThat(sent.contains("\"id\":7,")).isEqualTo(!cut);
            assertThat(sent.contains("onnection: close")).isEqualTo(!cut);
            assertThat(connection.callsBegun()).isEqualTo(cut ? 0 : 1);
        }
    }

    private static int answers(String sent) {
        return sent.split("HTTP/1.1 ", -1).length - 1;
    }
}
