package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.Counter;
import io.weir.config.AddressBlock;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.transport.log.AccessWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@NoLeaks
class AccessLogIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final JsonMapper JSON = new JsonMapper();

    private final ServerBounds bounds = new ServerBounds();
    private final Held held = new Held();

    @TempDir
    private Path folder;

    private Path file;
    private AccessWriter writer;

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("access.log");
        writer = AccessWriter.open(file, new Counter());
        bounds.log = writer;
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    private TestProxy proxy() throws IOException {
        TestProxy proxy = new TestProxy(bounds);
        proxy.runner.on("held", held).on("large", call -> RawJson.of("\"" + "x".repeat(8 << 20) + "\""));
        return proxy;
    }

    private static String call(String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"}";
    }

    private List<JsonNode> lines(int count) throws IOException {
        await().until(() -> Files.readAllLines(file).size() >= count);
        List<JsonNode> lines =
                Files.readAllLines(file).stream().map(JSON::readTree).toList();
        assertThat(lines).hasSize(count);
        return lines;
    }

    @Test
    void everyHttpRequestHasItsLine() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            String packed = new String(GzipRequestIT.gzip(call("echo").getBytes(UTF_8)), ISO_8859_1);
            connection.send(RawConnection.post(PATH, call("network"))
                    + RawConnection.post("/side" + PATH, "[" + call("echo") + "," + call("nothing") + "]")
                    + RawConnection.post("/v3/wrong", call("echo"))
                    + RawConnection.post(PATH, packed, "Content-Encoding: gzip")
                    + "GET nonsense\r\n\r\n");
            int first = connection.read().body().length();
            connection.readToEnd();
            List<JsonNode> lines = lines(5);
            JsonNode one = lines.get(0);
            assertThat(one.get("client").asString()).isEqualTo("127.0.0.1");
            assertThat(one.get("network").asString()).isEqualTo("main");
            assertThat(one.get("key").asString()).isEqualTo("full");
            assertThat(one.get("protocol").asString()).isEqualTo("http");
            assertThat(one.get("methods").toString()).isEqualTo("[\"network\"]");
            assertThat(one.get("status").asInt()).isEqualTo(200);
            assertThat(one.get("in").asInt()).isEqualTo(call("network").length());
            assertThat(one.get("out").asInt()).isGreaterThan(first);
            assertThat(one.get("ms").asDouble()).isBetween(0.0, 60_000.0);
            JsonNode batch = lines.get(1);
            assertThat(batch.get("network").asString()).isEqualTo("side");
            assertThat(batch.get("calls").asInt()).isEqualTo(2);
            assertThat(batch.get("error").asInt()).isEqualTo(-32601);
            assertThat(lines.get(2).get("status").asInt()).isEqualTo(401);
            assertThat(lines.get(2).has("key")).isFalse();
            assertThat(lines.get(3).get("in").asInt()).isEqualTo(packed.length());
            assertThat(lines.get(4).get("status").asInt()).isEqualTo(400);
        }
    }

    @Test
    void everyMessageOfAWebSocketHasItsLineAndItsHandshakeToo() throws Exception {
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            socket.text(call("network"));
            socket.read();
            socket.text("{\"jsonrpc\":\"2.0\",\"method\":\"network\"}");
            List<JsonNode> lines = lines(3);
            assertThat(lines.get(0).get("status").asInt()).isEqualTo(101);
            assertThat(lines.get(0).get("protocol").asString()).isEqualTo("http");
            JsonNode message = lines.get(1);
            assertThat(message.get("protocol").asString()).isEqualTo("websocket");
            assertThat(message.get("client").asString()).isEqualTo("127.0.0.1");
            assertThat(message.get("key").asString()).isEqualTo("full");
            assertThat(message.get("methods").toString()).isEqualTo("[\"network\"]");
            assertThat(message.get("in").asInt()).isEqualTo(call("network").length());
            assertThat(message.has("status")).isFalse();
            assertThat(lines.get(2).get("out").asInt()).isZero();
        }
    }

    @Test
    void noKeyNoPathAndNoHeaderValueIsInIt() throws Exception {
        bounds.requestTimeoutMillis = 200;
        String secret = "X-Secret: hidden-value\r\nAuthorization: Bearer hidden-token\r\nOrigin: https://hidden.test";
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH);
                RawConnection connection = new RawConnection(proxy)) {
            socket.text(call("network"));
            socket.read();
            connection.send(RawConnection.post(PATH + "?token=hidden-query", call("network"), secret)
                    + RawConnection.post("/v3/hidden-key", call("network"), secret)
                    + RawConnection.post("/hidden-network" + PATH, call("network"), secret)
                    + RawConnection.post("/hidden/path/to/nothing", call("network"), secret)
                    + RawConnection.post(PATH, call("network"), "Content-Encoding: hidden-coding", secret)
                    + RawConnection.post(PATH, call("network"), secret).substring(0, 200));
            connection.readToEnd();
            lines(8);
            assertThat(Files.readString(file))
                    .doesNotContainIgnoringCase("hidden")
                    .doesNotContain("v3", "k%2F", "k/ü", "%");
        }
    }

    @Test
    void theClientOfATrustedProxyIsTheOneItNames() throws Exception {
        bounds.trustedProxies = List.of(AddressBlock.parse("127.0.0.0/8"));
        bounds.connectionsPerAddress = 1;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy);
                RawConnection other = new RawConnection(proxy)) {
            connection.send(
                    RawConnection.post(PATH, call("network"), "X-Forwarded-For: 192.0.2.1, 198.51.100.2, 127.0.0.3"));
            assertThat(connection.read().status()).isEqualTo(200);
            // Trusted, it is not counted as one address.
            other.send(RawConnection.post(PATH, call("network"), "Forwarded: for=\"[2001:db8::5]:443\";host=x"));
            assertThat(other.read().status()).isEqualTo(200);
            other.send(RawConnection.post(PATH, call("network"), "Forwarded: for=\"broken"));
            assertThat(other.read().status()).isEqualTo(200);
            List<JsonNode> lines = lines(3);
            assertThat(lines.get(0).get("client").asString()).isEqualTo("198.51.100.2");
            assertThat(lines.get(1).get("client").asString()).isEqualTo("2001:db8:0:0:0:0:0:5");
            assertThat(lines.get(2).get("client").asString()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void untrustedPeersAreNotBelieved() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, call("network"), "X-Forwarded-For: 192.0.2.1"));
            assertThat(connection.read().status()).isEqualTo(200);
            assertThat(lines(1).get(0).get("client").asString()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void unsentAnswersAreLoggedToo() throws Exception {
        try (TestProxy proxy = proxy()) {
            RawConnection gone = new RawConnection(proxy);
            gone.send(RawConnection.post(PATH, call("held"))
                    + RawConnection.post(PATH, call("large"))
                    + RawConnection.post(PATH, call("echo")).substring(0, 100));
            await().until(() -> held.count() == 1);
            gone.reset();
            // Also the one that is still being run: to its client it has ended.
            List<JsonNode> lines = lines(3);
            assertThat(lines).allMatch(line -> line.get("unsent").asBoolean() && !line.has("status"));
            held.release("1");
            await().until(() -> proxy.gauge(Meter.CALLS_IN_FLIGHT) == 0);
            lines(3);
        }
    }
}
