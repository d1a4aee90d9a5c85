package io.weir.app.tracing;

import static io.weir.app.tracing.TraceCollector.attributes;
import static io.weir.app.tracing.TraceCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HistoryNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of a proxy with two nodes, of which the first one may fail. */
final class TracingIT {

    private static final String ACCOUNT = "0x00000000000000000000000000000000deadbeef";
    private static final String PARENT = "00f067aa0ba902b7";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static TraceCollector collector;
    private static TracedNode node;
    private static WeirProcess weir;

    @BeforeAll
    static void start() throws Exception {
        collector = new TraceCollector();
        node = new TracedNode();
        weir = WeirProcess.start(configuration(node)
                .setting("tracing { endpoint = \"" + collector.url() + "\", sample = 0 % }")
                .setting("tracing.headers.Authorization = \"Bearer hunter2\"")
                .text());
        await().until(() -> weir.admin().health("net", "first").equals("healthy"));
    }

    private static ConfigurationText configuration(TracedNode of) {
        return ConfigurationText.of("net", "1")
                .upstream("first", of.url() + "/hunter3")
                .networkSetting("verify = off");
    }

    @AfterAll
    static void stop() {
        weir.close();
        node.close();
        collector.close();
    }

    private static String trace(int number) {
        return "4bf92f3577b34da6a3ce929d0e%06x".formatted(number);
    }

