package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests that one read brings, and that need no node: other connections of the event loop must not wait for all of them. */
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

    private static int answers(String sent) {
        return sent.split("HTTP/1.1 ", -1).length - 1;
    }
}
