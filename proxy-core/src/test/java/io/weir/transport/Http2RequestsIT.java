package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of HTTP/2 that no client sends by itself: none goes round a check. */
@NoLeaks
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Http2RequestsIT {

    private static final String PATH = Http2IT.PATH;
    private static final int PROTOCOL_ERROR = 1;

    private TestProxy proxy;
    private Http2Client client;

    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeAll
    void start() throws Exception {
        ServerBounds bounds = bounds();
        bounds.corsOrigins = Set.of("https://app.test");
        proxy = new TestProxy(bounds);
        client = new Http2Client(proxy);
    }

    @AfterAll
    void stop() {
        client.awaitNothingLeft();
        proxy.close();
    }

    private static byte[] fields(@Nullable String authority, @Nullable String host, String... more) {
        List<String> fields = new ArrayList<>(List.of(":method", "POST", ":scheme", "https", ":path", PATH));
        if (authority != null) {
            fields.addAll(List.of(":authority", authority));
        }
        if (host != null) {
            fields.addAll(List.of("host", host));
        }
        fields.addAll(List.of(more));
        return Http2Frame.fields(fields.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, , main",
        "side.test, , side",
        ", side.test, side",
        "side.test, side.test, side",
        "SIDE.test, side.TEST, side",
        "side.test:8545, , side",
    })
    void theAuthorityNamesTheNetwork(String authority, String host, String network) throws Exception {
        assertThat(client.ask(fields(authority, host)).text()).endsWith("\"result\":\"" + network + "\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, side.test",
        "side.test, localhost",
        "side.test, side.test:80",
        "evil.test, localhost",
        "localhost, evil.test",
    })
    void anAuthorityAndAHostThatDifferAreMalformed(String authority, String host) throws Exception {
        int calls = proxy.runner.calls() + proxy.sideRunner.calls();
        assertThat(client.ask(fields(authority, host)).reset()).isEqualTo(PROTOCOL_ERROR);
        // That of the request behind it.
        assertThat(proxy.runner.calls() + proxy.sideRunner.calls()).isEqualTo(calls + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "evil.test, , 403",
        ", evil.test, 403",
        "evil.test, evil.test, 403",
        ", , 400",
        "user@localhost, , 400",
        "localhost/v3, , 400",
        "'localhost, side.test', , 400",
    })
    void aForeignOrBrokenHostIsRejected(String authority, String host, int status) throws Exception {
        int calls = proxy.runner.calls();
        assertThat(client.ask(fields(authority, host)).status()).isEqualTo(status);
        assertThat(proxy.runner.calls()).isEqualTo(calls + 1);
    }

    @Test
    void severalHostsAreRejectedWithAndWithoutAnAuthority() throws Exception {
        assertThat(client.ask(fields(null, "localhost", "host", "side.test")).status())
                .isEqualTo(400);
        assertThat(client.ask(fields("localhost", "localhost", "host", "localhost"))
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.test, 403",
        "null, 403",
        "'', 403",
        "http://localhost:1, 403",
        "http://localhost, 200",
        "https://localhost, 200",
        "https://app.test, 200"
    })
    void aForeignPageIsRejected(String origin, int status) throws Exception {
        assertThat(client.ask(fields("localhost", null, "origin", origin)).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "v3/half, 400",
        "*, 400",
        "http://localhost/v3/half, 400",
        "/v3/half#x, 400",
        "/v3/half%00, 400",
        "//v3/half, 404",
        "/v3/half/.., 404",
        "/./v3/half, 404",
        "/ws/v3/half, 405",
        "/, 401",
        "/V3/half, 404",
        "/v3/HALF, 401",
        "/side/v3/half, 403",
        "/v3/half?x=/side/v3/half, 200"
    })
    void aPathIsReadAsInHttp1(String path, int status) throws Exception {
        assertThat(client.ask(Http2Connection.request("POST", path)).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":path=/v3/half",
                ":authority=evil.test",
                ":method=GET",
                ":scheme=http",
                ":status=200",
                ":evil=1",
                ":protocol=websocket",
                "Authorization=Bearer half",
                "Host=side.test",
                "connection=close",
                "connection=upgrade",
                "upgrade=websocket",
                "keep-alive=1",
                "proxy-connection=close",
                "transfer-encoding=chunked",
                "te=gzip",
                "x-a=a\rb",
                "x-a=a\r\nx-api-key: half",
                "x-a=a\u0000b",
                "x a=b",
                "x:a=b",
                "x\r\na=b",
                "=b"
            })
    void aMalformedFieldResetsTheStream(String field) throws Exception {
        int calls = proxy.runner.calls();
        int at = field.lastIndexOf('=');
        assertThat(client.ask(Http2Connection.request("POST", PATH, field.substring(0, at), field.substring(at + 1)))
                        .reset())
                .isEqualTo(PROTOCOL_ERROR);
        assertThat(proxy.runner.calls()).isEqualTo(calls + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {":method", ":scheme", ":path"})
    void aRequestWithoutOneOfItsPartsResetsTheStream(String missing) throws Exception {
        List<String> fields = new ArrayList<>(
                List.of(":method", "POST", ":scheme", "https", ":path", PATH, ":authority", "localhost"));
        int at = fields.indexOf(missing);
        fields.subList(at, at + 2).clear();
        assertThat(client.ask(Http2Frame.fields(fields.toArray(String[]::new))).reset())
                .isEqualTo(PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @CsvSource({":authority, ''", ":path, ''", ":path, /v3/ha lf", ":method, ''", ":method, PO ST"})
    void aMalformedPartResetsTheStream(String name, String value) throws Exception {
        List<String> fields = new ArrayList<>(
                List.of(":method", "POST", ":scheme", "https", ":path", PATH, ":authority", "localhost"));
        fields.set(fields.indexOf(name) + 1, value);
        assertThat(client.ask(Http2Frame.fields(fields.toArray(String[]::new))).reset())
                .isEqualTo(PROTOCOL_ERROR);
    }

    @Test
    void thereIsNoTunnel() throws Exception {
        byte[] tunnel = Http2Frame.fields(":method", "CONNECT", ":authority", "localhost:80");
        assertThat(client.ask(tunnel).status()).isEqualTo(400);
        byte[] withPath = Http2Connection.request("CONNECT", PATH);
        assertThat(client.ask(withPath).reset()).isEqualTo(PROTOCOL_ERROR);
        byte[] webSocket = Http2Connection.request(
                "CONNECT",
                "/ws" + PATH,
                "sec-websocket-version",
                "13",
                "sec-websocket-key",
                "dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(client.ask(webSocket).reset()).isEqualTo(PROTOCOL_ERROR);
    }

    @Test
    void aWebSocketNeedsHttp1() throws Exception {
        byte[] handshake = Http2Connection.request(
                "GET", "/ws" + PATH, "sec-websocket-version", "13", "sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(client.ask(handshake).status()).isEqualTo(426);
        assertThat(proxy.gauge(Meter.WEBSOCKETS)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "/, authorization, Bearer half, 200",
        "/, x-api-key, half, 200",
        "/side, x-api-key, k/\u00c3\u00bc y, 200",
        "/side, x-api-key, half, 403",
        "/, x-api-key, wrong, 401",
        "/, x-api-key, '', 401",
        "/v3/half, x-api-key, half, 200",
        "/v3/half, x-api-key, wrong, 401",
        "/v3/wrong, x-api-key, half, 401"
    })
    void aKeyInAHeaderIsReadAsInHttp1(String path, String name, String value, int status) throws Exception {
        assertThat(client.ask(Http2Connection.request("POST", path, name, value))
                        .status())
                .isEqualTo(status);
    }
}
