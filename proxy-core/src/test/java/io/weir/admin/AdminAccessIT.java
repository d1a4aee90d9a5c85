package io.weir.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.traffic.HttpConnection;
import io.weir.testing.traffic.HttpConnection.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests that the admin listener answers: health checks always, and pages of browsers only if they are its own.
 */
final class AdminAccessIT {

    private static final int MAX_CONNECTIONS = 64;
    private static final List<String> PATHS =
            List.of("/health/live", "/health/ready", "/metrics", "/status", "/nowhere", "/plugins/x");

    private static LocalProxy weir;

    private final List<Socket> idle = new ArrayList<>();

    @BeforeAll
    static void start() {
        weir = LocalProxy.start(ConfigurationText.of("one", "1")
                .upstream("absent", "http://127.0.0.1:9")
                .setting("networks.one.hosts = [one.example.org]")
                .setting("admin.hosts = [weir, \"192.0.2.0/24\"]")
                .setting("admin.origins = [\"https://admin.example.org\"]")
                .text());
    }

    @AfterAll
    static void stop() {
        weir.close();
    }

    @AfterEach
    void closeIdleConnections() throws IOException {
        for (Socket socket : idle) {
            socket.close();
        }
    }

    private static Response get(String path, String... headers) {
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            return admin.request("GET", path, "", headers);
        }
    }

    /** Opens connections from an address of this machine, sends the same on each and leaves them open. */
    private void open(int count, String from, String sent) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket =
                    new Socket(InetAddress.getByName("127.0.0.1"), weir.adminPort(), InetAddress.getByName(from), 0);
            idle.add(socket);
            socket.getOutputStream().write(sent.getBytes(US_ASCII));
        }
    }

    private static double closed() {
        return PrometheusText.parse(get("/metrics").body()).sum("weir_admin_connections_refused_total");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\n",
                "POST /plugins/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
                "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
            })
    void idleConnectionsDoNotStopHealthChecks(String sent) throws Exception {
        double before = closed();
        for (int i = 0; i < 3; i++) {
            open(MAX_CONNECTIONS, "127.0.0.1", sent);
            for (int check = 0; check < 3; check++) {
                assertThat(get("/health/live").status()).isEqualTo(200);
            }
        }
        assertThat(closed()).isGreaterThan(before);
    }

    @Test
    void theAddressWithTheMostConnectionsLosesOne() throws Exception {
        try (HttpConnection other = HttpConnection.open(weir.adminPort())) {
            assertThat(other.get("/health/live").status()).isEqualTo(200);
            open(3 * MAX_CONNECTIONS, "127.0.0.2", "");
            assertThat(other.get("/health/live").status()).isEqualTo(200);
        }
    }

    @Test
    void theOneThatWasSilentTheLongestIsClosedFirst() throws Exception {
        open(2, "127.0.0.3", "");
        try (HttpConnection first = HttpConnection.open(weir.adminPort())) {
            assertThat(first.get("/health/live").status()).isEqualTo(200);
            open(MAX_CONNECTIONS, "127.0.0.4", "");
            List<Socket> flood = idle.subList(2, idle.size());
            flood.get(0).setSoTimeout(30_000);
            assertThat(flood.get(0).getInputStream().read()).isEqualTo(-1);
            assertThat(first.get("/health/live").status()).isEqualTo(200);
            for (Socket few : idle.subList(0, 2)) {
                assertThat(firstLine(few)).as("an address with two connections").isEqualTo("HTTP/1.1 200 OK");
            }
        }
    }

    /** Sends a health check on a connection that said nothing before, and returns the first line of the answer. */
    private static String firstLine(Socket socket) throws IOException {
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.test", "evil.test:9545", "one.example.org", "127.0.0.1.nip.io", "198.51.100.1", "*", ""})
    void aNameThatIsNotItsOwnReadsNothing(String host) {
        for (String path : PATHS) {
            Response refused = get(path, "host: " + host, "x-forwarded-host: localhost");
            assertThat(refused.status()).as(path).isEqualTo(403);
            assertThat(refused.body())
                    .as(path)
                    .startsWith("Host: not served under this name")
                    .contains("admin.hosts")
                    .doesNotContain("evil");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST.:9545",
                "127.0.0.1",
                "127.8.8.8:1",
                "[::1]",
                "weir:9545",
                "WEIR.",
                "192.0.2.9",
                "admin.example.org"
            })
    void itsOwnNamesAreAnswered(String host) {
        assertThat(get("/health/live", "host: " + host).status()).isEqualTo(200);
        assertThat(get("/status", "host: " + host).status()).isEqualTo(200);
    }

    @Test
    void aForeignPageReadsAndChangesNothing() {
        String own = "http://127.0.0.1:" + weir.adminPort();
        for (String path : PATHS) {
            for (String origin : List.of("https://evil.test", "null", "http://localhost:3000", "")) {
                Response refused = get(path, "origin: " + origin);
                assertThat(refused.status()).as(path + " from " + origin).isEqualTo(403);
                assertThat(refused.body()).contains("admin.origins");
                assertThat(refused.headers()).doesNotContainKey("access-control-allow-origin");
            }
            assertThat(get(path, "origin: " + own, "origin: " + own).status()).isEqualTo(403);
        }
        assertThat(get("/status", "origin: " + own).status()).isEqualTo(200);
        assertThat(get("/status", "origin: https://admin.example.org").status()).isEqualTo(200);
    }

    @Test
    void aRequestOfHttpOneZeroNeedsNoHost() throws Exception {
        assertThat(raw("GET /health/live HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(raw("GET /health/live HTTP/1.0\r\nHost: evil.test\r\n\r\n")).startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET http://user@localhost/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /health/live?\u0000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /health/live%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /health/live?a=%0d%0a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            })
    void anAmbiguousRequestIsRejected(String request) throws Exception {
        assertThat(raw(request)).startsWith("HTTP/1.1 400");
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", weir.adminPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    @Test
    void aConnectionThatWasClosedForOthersIsGone() throws Exception {
        try (HttpConnection first = HttpConnection.open(weir.adminPort())) {
            first.get("/health/live");
            open(2 * MAX_CONNECTIONS, "127.0.0.1", "");
            get("/health/live");
            assertThatThrownBy(() -> first.get("/health/live")).isInstanceOf(UncheckedIOException.class);
        }
    }
}
