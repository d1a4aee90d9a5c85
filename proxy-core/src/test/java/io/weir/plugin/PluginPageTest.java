package io.weir.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.api.NetworkKind;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Pages of the admin listener and kinds of network. */
class PluginPageTest {

    private static final String PAGES = """
            static AdminPage page(String path, java.util.function.Function<AdminPage.Request, String> text) {
                return new AdminPage() {
                    @Override
                    public String path() {
                        return path;
                    }

                    @Override
                    public CompletionStage<AdminPage.Response> handle(AdminPage.Request request) {
                        String shown = text.apply(request);
                        return shown == null ? new CompletableFuture<>() : CompletableFuture.completedFuture(
                                new AdminPage.Response(200, "text/plain", Map.of(), shown.getBytes()));
                    }
                };
            }

            @Override
            public List<AdminPage> adminPages() {
                return List.of(
                        page("", request -> "first " + request.subPath()),
                        page("list", request -> "list " + request.subPath() + " " + request.query()),
                        page("broken", request -> { throw new IllegalStateException("secret"); }),
                        page("filling", request -> fill()),
                        page("hanging", request -> null));
            }

            /** Fills every thread for calls, and the queue behind them, until the plugin is closed. */
            private String fill() {
                try {
                    while (true) {
                        context.executor().execute(() -> {
                            try {
                                new java.util.concurrent.CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
                    }
                } catch (java.util.concurrent.RejectedExecutionException e) {
                    return "filled";
                }
            }

            @Override
            public List<NetworkKind> networkKinds() {
                return List.of(new NetworkKind() {
                    @Override public String name() { return "odd"; }
                    @Override public String normaliseChainId(String chainId) { return null; }
                    @Override public ProbeCall chainIdCall() { return ProbeCall.of("odd_chainId"); }
                    @Override public ProbeCall headCall() { return ProbeCall.of("odd_head"); }
                    @Override public ProbeCall syncingCall() { return ProbeCall.of("odd_syncing"); }
                    @Override public String readChainId(JsonNode result) { return result.stringValue(); }
                    @Override public long readHead(JsonNode result) { throw new StackOverflowError(); }
                    @Override public boolean readSyncing(JsonNode result) {
                        throw new IllegalArgumentException("syncing: none");
                    }
                    @Override public boolean isRepeatable(String method) { throw new Error(); }
                });
            }
            """;

    @TempDir
    Path temporary;

    private HostFixture fixture;
    private PluginHost host;

    @BeforeEach
    void open() throws Exception {
        fixture = new HostFixture(temporary);
        PluginSources.withEntryClass("shown", PAGES).jar(fixture.folder);
        host = fixture.open();
    }

    @AfterEach
    void close() {
        host.close();
        fixture.close();
    }

    @Test
    void theLongestPathThatFitsIsThePage() throws Exception {
        assertThat(text("")).isEqualTo("200 first ");
        assertThat(text("list")).isEqualTo("200 list  {a=1}");
        assertThat(text("list/of/things")).isEqualTo("200 list of/things {a=1}");
        assertThat(text("listing")).isEqualTo("200 first listing");
        assertThat(host.catalogue().page("other", "")).isNull();
    }

    @Test
    void aPageThatFailsOrHangsSaysSoWithoutDetails() throws Exception {
        assertThat(text("broken")).isEqualTo("500 plugin shown: internal error\n");
        assertThat(text("hanging")).isEqualTo("504 plugin shown: no answer in time\n");
    }

    @Test
    void pagesAnswerWhileCallsFillEveryThreadOfThePlugin() throws Exception {
        assertThat(text("filling")).isEqualTo("200 filled");
        assertThat(text("list")).isEqualTo("200 list  {a=1}");
        assertThat(text("broken")).startsWith("500");
        assertThat(count("result")).isEqualTo(2);
        assertThat(count("failure")).isEqualTo(1);
    }

    private long count(String outcome) {
        return new Meters(fixture.registry)
                .counter(Meter.PLUGIN_PAGES, "shown", outcome)
                .getCount();
    }

    @Test
    void anythingAKindThrowsIsAnUnreadableAnswer() {
        NetworkKind kind = host.catalogue().kinds().get("odd");
        JsonNodeFactory json = JsonNodeFactory.instance;
        assertThat(kind.readChainId(json.stringNode("SN"))).isEqualTo("SN");
        assertThat(kind.isRepeatable("odd_any")).isFalse();
        assertThatThrownBy(() -> kind.readSyncing(json.nullNode())).hasMessage("syncing: none");
        assertThatThrownBy(() -> kind.readHead(json.nullNode()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("network kind odd: cannot read the answer");
        assertThatThrownBy(() -> kind.normaliseChainId("1")).isInstanceOf(IllegalArgumentException.class);
    }

    private String text(String path) throws Exception {
        PluginCatalogue.PageMatch match = host.catalogue().page("shown", path);
        assertThat(match).isNotNull();
        Request request = new Request(
                "GET", match.subPath(), Map.of("a", "1"), Map.of(), new byte[0], InetAddress.getLoopbackAddress());
        CompletableFuture<Response> response = new CompletableFuture<>();
        long deadline = System.nanoTime() + (path.equals("hanging") ? SECONDS.toNanos(1) : SECONDS.toNanos(60));
        fixture.loop.execute(() -> match.page().handle(fixture.loop, request, deadline, response::complete));
        Response shown = response.get(60, SECONDS);
        return shown.status() + " " + new String(shown.body(), UTF_8);
    }
}
