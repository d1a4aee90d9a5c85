package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.FreePorts;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.HttpConnection;
import io.weir.testing.traffic.HttpConnection.Response;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The operators' view of a running proxy with one usable and one unusable network. */
final class AdminListenerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALL = JsonRpcClient.call("eth_gasPrice");
    private static final String PASSWORD = "hunter2-of-the-node";
    private static final String TOKEN = "bearer-token-of-the-node";
    private static final String SECRET_PATH = "secret-path-of-the-node";
    private static final String KEY_HASH = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";

    private static EchoNode well;
    private static int absentPort;
    private static WeirProcess weir;

    private HttpConnection admin;

    @BeforeAll
    static void start() {
        well = EchoNode.start("well", 1);
        absentPort = FreePorts.next();
        String node = "{ url = \"http://user:%s@127.0.0.1:%d/%s\", headers { Authorization = \"Bearer %s\" } }";
        weir = WeirProcess.start("""
                server.port = 0
                admin.port = 0
                plugins.path = []
                default-network = up
                networks {
                  up { chain-id = 1, upstreams.first %s, upstreams.first.budget { per-day = 1000000, costs = alchemy } }
                  down { chain-id = 2, upstreams { second %s }, health.interval = 1 s }
                }
                access.keys.reader { sha256 = "%s" }
                access.keys.expired {
                  sha256 = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
                  expires = "2020-01-01T00:00:00Z"
                }
                """.formatted(
                        node.formatted(PASSWORD, well.port(), SECRET_PATH, TOKEN),
                        node.formatted(PASSWORD, absentPort, SECRET_PATH, TOKEN),
                        KEY_HASH));
        await().atMost(PATIENCE)
                .until(() -> weir.admin().health("up", "first").equals("healthy")
                        && weir.admin().health("down", "second").equals("down"));
    }

    @AfterAll
    static void stop() {
        try {
            if (weir != null) {
                weir.close();
            }
        } finally {
            well.close();
        }
    }

    @BeforeEach
    void connect() {
        admin = HttpConnection.open(weir.adminPort());
    }

    @AfterEach
    void disconnect() {
        admin.close();
    }

    @Test
    void itIsLiveWhateverTheNodesAre() {
        Response live = admin.get("/health/live");
        assertThat(live.status()).isEqualTo(200);
        assertThat(live.body()).isEqualTo("live\n");
        assertThat(live.header("cache-control")).isEqualTo("no-store");
    }

    @Test
    void aNetworkIsReadyWhenItHasAUsableNodeAndNotBefore() {
        Response unready = admin.get("/health/ready?network=down");
        assertThat(unready.status()).isEqualTo(503);
        assertThat(unready.body()).isEqualTo("no usable upstream: down\n");
        try (EchoNode returned = EchoNode.start("returned", 2, absentPort)) {
            await().atMost(PATIENCE).until(() -> status("down") == 200);
            assertThat(admin.get("/health/ready?network=down").body()).isEqualTo("ready\n");
            assertThat(admin.get("/status").json().at("/networks/down/usable").asBoolean())
                    .isTrue();
            // On a slow machine the proxy may have asked for the newest block meanwhile.
            assertThat(returned.asked()).isSubsetOf("eth_getBlockByNumber");
        }
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            http.post("/down/v3/demo", CALL);
        }
        await().atMost(PATIENCE).until(() -> status("down") == 503);
    }

    private int status(String network) {
        return admin.get("/health/ready?network=" + network).status();
    }

    @Test
    void aCallToANetworkWithoutANodeSaysNothingOfTheNode() {
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            Response response = http.post("/down/v3/demo", CALL);
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.errorCode()).isEqualTo(-32603);
            assertThat(response.header("retry-after")).isNotBlank();
            assertThat(response.body()).doesNotContain("127.0.0.1", String.valueOf(absentPort), "Exception");
        }
    }

    @Test
    void theStatusHasWhatOperatorsAskFor() {
        Response response = admin.get("/status");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("content-type")).isEqualTo("application/json");
        JsonNode status = response.json();
        assertThat(status.path("version").asString()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(Instant.parse(status.path("started").asString())).isBefore(Instant.now());
        assertThat(status.path("uptimeSeconds").asInt(-1)).isNotNegative();
        assertThat(status.path("plugins").isEmpty()).isTrue();
        assertThat(status.path("networks").propertyNames()).containsExactly("down", "up");
        JsonNode up = status.at("/networks/up");
        assertThat(up.path("kind").asString()).isEqualTo("ethereum");
        assertThat(up.path("chainId").asString()).isEqualTo("1");
        assertThat(up.path("usable").asBoolean()).isTrue();
        assertThat(up.at("/upstreams/0/id").asString()).isEqualTo("first");
        assertThat(up.at("/upstreams/0/health").asString()).isEqualTo("healthy");
        assertThat(up.at("/upstreams/0/head").asInt()).isEqualTo(16);
        assertThat(status.at("/networks/down/upstreams/0/detail").asString()).isNotBlank();
    }

    @Test
    void noAddressCredentialOrKeyIsShownOrLogged() {
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            http.post("/v3/demo", CALL);
            http.post("/v3/hunter2-of-nobody", CALL);
        }
        List<String> secrets = List.of(
                PASSWORD, TOKEN, SECRET_PATH, KEY_HASH, "hunter2", "/v3/demo", ":" + well.port(), ":" + absentPort);
        assertThat(admin.get("/status").body()).doesNotContain(secrets).doesNotContain("127.0.0.1");
        assertThat(admin.get("/metrics").body()).doesNotContain(secrets).doesNotContain("127.0.0.1");
        assertThat(weir.process().told()).contains("INFO").doesNotContain(secrets);
    }

    /** Meters of plugins, nodes behind WebSockets and tiers are absent, because this proxy has none of them. */
    private static final Set<Meter> WITHOUT_ANYTHING = EnumSet.of(
            Meter.PLUGIN_CALLS,
            Meter.PLUGIN_PAGES,
            Meter.UPSTREAM_UNSOLICITED_MESSAGES,
            Meter.CACHE_TIER_LOOKUPS,
            Meter.CACHE_TIER_STORES,
            Meter.CACHE_TIER_UP,
            Meter.CACHE_TIER_BYTES,
            Meter.SHARING_UP,
            Meter.SHARING_REPORTS,
            Meter.TRACE_SPANS,
            Meter.HTTP2_ERRORS,
            Meter.TLS_HANDSHAKES,
            Meter.TLS_CERTIFICATE_DAYS);

    @Test
    void theMetricsAreWellFormedAndHoldTheCatalogue() {
        try (HttpConnection http = HttpConnection.open(weir.port());
                JsonRpcSocket socket = JsonRpcSocket.connect("ws://127.0.0.1:" + weir.port() + "/ws/v3/demo")) {
            socket.send(CALL);
            socket.await();
            http.post("/v3/demo", CALL);
            http.post("/down/v3/demo", CALL);
            http.post("/v3/wrong", CALL);
            http.post("/v3/other", CALL);
            Response response = admin.get("/metrics");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("content-type")).startsWith("text/plain; version=0.0.4");
            PrometheusText metrics = PrometheusText.parse(response.body());
            for (Meter meter : Meter.values()) {
                if (!WITHOUT_ANYTHING.contains(meter)) {
                    assertHolds(metrics, meter);
                }
            }
            assertThat(metrics.sum("weir_calls_total", "network", "up", "method", "eth_gasPrice", "outcome", "result"))
                    .isGreaterThanOrEqualTo(2);
            assertThat(metrics.sum("weir_calls_total", "network", "down", "outcome", "unavailable"))
                    .isPositive();
            assertThat(metrics.sum("weir_call_seconds_count", "network", "up", "method", "eth_gasPrice"))
                    .isEqualTo(metrics.sum("weir_calls_total", "network", "up", "method", "eth_gasPrice"));
            assertThat(metrics.sum("weir_requests_refused_total", "reason", "key"))
                    .isPositive();
            assertThat(metrics.sum("weir_websockets")).isEqualTo(1);
            assertThat(metrics.sum("weir_connections")).isGreaterThanOrEqualTo(2);
            assertThat(metrics.sum("weir_upstream_healthy", "upstream", "first"))
                    .isEqualTo(1);
            assertThat(metrics.sum("weir_upstream_healthy", "upstream", "second"))
                    .isZero();
            assertThat(metrics.sum("weir_upstream_head", "upstream", "first")).isEqualTo(16);
        }
    }

    private static void assertHolds(PrometheusText metrics, Meter meter) {
        String name = "weir_" + meter.id();
        if (meter.kind() == Meter.Kind.COUNTER) {
            metrics.assertFamily(name + "_total", "counter", meter.help(), meter.labels());
        } else {
            String type = meter.kind() == Meter.Kind.TIMER ? "histogram" : "gauge";
            metrics.assertFamily(name, type, meter.help(), meter.labels());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/health",
                "/health/live/",
                "/metricsx",
                "/status/1",
                "/plugins",
                "/plugins/",
                "/plugins/x",
                "/v3/demo"
            })
    void anyOtherPathIsNotFound(String path) {
        assertThat(admin.get(path).status()).isEqualTo(404);
        assertThat(admin.request("POST", path, CALL).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/live", "/health/ready", "/metrics", "/status"})
    void onlyReadingIsAllowed(String path) throws Exception {
        for (String verb : List.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH")) {
            Response response = admin.request(verb, path, "");
            assertThat(response.status()).as(verb).isEqualTo(405);
            assertThat(response.header("allow")).isEqualTo("GET, HEAD");
        }
        HttpRequest head = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.adminPort() + path))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(head, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(admin.get(path).status());
        assertThat(response.headers().firstValueAsLong("content-length").orElse(0))
                .isPositive();
        assertThat(response.body()).isEmpty();
    }

    @Test
    void aConnectionIsKeptForManyRequestsAlsoForThoseThatCameTogether() {
        for (int i = 0; i < 50; i++) {
            assertThat(admin.get("/health/live?" + i).status()).isEqualTo(200);
        }
        for (int i = 0; i < 500; i++) {
            admin.send("GET", i % 2 == 0 ? "/health/live" : "/nowhere", "");
        }
        for (int i = 0; i < 500; i++) {
            assertThat(admin.await().status()).isEqualTo(i % 2 == 0 ? 200 : 404);
        }
        Response last = admin.request("GET", "/health/live", "", "connection: close");
        assertThat(last.header("connection")).isEqualTo("close");
    }

    @Test
    void aRequestThatCannotBeReadIsRejected() {
        assertThat(admin.get("/%zz").status()).isEqualTo(400);
        assertThat(admin.get("/health/live").status()).isEqualTo(200);
        Response malformed = admin.request("GET", "/health/live", "", "bad header: x");
        assertThat(malformed.status()).isEqualTo(400);
    }

    @Test
    void aBodyThatIsTooLargeIsAnsweredAndClosesTheConnection() {
        admin.send("POST", "/plugins/x", "x".repeat((1 << 20) + 1));
        assertThat(admin.await().status()).isEqualTo(413);
        assertThatThrownBy(() -> admin.get("/health/live")).isInstanceOf(UncheckedIOException.class);
    }
}
