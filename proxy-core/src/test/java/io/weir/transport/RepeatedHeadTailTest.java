package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers behind Content-Length that change from one request of a connection to the next decide about their own request alone. */
class RepeatedHeadTailTest {

    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"echo\",\"params\":[\"%s\"]}".formatted("x".repeat(4_000));

    @ParameterizedTest
    @CsvSource({
        "Origin: https://one.example, Origin: https://two.example",
        "Origin: https://two.example, Origin: https://one.example",
        "Origin: https://one.example, Origin: https://bad.example",
        "Accept-Encoding: gzip, Accept-Encoding: none",
        "Accept-Encoding: none, Accept-Encoding: gzip",
        "Content-Type: text/html, Content-Type: text/json",
        "Connection: keep-alive, Connection: closeclose"
    })
    void theSecondRequestIsAnsweredAsOnAConnectionOfItsOwn(String first, String second) {
        assertThat(first).as("the heads differ in nothing else").hasSameSizeAs(second);
        String alone = answer(request(second));
        String behind = answer(request(first), request(second));

        assertThat(alone).isNotEmpty();
        assertThat(behind).isEqualTo(alone);
    }

    /** Returns the answer to the last of these requests, on one connection. */
    private static String answer(String... requests) {
        ServerBounds bounds = new ServerBounds();
        bounds.corsOrigins = Set.of("https://one.example", "https://two.example");
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            String last = "";
            for (String request : requests) {
                byte[] bytes = request.getBytes(ISO_8859_1);
                context.receive(bytes, 0, bytes.length);
                context.settle();
                last = new String(context.sent(), ISO_8859_1);
            }
            return last.replaceAll("Server-Timing: [^\r]*", "Server-Timing");
        }
    }

    private static String request(String line) {
        return "POST /v3/" + TestProxy.KEY + " HTTP/1.1\r\nHost: main\r\nContent-Length: " + CALL.length() + "\r\n"
                + line + "\r\n\r\n" + CALL;
    }
}
