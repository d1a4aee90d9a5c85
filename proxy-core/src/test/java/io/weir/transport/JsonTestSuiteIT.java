package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of JSONTestSuite as bodies and messages: none of them is a call, so that none may reach the runner. */
@NoLeaks
class JsonTestSuiteIT {

    private static TestProxy proxy;
    private static RawConnection http;

    @BeforeAll
    static void start() throws IOException {
        proxy = new TestProxy();
        http = new RawConnection(proxy);
    }

    @AfterAll
    static void stop() throws IOException {
        http.close();
        proxy.close();
    }

    static List<Path> files() throws IOException, URISyntaxException {
        Path folder =
                Path.of(Objects.requireNonNull(JsonTestSuiteIT.class.getResource("/jsonrpc/JSONTestSuite/test_parsing"))
                        .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void theSuiteIsComplete() throws Exception {
        assertThat(files()).hasSize(318);
    }

    @ParameterizedTest
    @MethodSource("files")
    void overHttp(Path file) throws Exception {
        String body = new String(Files.readAllBytes(file), ISO_8859_1);
        RawConnection.Answer answer =
                http.send(RawConnection.post("/v3/" + TestProxy.KEY, body)).read();
        assertThat(answer.status()).isEqualTo(200);
        assertRejected(answer.body());
    }

    @ParameterizedTest
    @MethodSource("files")
    void overWebSocket(Path file) throws Exception {
        byte[] message = Files.readAllBytes(file);
        try (RawWebSocket socket = new RawWebSocket(proxy, "/ws/v3/" + TestProxy.KEY)) {
            RawWebSocket.Frame answer =
                    socket.send(RawWebSocket.TEXT, true, message).read();
            if (isUtf8(message)) {
                assertRejected(answer.text());
            } else {
                assertThat(answer.closeStatus()).isEqualTo(1007);
            }
        }
        assertThat(proxy.runner.calls()).isZero();
    }

    @ParameterizedTest
    @MethodSource("files")
    void overWebSocketInABinaryFrame(Path file) throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, "/ws/v3/" + TestProxy.KEY)) {
            assertRejected(socket.send(RawWebSocket.BINARY, true, Files.readAllBytes(file))
                    .read()
                    .text());
        }
    }

    private static void assertRejected(String answer) {
        assertThat(answer).containsAnyOf("\"code\":-32700", "\"code\":-32600").doesNotContain("\"result\"");
        assertThat(proxy.runner.calls()).isZero();
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
