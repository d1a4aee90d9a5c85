package io.weir.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.EchoNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A page in a real Chromium that tries to use a proxy on the same machine. */
final class ForeignPageInBrowserIT {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CALL = JsonRpcClient.call("eth_gasPrice");

    /** Tries every way that a page has to send a call, and tells its own server what came of each. */
    private static final String PAGE = """
            <!doctype html><title>page</title><script>
            const call = 'CALL', told = {};
            const attempt = async (name, action) => {
              try { told[name] = String(await action()); } catch (e) { told[name] = 'failed'; }
            };
            const text = response => response.type === 'opaque' ? 'opaque' : response.text();
            const socket = url => new Promise((done, fail) => {
              const opened = new WebSocket(url);
              opened.onopen = () => opened.send(call);
              opened.onmessage = event => done(event.data);
              opened.onerror = () => fail(new Error('closed'));
            });
            (async () => {
              const post = more => fetch('HTTP', { method: 'POST', body: new Blob([call]), ...more }).then(text);
              await attempt('typed', () => post({ headers: { 'content-type': 'application/json' } }));
              await attempt('untyped', () => post({}));
              await attempt('opaque', () => post({ mode: 'no-cors' }));
              await attempt('unnamed', () => post({ mode: 'no-cors', referrerPolicy: 'no-referrer' }));
              await attempt('beacon', () => navigator.sendBeacon('HTTP', new Blob([call])));
              await attempt('socket', () => socket('WEBSOCKET'));
              await attempt('status', () => fetch('STATUS').then(text));
              await fetch('/told', { method: 'POST', body: JSON.stringify(told) });
            })();
            </script>""";

    @TempDir
    private Path profile;

    private final CompletableFuture<JsonNode> told = new CompletableFuture<>();
    private EchoNode node;
    private HttpServer site;
    private Process browser;

    @BeforeEach
    void start() throws IOException {
        assumeThat(CHROMIUM).as("apt-get install chromium").exists();
        node = EchoNode.start("node", 1);
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (browser != null) {
            List<ProcessHandle> all = new ArrayList<>(browser.descendants().toList());
            all.add(browser.toHandle());
            all.forEach(ProcessHandle::destroyForcibly);
            browser.waitFor(20, TimeUnit.SECONDS);
        }
        if (site != null) {
            site.stop(0);
            node.close();
        }
    }

    private LocalProxy proxy(String... settings) {
        ConfigurationText text = ConfigurationText.of("one", "1").upstream("node", node.url());
        for (String setting : settings) {
            text.setting(setting);
        }
        return LocalProxy.start(text.text());
    }

    private static double refused(LocalProxy weir) {
        return weir.admin().metric("weir_requests_refused_total", "reason=\"origin\"");
    }

    private String origin(String host) {
        return "http://" + host + ":" + site.getAddress().getPort();
    }

    /**
     * Opens the page under a name of its own, and returns its output. The page reaches the proxy under another name.
     */
    private JsonNode visit(LocalProxy weir, String pageHost, String proxyHost) throws Exception {
        String page = PAGE.replace("CALL", CALL)
                .replace("'HTTP'", "'http://" + proxyHost + ":" + weir.port() + "/v3/demo'")
                .replace("WEBSOCKET", "ws://" + proxyHost + ":" + weir.port() + "/ws/v3/demo")
                .replace("STATUS", "http://" + proxyHost + ":" + weir.adminPort() + "/status");
        site.createContext("/", exchange -> serve(exchange, page));
        List<String> command = new ArrayList<>(List.of(
                CHROMIUM.toString(),
                "--headless=new",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                // As an attacker's name server would have it.
                "--host-resolver-rules=MAP *.test 127.0.0.1",
                "--user-data-dir=" + profile));
        if ("root".equals(Files.getOwner(profile).getName())) {
            // Chromium's sandbox does not run for root.
            command.add("--no-sandbox");
        }
        command.add(origin(pageHost) + "/");
        browser = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return told.get(60, TimeUnit.SECONDS);
    }

    private void serve(HttpExchange exchange, String page) throws IOException {
        try (exchange) {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/told")) {
                told.complete(JSON.readTree(sent));
            }
            byte[] bytes = page.getBytes(UTF_8);
            exchange.getResponseHeaders().set("content-type", "text/html");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void aForeignPageCanNeitherCallNorRead() throws Exception {
        try (LocalProxy weir = proxy()) {
            JsonNode result = visit(weir, "evil.test", "127.0.0.1");
            assertThat(result.path("typed").asString()).isEqualTo("failed");
            assertThat(result.path("untyped").asString()).isEqualTo("failed");
            assertThat(result.path("opaque").asString()).isIn("opaque", "failed");
            assertThat(result.path("beacon").asString()).isNotEmpty();
            assertThat(result.path("socket").asString()).isEqualTo("failed");
            assertThat(result.path("status").asString()).isEqualTo("failed");
            // A preflight, three calls, a beacon, which is sent behind the page's back, and a handshake.
            await().atMost(60, TimeUnit.SECONDS).until(() -> refused(weir) >= 6);
            assertThat(node.asked()).as("calls that reached the node").doesNotContain("eth_gasPrice");
        }
    }

    @Test
    void aPageThatReachesTheProxyByItsOwnNameCanNeitherCallNorRead() throws Exception {
        try (LocalProxy weir = proxy("server.cors.origins = [\"" + origin("evil.test") + "\"]")) {
            JsonNode result = visit(weir, "evil.test", "rebound.test");
            for (String attempt : List.of("typed", "untyped", "socket", "status")) {
                assertThat(result.path(attempt).asString()).as(attempt).doesNotContain("0x", "networks");
            }
            assertThat(node.asked()).as("calls that reached the node").doesNotContain("eth_gasPrice");
        }
    }

    @Test
    void aPageThatIsNamedCallsAndReads() throws Exception {
        try (LocalProxy weir = proxy("server.cors.origins = [\"" + origin("app.test") + "\"]")) {
            JsonNode result = visit(weir, "app.test", "127.0.0.1");
            assertThat(result.path("typed").asString()).contains("result");
            assertThat(result.path("untyped").asString()).contains("result");
            assertThat(result.path("socket").asString()).contains("result");
            assertThat(result.path("status").asString()).isEqualTo("failed");
            assertThat(node.asked()).contains("eth_gasPrice");
        }
    }
}
