package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of foreign pages that reach the proxy: by DNS rebinding, fetch, beacons and WebSockets. */
@NoLeaks
class ForeignPagesIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String SOCKET_PATH = "/ws/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String EVIL = "Origin: https://evil.test";

    private final ServerBounds bounds = new ServerBounds();

    private static String post(String host, String... headers) {
        return RawConnection.post(PATH, CALL, headers).replace("Host: localhost", "Host: " + host);
    }

    private static String handshake(String host, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return "GET " + SOCKET_PATH + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + lines + "\r\n";
    }

    private static void assertForeign(RawConnection.Answer answer, String header, String setting) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body())
                .contains("\"code\":-32002", header, setting)
                .doesNotContain("evil", "main", TestProxy.KEY);
        assertThat(answer.headers()).noneMatch(line -> line.startsWith("Access-Control-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.test", "evil.test:8545", "127.0.0.1.nip.io", "localhost.evil.test", "192.0.2.1", ""})
    void aHostThatIsNotServedIsRejectedBeforeAnythingIsRead(String host) throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertForeign(connection.send(post(host)).read(), "Host", "server.hosts");
            assertForeign(connection.send(handshake(host)).read(), "Host", "server.hosts");
            assertForeign(
                    connection.send(post(host).replace(PATH, "/nowhere/at/all")).read(), "Host", "server.hosts");
            assertForeign(
                    connection.send(post(host, "X-Forwarded-Host: localhost")).read(), "Host", "server.hosts");
            assertThat(proxy.refused("host")).isEqualTo(4);
            assertThat(proxy.runner.calls()).isZero();
            // The connection stays for those who ask better.
            assertThat(connection.send(post("localhost")).read().status()).isEqualTo(200);
        }
    }

    @Test
    void ownNamesAndAddressesAreServed() throws Exception {
        bounds.hosts = Set.of("rpc.example.org");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            String[] own = {
                "localhost",
                "LOCALHOST.:1",
                "x.localhost",
                "127.0.0.1:" + proxy.port(),
                "127.9.9.9",
                "[::1]",
                "side.test.",
                "RPC.example.org:443"
            };
            for (String host : own) {
                assertThat(connection.send(post(host)).read().status()).as(host).isEqualTo(200);
            }
            assertThat(connection.send(post("side.test.:80")).read().body()).contains("\"side\"");
        }
    }

    @Test
    void aRequestOfHttpOneZeroNeedsNoHost() throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(post("x").replace("HTTP/1.1\r\nHost: x", "HTTP/1.0"));
            assertThat(connection.read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Type: application/json", "Sec-Fetch-Mode: no-cors"})
    void aForeignPagesCallIsNotExecutedWhateverItsType(String type) throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            for (String origin : new String[] {EVIL, "Origin: null", "Origin:", "Origin: http://localhost:3000"}) {
                String[] headers = type.isEmpty() ? new String[] {origin} : new String[] {origin, type};
                assertForeign(connection.send(post("localhost", headers)).read(), "Origin", "server.cors.origins");
            }
            assertForeign(connection.send(post("localhost", EVIL, EVIL)).read(), "Origin", "server.cors.origins");
            assertThat(proxy.refused("origin")).isEqualTo(5);
            assertThat(proxy.runner.calls()).isZero();
        }
    }

    @Test
    void aProgramThatSendsItsNameAsOriginIsServed() throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer =
                    connection.send(post("localhost", "Origin: Titanoboa")).read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers()).noneMatch(line -> line.startsWith("Access-Control-"));
            assertThat(connection
                            .send(handshake("localhost", "Origin: Titanoboa"))
                            .read()
                            .status())
                    .isEqualTo(101);
        }
    }

    @Test
    void aForeignPageGetsNoWebSocket() throws Exception {
        bounds.corsOrigins = Set.of("https://app.test");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertForeign(connection.send(handshake("localhost", EVIL)).read(), "Origin", "server.cors.origins");
            assertForeign(
                    connection
                            .send(handshake("localhost", "Origin: chrome-extension://abc"))
                            .read(),
                    "Origin",
                    "server.cors.origins");
            assertThat(connection
                            .send(handshake("localhost", "Origin: https://app.test"))
                            .read()
                            .status())
                    .isEqualTo(101);
        }
    }

    @ParameterizedTest
    @CsvSource({"localhost:8545, http://localhost:8545", "side.test, https://side.test", "side.test., https://side.test"
    })
    void aPageOfTheSameHostIsServed(String host, String origin) throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(post(host, "Origin: " + origin)).read().status())
                    .isEqualTo(200);
            assertThat(connection
                            .send(handshake(host, "Origin: " + origin))
                            .read()
                            .status())
                    .isEqualTo(101);
        }
    }

    @Test
    void anAsteriskSwitchesTheCheckOfTheHostOff() throws Exception {
        bounds.hosts = Set.of("*");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(post("evil.test")).read().status()).isEqualTo(200);
            assertForeign(connection.send(post("localhost", EVIL)).read(), "Origin", "server.cors.origins");
        }
    }

    @Test
    void aHeadThatIsRememberedIsHeldAgainstTheGenerationThatServes() throws Exception {
        bounds.hosts = Set.of("rpc.example.org");
        bounds.corsOrigins = Set.of("https://app.test");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            String byName = post("rpc.example.org");
            String byPage = post("localhost", "Origin: https://app.test");
            for (int i = 0; i < 3; i++) {
                assertThat(connection.send(byName).read().status()).isEqualTo(200);
            }
            bounds.hosts = Set.of();
            proxy.current.publish(proxy.generation(bounds.build()));
            assertForeign(connection.send(byName).read(), "Host", "server.hosts");
            for (int i = 0; i < 3; i++) {
                assertThat(connection.send(byPage).read().header("Access-Control-Allow-Origin"))
                        .isEqualTo("https://app.test");
            }
            bounds.corsOrigins = Set.of();
            proxy.current.publish(proxy.generation(bounds.build()));
            assertForeign(connection.send(byPage).read(), "Origin", "server.cors.origins");
            bounds.hosts = Set.of("rpc.example.org");
            proxy.current.publish(proxy.generation(bounds.build()));
            assertThat(connection.send(byName).read().status()).isEqualTo(200);
        }
    }

    @Test
    void aHeadThatDiffersInItsOriginOnlyIsAnotherHead() throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            String own = post("localhost:8545", "Origin: http://localhost:8545");
            String foreign = post("localhost:8545", "Origin: http://localhost:8546");
            for (int i = 0; i < 3; i++) {
                assertThat(connection.send(own).read().status()).isEqualTo(200);
                assertThat(connection.send(own).read().status()).isEqualTo(200);
                assertForeign(connection.send(foreign).read(), "Origin", "server.cors.origins");
            }
            String behindLength = "POST " + PATH + " HTTP/1.1\r\nHost: localhost:8545\r\nContent-Length: "
                    + CALL.length() + "\r\nOrigin: http://localhost:PORT\r\n\r\n" + CALL;
            for (int i = 0; i < 3; i++) {
                assertThat(connection
                                .send(behindLength.replace("PORT", "8545"))
                                .read()
                                .status())
                        .isEqualTo(200);
                assertForeign(
                        connection.send(behindLength.replace("PORT", "8546")).read(), "Origin", "server.cors.origins");
            }
        }
    }

    @Test
    void aWebSocketEndsWhereItsPageIsNotAllowedAnyMore() throws Exception {
        bounds.corsOrigins = Set.of("https://app.test");
        try (TestProxy proxy = new TestProxy(bounds);
                RawWebSocket socket = RawWebSocket.ofPage(proxy, SOCKET_PATH, "https://app.test")) {
            assertThat(socket.text(CALL).read().text()).contains("\"main\"");
            bounds.corsOrigins = Set.of();
            proxy.current.publish(proxy.generation(bounds.build()));
            assertThat(socket.text(CALL).read().closeStatus()).isEqualTo(1008);
        }
    }
}
