package io.weir.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The traces of hostile clients in meters and in the log. */
final class HostileClientIT {

    private static final String KEY = "hostile-key-5f1c";
    private static final List<String> SECRETS = List.of(
            KEY, "node-password-77", "node-path-41", "node-header-93", "client-header-12", "/v3/", "junk-method");
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nX-Client: client-header-12\r\n";
    private static final int TIMES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private EchoNode node;
    private WeirProcess weir;

    @BeforeEach
    void start() throws Exception {
        node = EchoNode.start("node", 1337);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(UTF_8));
        String credentials = "http://user:node-password-77@127.0.0.1:";
        weir = WeirProcess.start(ConfigurationText.of("net", "1337")
                .setting("access.keys.hostile { sha256 = \"" + HexFormat.of().formatHex(hash) + "\" }")
                .networkSetting("upstreams.good { url = \"" + credentials + node.port()
                        + "/node-path-41\", headers { X-Token = \"node-header-93\" } }")
                .networkSetting("upstreams.gone { url = \"" + credentials + "1/node-path-41\" }")
                .text());
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", "good").equals("healthy"));
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", "gone").equals("down"));
    }

    @AfterEach
    void end() {
        weir.close();
        node.close();
    }

    private String url() {
        return "http://127.0.0.1:" + weir.port() + "/v3/" + KEY;
    }

    @Test
    void framesBeyondTheWindowEndTheirConnectionsAndFillNoLog() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            try (Http2Connection connection = new Http2Connection(weir.port(), null)) {
                connection.send(Http2Frame.headers(1, false, Http2Connection.request("POST", "/v3/" + KEY)));
                for (int sent = 0; sent < 1 << 17; sent += 1 << 14) {
                    connection.send(Http2Frame.data(1, false, new byte[1 << 14]));
                }
                connection.awaitEnd();
            } catch (SocketException e) {
                // The proxy was faster.
            }
        }
        await().atMost(PATIENCE)
                .until(() -> weir.admin().metric("weir_http2_errors_total", "code=\"flow_control_error\"") == TIMES);
        assertThat(weir.process().err()).noneMatch(line -> line.contains("Http2"));
    }

    private void callJunk(int from, int to) {
        String batch = IntStream.range(from, to)
                .mapToObj(i -> "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"junk-method" + i + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(new JsonRpcClient(url()).post(batch).statusCode()).isEqualTo(200);
    }

    /** The meters of the proxy, each with its labels, without values. */
    private Set<String> series() {
        return Stream.of(weir.admin().metrics().split("\n"))
                .filter(line -> line.startsWith("weir_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aThousandNamesOfMethodsAreOneLabel() {
        callJunk(0, 10);
        Set<String> before = series();
        callJunk(10, 500);
        callJunk(500, 1_000);
        assertThat(weir.admin().metric("weir_calls_total", "method=\"other\"")).isEqualTo(1_000);
        assertThat(series()).isEqualTo(before);
        assertThat(weir.admin().metrics()).doesNotContain("junk-method");
    }

    @Test
    void noSecretReachesTheLogOrTheMeters() throws IOException {
        String path = "/v3/" + KEY;
        List<String> requests = List.of(
                "POST " + path + HEAD + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
                "POST " + path + HEAD + "Transfer-Encoding: chunked\r\n\r\nzz" + KEY + "\r\n",
                "POST " + path + "/../%zz" + HEAD + "Content-Length: 0\r\n\r\n",
                "POST " + path + "/more/" + KEY + HEAD + "Content-Length: 0\r\n\r\n",
                "POST http://" + KEY + "@host" + path + HEAD + "\r\n",
                "GET " + path + HEAD + "\r\n",
                "POST " + path + HEAD + KEY + " no colon\r\n\r\n",
                "POST " + path + "wrong" + HEAD + "Content-Length: 2\r\n\r\n{}",
                "POST " + path + HEAD + "Content-Length: 19\r\n\r\n{\"" + KEY + "\":",
                "POST " + path + HEAD + "X: " + KEY.repeat(5_000) + "\r\n\r\n",
                "POST /" + KEY.repeat(5_000) + HEAD + "\r\n",
                webSocket(path) + "\u00ff\u00ff" + KEY,
                webSocket(path) + "\u0081\u0002{}",
                webSocket(path + "wrong"),
                "\u0016\u0003\u0001" + KEY + "\r\n\r\n",
                KEY);
        for (int i = 0; i < TIMES; i++) {
            for (String request : requests) {
                send(weir.port(), request);
                send(weir.adminPort(), request.replace("POST", "GET"));
            }
            callJunk(0, 10);
        }
        assertThat(series()).noneMatch(HostileClientIT::holdsASecret);
        weir.close();
        // The log must contain the proxy's own messages, such as "draining", so that it is known to be complete.
        assertThat(weir.process().err()).anyMatch(line -> line.contains("closed"));
        assertThat(weir.process().err()).noneMatch(HostileClientIT::holdsASecret);
        assertThat(weir.process().out()).noneMatch(line -> line.contains(KEY));
        assertThat(weir.process().err()).hasSizeLessThan(100);
    }

    private static boolean holdsASecret(String line) {
        return SECRETS.stream().anyMatch(line::contains);
    }

    private static String webSocket(String path) {
        return "GET /ws" + path + HEAD + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    /** Sends bytes, and reads to the end of what comes. */
    private static void send(int port, String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // Closed before everything was sent: it has seen enough.
        }
    }
}
