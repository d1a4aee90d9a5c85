package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.NoLeaks;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshakes that open a WebSocket, and those that do not. */
@NoLeaks
class WebSocketHandshakeIT {

    private static final String PATH = "/ws/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";

    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void theHandshakeIsAnsweredAsTheStandardShows() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawWebSocket.handshake(PATH, "Sec-WebSocket-Extensions: permessage-deflate"));
            RawConnection.Answer answer = connection.read();
            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(answer.header("Upgrade")).isEqualTo("websocket");
            assertThat(answer.header("Connection")).isEqualTo("Upgrade");
            assertThat(answer.header("Sec-WebSocket-Extensions")).isNull();
        }
    }

    @Test
    void anHttpConnectionMayBecomeAWebSocketWhenNothingIsOwed() throws Exception {
        Held held = new Held();
        proxy.runner.on("held", held);
        String call = RawConnection.post("/v3/" + TestProxy.KEY, CALL);
        try (RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(call).read().status()).isEqualTo(200);
            assertThat(connection.send(RawWebSocket.handshake(PATH)).read().status())
                    .isEqualTo(101);
        }
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post("/v3/" + TestProxy.KEY, CALL.replace("network", "held")));
            connection.send(RawWebSocket.handshake(PATH));
            await().until(() -> held.count() == 1);
            held.release("7");
            assertThat(connection.read().status()).isEqualTo(200);
            assertThat(connection.read().status()).isEqualTo(400);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/ws/v3/wrong, 401",
        "/ws/v3, 401",
        "/ws, 401",
        "/side/ws, 401",
        "/nowhere/ws/v3/half, 404",
        "/side/ws/v3/half, 403",
        "/ws/v3/half/x, 404",
        "/ws/ws, 404",
        "/v3/half, 405",
        "/, 405",
    })
    void rejectedRequestsGetAnHttpStatus(String path, int status) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(RawWebSocket.handshake(path)).read().status())
                    .isEqualTo(status);
            // No upgrade took place: the connection still speaks HTTP.
            assertThat(connection.send(RawWebSocket.handshake(PATH)).read().status())
                    .isEqualTo(101);
        }
    }

    @Test
    void withoutUpgradeAWebSocketsPathSaysWhatItWants() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer = connection
                    .send("GET " + PATH + " HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read();
            assertThat(answer.status()).isEqualTo(426);
            assertThat(answer.header("Upgrade")).isEqualTo("websocket");
            assertThat(answer.header("Connection")).isEqualTo("Upgrade");
            String old = RawWebSocket.handshake(PATH).replace("Version: 13", "Version: 8");
            answer = connection.send(old).read();
            assertThat(answer.status()).isEqualTo(426);
            assertThat(answer.header("Sec-WebSocket-Version")).isEqualTo("13");
            answer = connection.send(RawConnection.post(PATH, CALL)).read();
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"short", "", "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==", "%%%%%%%%%%%%%%%%%%%%%%=="})
    void aMalformedHandshakeIsRejected(String nonce) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            String request = RawWebSocket.handshake(PATH).replace("dGhlIHNhbXBsZSBub25jZQ==", nonce);
            assertThat(connection.send(request).read().status()).isEqualTo(400);
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.refused("handshake")).isEqualTo(1);
        }
    }

    @Test
    void aHandshakeWithABodyIsRejected() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawWebSocket.handshake(PATH, "Content-Length: 2") + "{}");
            assertThat(connection.read().status()).isEqualTo(400);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"/ws, main", "/side/ws, side", "/ws/, main"})
    void withoutAKeyOnlyWhereThatIsAllowed(String path, String network) throws Exception {
        proxy.current.publish(proxy.generation(true));
        try (RawWebSocket socket = new RawWebSocket(proxy, path)) {
            assertThat(socket.text(CALL).read().text()).contains("\"" + network + "\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"/ws/v3/half, main", "/side/ws/v3/" + TestProxy.KEY + ", side"})
    void javasOwnClientIsServed(String path, String network) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(proxy.webSocketUri(path), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        answer.complete(data.toString());
                        return WebSocket.Listener.super.onText(from, data, last);
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
                        closed.complete(status);
                        return WebSocket.Listener.super.onClose(from, status, reason);
                    }
                })
                .get(60, TimeUnit.SECONDS);
        socket.sendText(CALL.substring(0, 20), false).get(60, TimeUnit.SECONDS);
        socket.sendText(CALL.substring(20), true).get(60, TimeUnit.SECONDS);
        assertThat(answer.get(60, TimeUnit.SECONDS)).contains("\"" + network + "\"");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(60, TimeUnit.SECONDS);
        assertThat(closed.get(60, TimeUnit.SECONDS)).isEqualTo(1000);
    }
}
