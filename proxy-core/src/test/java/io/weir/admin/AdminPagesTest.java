package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.Meter;
import io.weir.testing.PluginBuilder;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers on a connection to the admin listener, by the handlers of its own pipeline. */
class AdminPagesTest {

    private static final String PAGE = """
            package test;

            import io.weir.api.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.pf4j.Extension;

            @Extension
            public class Shown implements WeirPlugin {
                @Override
                public void provision(PluginContext context) {}

                @Override
                public List<AdminPage> adminPages() {
                    return List.of(new AdminPage() {
                        @Override
                        public String path() {
                            return "peer";
                        }

                        @Override
                        public String link() {
                            return "Peers: <2> wait";
                        }

                        @Override
                        public CompletionStage<AdminPage.Response> handle(AdminPage.Request request) {
                            byte[] text = request.peer().getHostAddress().getBytes();
                            return CompletableFuture.completedFuture(
                                    new AdminPage.Response(200, "text/plain", Map.of(), text));
                        }
                    }, new AdminPage() {
                        @Override
                        public String path() {
                            return "broken";
                        }

                        @Override
                        public String link() {
                            throw new IllegalStateException("broken");
                        }

                        @Override
                        public CompletionStage<AdminPage.Response> handle(AdminPage.Request request) {
                            return null;
                        }
                    });
                }
            }
            """;

    @TempDir
    Path folder;

    private AdminBench bench;

    @BeforeEach
    void open() throws IOException {
        PluginBuilder.plugin("shown")
                .source("test.Shown", PAGE)
                .jar(Files.createDirectories(folder.resolve("plugins")));
        bench = new AdminBench(folder, AdminBench.TOKEN_SHA256);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void theProcessIsLiveWhateverItsNodesAre() {
        bench.first.usable = false;
        String answer = bench.ask("GET", "/health/live");

        assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").containsIgnoringCase("cache-control: no-store\r\n");
        assertThat(body(answer)).isEqualTo("live\n");
    }

    @Test
    void aPluginsPageHearsFromWhichAddressTheConnectionComes() {
        StringBuilder answer =
                new StringBuilder(bench.ask("GET", "/plugins/shown/peer", "X-Forwarded-For: 203.0.113.9"));
        await().untilAsserted(() -> {
            answer.append(bench.sent());
            assertThat(answer.toString()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n192.0.2.7");
        });
    }

    @Test
    void theFirstPageLinksToPagesOfPluginsAndABrokenLinkBreaksNothing() {
        assertThat(body(bench.ask("GET", "/")))
                .contains("<a href=\"/plugins/shown/peer\">Peers: &lt;2&gt; wait</a>")
                .doesNotContain("/plugins/shown/broken");
    }

    @Test
    void theNextRequestWaitsUntilTheClientHasTakenTheAnswer() {
        List<ChannelPromise> untaken = new ArrayList<>();
        bench.channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                untaken.add(promise);
            }
        });
        String request = "GET /health/live HTTP/1.1\r\nHost: localhost:9545\r\n\r\n";
        bench.send(request.repeat(3));
        assertThat(untaken).hasSize(1);
        assertThat(bench.channel.config().isAutoRead()).isFalse();