    private static HttpResponse<String> post(WeirProcess to, String parent, String body) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(to.url()))
                        .header("content-type", "application/json")
                        .header("traceparent", parent)
                        .header("tracestate", "vendor=a,other=b")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String sampled(int trace) {
        return "00-" + trace(trace) + "-" + PARENT + "-01";
    }

    private static String balance(String block) {
        return JsonRpcClient.call("eth_getBalance", ACCOUNT, block);
    }

    @Test
    void aCallIsASpanBelowThatOfTheClientAndTheNodeGetsTheSpanOfItsAttempt() throws Exception {
        post(weir, sampled(1), balance("0x1"));

        List<Span> spans = collector.awaited(trace(1), 2);
        assertThat(spans).hasSize(2);
        Span call = spans.get(0);
        assertThat(hex(call.getParentSpanId().toByteArray())).isEqualTo(PARENT);
        assertThat(call.getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
        assertThat(call.getName()).isEqualTo("eth_getBalance");
        assertThat(attributes(call))
                .containsEntry("rpc.system.name", "jsonrpc")
                .containsEntry("rpc.method", "eth_getBalance")
                .containsEntry("weir.network", "net")
                .containsEntry("weir.key", "demo");
        Span attempt = spans.get(1);
        assertThat(attempt.getParentSpanId()).isEqualTo(call.getSpanId());
        assertThat(attempt.getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
        assertThat(attributes(attempt)).containsEntry("weir.node", "first").containsEntry("weir.cause", "client");
        assertThat(node.seen("eth_getBalance"))
                .contains(new TracedNode.Seen(
                        "eth_getBalance",
                        "00-" + trace(1) + "-" + hex(attempt.getSpanId().toByteArray()) + "-01",
                        "vendor=a,other=b"));
    }

    @Test
    void aCallThatTheClientDoesNotSampleIsNoSpanButItsTraceGoesOnToTheNode() throws Exception {
        post(weir, sampled(2).replaceAll("1$", "0"), balance("0x2"));
        post(weir, sampled(3), balance("0x3"));

        collector.awaited(trace(3), 2);
        assertThat(collector.ofTrace(trace(2))).isEmpty();
        assertThat(node.seen("eth_getBalance"))
                .anyMatch(seen -> seen.parent().matches("00-" + trace(2) + "-[0-9a-f]{16}-00"));
    }

    @Test
    void eachCallOfABatchIsASpanAndUnknownMethodsShareOneName() throws Exception {
        post(weir, sampled(4), "[" + balance("0x4") + "," + JsonRpcClient.call("made_up" + "x".repeat(60)) + "]");

        List<Span> calls = collector.awaited(trace(4), 4).stream()
                .filter(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
                .toList();
        assertThat(calls).extracting(Span::getName).containsExactlyInAnyOrder("eth_getBalance", "other");
        assertThat(calls)
                .allMatch(call -> hex(call.getParentSpanId().toByteArray()).equals(PARENT));
    }

    @Test
    void aHitHasNoSpanOfANode() throws Exception {
        String call = JsonRpcClient.call("eth_getBlockByNumber", "0x1", true);
        try (HistoryNode history = HistoryNode.start();
                WeirProcess caching = WeirProcess.start(ConfigurationText.of("net", HistoryNode.CHAIN_ID)
                        .upstream("only", history.url())
                        .networkSetting("finality.depth = 10")
                        .networkSetting("upstreams.only.batch.size = 1")
                        .setting("tracing { endpoint = \"" + collector.url() + "\", sample = 0 % }")
                        .text())) {
            await().until(() -> post(caching, sampled(5), call)
                    .headers()
                    .firstValue("cache-status")
                    .orElse("")
                    .startsWith("weir; hit"));
            post(caching, sampled(6), call);

            assertThat(collector.awaited(trace(6), 1))
                    .singleElement()
                    .satisfies(span -> assertThat(attributes(span)).containsEntry("weir.cache", "hit"));
            assertThat(collector.ofTrace(trace(5)))
                    .anyMatch(span -> "miss".equals(attributes(span).get("weir.cache")));
        }
    }

    @Test
    void aMessageOfAWebSocketBelongsToTheTraceOfItsHandshake() throws Exception {
        WebSocket socket = HTTP.newWebSocketBuilder()
                .header("traceparent", sampled(7))
                .buildAsync(URI.create(weir.socketUrl()), new WebSocket.Listener() {})
                .join();
        socket.sendText(balance("0x7"), true).join();

        assertThat(hex(collector.awaited(trace(7), 2).get(0).getParentSpanId().toByteArray()))
                .isEqualTo(PARENT);
        socket.abort();
    }

    @Test
    void aNodeThatFailsAndTheOneThatAnswersAreTwoSpans() throws Exception {
        try (TracedNode failing = new TracedNode();
                WeirProcess two = WeirProcess.start(configuration(failing)
                        .upstream("second", node.url())
                        .networkSetting("upstreams.second.tier = 1")
                        .setting("tracing { endpoint = \"" + collector.url() + "\", sample = 0 % }")
                        .text())) {
            await().until(() -> two.admin().health("net", "second").equals("healthy")
                    && two.admin().health("net", "first").equals("healthy"));
            failing.fail();
            post(two, sampled(8), balance("0x8"));

            List<Span> spans = collector.awaited(trace(8), 3);
            assertThat(spans).hasSize(3);
            assertThat(spans.subList(1, 3))
                    .allMatch(span -> span.getParentSpanId().equals(spans.get(0).getSpanId()));
            assertThat(attributes(spans.get(1)))
                    .containsEntry("weir.node", "first")
                    .containsEntry("error.type", "server_error");
            assertThat(spans.get(1).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(attributes(spans.get(2)))
                    .containsEntry("weir.node", "second")
                    .containsEntry("weir.cause", "retry");
            assertThat(spans.get(0).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        }
    }

    @Test
    void noSecretAndNoParameterIsInASpanAndTheCollectorGetsItsHeader() throws Exception {
        post(weir, sampled(9), balance("0x9"));
        collector.awaited(trace(9), 2);

        assertThat(collector.authorizations()).contains("Bearer hunter2");
        assertThat(collector.bodies())
                .noneMatch(body -> body.contains("hunter") || body.contains("v3/") || body.contains("deadbeef"));
        // Spans are counted after the collector's answer.
        await().until(() -> weir.admin().metric("weir_trace_spans_total", "outcome=\"exported\"") > 0);
    }

    @Test
    void aSilentCollectorDelaysNoCallAndItsSpansAreCounted() throws Exception {
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        try (WeirProcess alone = WeirProcess.start(configuration(node)
                .setting("tracing { endpoint = \"http://127.0.0.1:" + silent.getLocalPort() + "/\", sample = 100 % }")
                .text())) {
            try (silent) {
                JsonRpcClient client = new JsonRpcClient(alone.url());
                for (int i = 0; i < 2_200; i++) {
                    assertThat(client.result("eth_chainId").asString()).isEqualTo("0x1");
                }
                assertThat(alone.admin().metric("weir_trace_spans_total", "outcome=\"dropped\""))
                        .isGreaterThan(50);
            }
            // Its end fails the export that waits, as the timeout of ten seconds would.
            await().until(() -> alone.admin().metric("weir_trace_spans_total", "outcome=\"failed\"") > 0);
            await().until(() -> alone.process().told().contains("the collector took no spans"));
        }
    }

    @Test
    void withoutAnEndpointNoClassOfOpenTelemetryIsLoaded(@TempDir Path folder) throws Exception {
        Path loaded = folder.resolve("loaded.log");
        try (WeirProcess off = WeirProcess.start(
                List.of("-Xlog:class+load:file=" + loaded), configuration(node).text())) {
            post(off, sampled(10), balance("0xa"));
        }

        assertThat(Files.readString(loaded))
                .contains("io.weir.pipeline.CallContext")
                .doesNotContain("io.opentelemetry")
                .doesNotContain("io.weir.tracing.otlp")
                .doesNotContain("net.logstash");
        assertThat(node.seen("eth_getBalance"))
                .noneMatch(seen -> String.valueOf(seen.parent()).contains(trace(10)));
    }
}