        untaken.get(0).setSuccess();
        bench.channel.runPendingTasks();
        assertThat(untaken).hasSize(2);
        untaken.get(1).setSuccess();
        bench.channel.runPendingTasks();
        untaken.get(2).setSuccess();
        bench.channel.runPendingTasks();
        assertThat(bench.channel.config().isAutoRead()).isTrue();
    }

    @Test
    void itIsReadyWhileOneNetworkHasAUsableNode() {
        assertThat(body(bench.ask("GET", "/health/ready"))).isEqualTo("ready\n");
        bench.second.usable = false;
        String answer = bench.ask("GET", "/health/ready");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(body(answer)).isEqualTo("ready\nno usable upstream: second\n");
        bench.first.usable = false;
        String unready = bench.ask("GET", "/health/ready");
        assertThat(unready).startsWith("HTTP/1.1 503 ");
        assertThat(body(unready)).isEqualTo("no usable upstream: first, second\n");
    }

    @Test
    void oneNetworkIsAskedForByItsName() {
        bench.second.usable = false;
        assertThat(bench.ask("GET", "/health/ready?network=first")).startsWith("HTTP/1.1 200 ");
        String unready = bench.ask("GET", "/health/ready?network=second");
        assertThat(unready).startsWith("HTTP/1.1 503 ");
        assertThat(body(unready)).isEqualTo("no usable upstream: second\n");
        String unknown = bench.ask("GET", "/health/ready?network=third");
        assertThat(unknown).startsWith("HTTP/1.1 404 ");
        assertThat(body(unknown)).isEqualTo("network: unknown (expected: one of the configured networks)\n");
    }

    @Test
    void aProxyThatDrainsIsNotReadyWhateverTheNodesAre() {
        bench.readiness.drain();
        for (String query : List.of("", "?network=first")) {
            String unready = bench.ask("GET", "/health/ready" + query);
            assertThat(unready).startsWith("HTTP/1.1 503 ");
            assertThat(body(unready)).isEqualTo("draining\n");
        }
        assertThat(bench.ask("GET", "/health/live")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void theStatusNamesVersionsNetworksNodesAndTheCache() {
        bench.keep("first", 7, null);
        bench.pass(Duration.ofSeconds(90));
        String answer = bench.ask("GET", "/status");
        JsonNode status = JsonMapper.builder().build().readTree(body(answer));

        assertThat(answer).containsIgnoringCase("content-type: application/json\r\n");
        assertThat(status.path("version").stringValue()).isEqualTo("1.2.3");
        assertThat(status.path("started").stringValue()).isEqualTo("2026-01-10T00:00:00Z");
        assertThat(status.path("uptimeSeconds").longValue()).isEqualTo(90);
        assertThat(status.at("/plugins/0/id").stringValue()).isEqualTo("wallet");
        assertThat(status.at("/cache/entries").longValue()).isEqualTo(1);
        assertThat(status.path("networks").propertyNames()).containsExactly("first", "second");
        JsonNode network = status.at("/networks/first");
        assertThat(network.path("chainId").stringValue()).isEqualTo("1337");
        assertThat(network.path("usable").booleanValue()).isTrue();
        assertThat(network.has("head")).as("no node has named one").isFalse();
        assertThat(network.at("/upstreams/1/id").stringValue()).isEqualTo("b");
        assertThat(network.at("/upstreams/1/health").stringValue()).isEqualTo("healthy");
        assertThat(network.at("/cache/hits").size()).isPositive();
    }

    @Test
    void theStatusCountsCallsAndAttempts() {
        bench.meters.counter(Meter.CALLS, "first", "eth_call", "result").inc(3);
        bench.meters.counter(Meter.CALLS, "first", "eth_getLogs", "result").inc(2);
        bench.meters.counter(Meter.CALLS, "second", "eth_call", "error").inc();
        bench.meters.counter(Meter.UPSTREAM_CALLS, "first", "a", "timeout").inc(4);
        for (String method : List.of("eth_call", "eth_getLogs")) {
            bench.meters.timer(Meter.CALL_SECONDS, "first", method).update(700, TimeUnit.MICROSECONDS);
        }
        bench.meters.timer(Meter.CALL_SECONDS, "first", "eth_getLogs").update(80, TimeUnit.MILLISECONDS);
        JsonNode status = JsonMapper.builder().build().readTree(body(bench.ask("GET", "/status")));

        assertThat(status.at("/networks/first/calls")).hasToString("{\"result\":5}");
        assertThat(status.at("/networks/second/calls")).hasToString("{\"error\":1}");
        assertThat(status.at("/networks/first/latency"))
                .hasToString(
                        "{\"count\":3,\"sumMicros\":81400,\"p50Millis\":1.0,\"p95Millis\":100.0,\"p99Millis\":100.0}");
        assertThat(status.at("/networks/first/upstreams/0/calls")).hasToString("{\"timeout\":4}");
        assertThat(status.at("/networks/first/upstreams/1/calls")).hasToString("{}");
        assertThat(status.at("/networks/second/latency/count").longValue()).isZero();
    }

    @Test
    void thePageLoadsNothingFromElsewhereAndIsInNoFrame() {
        assertThat(bench.ask("GET", "/"))
                .containsIgnoringCase("content-security-policy: default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'")
                .doesNotContain("http://")
                .doesNotContain("https://");
    }

    @Test
    void thePageNamesWhatIsWrongWithALinkToItsRemedyAndTheWorstNodeFirst() {
        bench.first.b.health = Health.LAGGING;
        bench.second.usable = false;
        bench.first.a.budget = new BudgetStatus(0, 0, 3_000, 3_000, true);
        String page = body(bench.ask("GET", "/"));

        assertThat(page)
                .contains("<title>Weir 1.2.3 at localhost")
                .contains("<a href=\"#help-lagging\">first b: lagging</a>")
                .contains("<a href=\"#help-budget\">first a: its units of today are spent</a>")
                .contains("<a href=\"#help-unusable\">second: no usable node</a>");
        assertThat(page.indexOf("data-network=\"first\" data-node=\"b\""))
                .isLessThan(page.indexOf("data-network=\"first\" data-node=\"a\""));
    }

    @Test
    void thePageShowsTextsOfClientsAsText() {
        assertThat(body(bench.ask("GET", "/"))).doesNotContain("<script>");
        bench.first.a.detail = "<script src=\"x\"> & more";
        assertThat(body(bench.ask("GET", "/")))
                .contains("&lt;script src=&quot;x&quot;&gt; &amp; more")
                .doesNotContain("<script src=\"x\">");
    }

    @Test
    void theStatusNamesTheHeadOnceANodeHas() {
        bench.first.head().tracker().raise(17);
        JsonNode status = JsonMapper.builder().build().readTree(body(bench.ask("GET", "/status")));

        assertThat(status.at("/networks/first/head/number").longValue()).isEqualTo(17);
        assertThat(status.at("/networks/first/head/fresh").booleanValue()).isFalse();
    }

    @Test
    void statusShowsTheUseOfABudget() {
        bench.first.a.budget = new BudgetStatus(500, 494, 3_000, 3_100, true);
        bench.first.b.budget = new BudgetStatus(0, 0, 3_000, 1_000, false);
        JsonNode status = JsonMapper.builder().build().readTree(body(bench.ask("GET", "/status")));
        assertThat(status.at("/networks/first/upstreams/0/budget"))
                .hasToString("{\"state\":\"over budget\",\"perSecond\":500,\"usedInSecond\":494,\"usedToday\":3100,"
                        + "\"perDay\":3000,\"leftToday\":0}");
        assertThat(status.at("/networks/first/upstreams/1/budget"))
                .hasToString("{\"state\":\"within budget\",\"usedToday\":1000,\"perDay\":3000,\"leftToday\":2000}");
        assertThat(status.at("/networks/second/upstreams/0").has("budget")).isFalse();
    }

    @Test
    void theMetricsAreInPrometheusForm() {
        String answer = bench.ask("GET", "/metrics");

        assertThat(answer).containsIgnoringCase("content-type: text/plain; version=0.0.4");
        assertThat(body(answer)).contains("# TYPE weir_cache_entries gauge\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page",
                "/health",
                "/health/live/",
                "/plugins/",
                "/plugins/none",
                "/plugins/none/page/",
                "/page.html"
            })
    void anyOtherPathIsNotFound(String path) {
        assertThat(bench.ask("GET", path)).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/health/live", "/health/ready", "/status", "/metrics", "/", "/page.css", "/page.js", "/page.svg"
            })
    void onlyReadingIsAllowed(String path) {
        assertThat(bench.ask("DELETE", path)).startsWith("HTTP/1.1 405 ").containsIgnoringCase("allow: GET, HEAD\r\n");
        assertThat(bench.ask("HEAD", path)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void requestsThatCameTogetherAreAnsweredInOrder() {
        String request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String answers = bench.send(
                request.formatted("/health/live") + request.formatted("/nowhere") + request.formatted("/health/ready"));

        assertThat(answers).containsSubsequence("live\n", " 404 ", "no such path\n", " 200 ", "ready\n");
        assertThat(bench.channel.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: localhost", "Host: 127.0.0.1:9545", "Host: LOCALHOST:1"})
    void aRequestToOneOfItsOwnNamesIsAnswered(String host) {
        assertThat(bench.send("GET /health/live HTTP/1.1\r\n" + host + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/live", "/status", "/metrics", "/cache/purge?all=true"})
    void aRequestUnderAForeignNameIsRejected(String path) {
        String answer = bench.send("GET " + path + " HTTP/1.1\r\nHost: rebound.example\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 403 ").contains("admin.hosts");
    }

    @Test
    void aForeignPageIsRejected() {
        assertThat(bench.ask("GET", "/status", "Origin: https://foreign.example"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(bench.ask("GET", "/status", "Origin: http://localhost:9545")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aTargetThatCannotBeReadIsRejectedAndTheConnectionStays() {
        assertThat(bench.ask("GET", "/%zz")).startsWith("HTTP/1.1 400 ");
        assertThat(bench.ask("GET", "/health/live")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void bytesThatAreNotHttpAreRejectedAndCloseTheConnection() {
        assertThat(bench.ask("GET", "/health/live", "bad header: x")).startsWith("HTTP/1.1 400 ");
        assertThat(bench.channel.isOpen()).isFalse();
    }

    @Test
    void aBodyThatIsTooLargeIsAnsweredAndNothingAfterItIs() {
        String answer = bench.send("POST /plugins/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 257\r\n\r\n"
                + "x".repeat(257) + "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413 ").containsIgnoringCase("connection: close\r\n");
        assertThat(answer).doesNotContain("live");
    }

    @Test
    void aClientThatWantsTheConnectionClosedGetsThat() {
        assertThat(bench.ask("GET", "/health/live", "Connection: close")).containsIgnoringCase("connection: close");
        assertThat(bench.channel.isOpen()).isFalse();
    }
}
