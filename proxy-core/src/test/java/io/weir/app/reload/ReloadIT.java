package io.weir.app.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.Signals;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Reloads of a proxy that runs, one at a time. */
final class ReloadIT {

    private static final String CHAIN_ID = Long.toString(SignedTransactions.CHAIN_ID);
    /** The SHA-256 of {@code other}. */
    private static final String OTHER_KEY = "access.keys.other { sha256 = "
            + "\"d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa\", networks = [\"*\"], methods = [\"*\"] }";

    private static final int RELOADS = 5;
    private static final String GAUGES_OF_OLD = "weir_(head|filters|subscriptions|upstream_healthy)\\{network=\"old\"";

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);
    private int accounts = 4096;

    private static ConfigurationText text() {
        return ConfigurationText.of("testnet", CHAIN_ID).setting(ReloadedProxy.TOKEN);
    }

    /** A call that no cache answers. */
    private JsonNode call(JsonRpcClient client) {
        return client.result("eth_call", Map.of("to", "0x%040x".formatted(++accounts)), "latest");
    }

    private static ConfigurationText with(ConfigurationText text, String network, ChainServer node) {
        return text.setting("networks." + network + " { chain-id = " + CHAIN_ID + ", upstreams.node.url = \""
                + node.url() + "\" }");
    }

    @Test
    void aKeyIsAddedAndRevokedByReloadsAndItsWebSocketsEnd() throws Exception {
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy =
                        new ReloadedProxy(text().upstream("node", node.url()).text())) {
            String without = text().upstream("node", node.url()).text();
            String with = text().upstream("node", node.url()).setting(OTHER_KEY).text();
            assertThat(proxy.client("/v3/other").post("{}").statusCode()).isEqualTo(401);

            assertThat(proxy.reload(with).at("/keys/added/0").asString()).isEqualTo("other");
            call(proxy.client("/v3/other"));
            JsonRpcSocket socket =
                    JsonRpcSocket.connect("ws://127.0.0.1:" + proxy.weir().port() + "/ws/v3/other");

            proxy.write(without);
            proxy.operate("POST", "/reload");
            assertThat(proxy.client("/v3/other").post("{}").statusCode()).isEqualTo(401);
            assertThat(socket.closed().get().code()).isEqualTo(1008);
            call(proxy.client("/v3/demo"));
            assertThat(proxy.weir().admin().metric("weir_reloads_total", "outcome=\"applied\""))
                    .isEqualTo(2);
        }
    }

    @Test
    void aSecretInAFileIsReadAgainAtAReloadAndNeverShown(@TempDir Path folder) throws Exception {
        String unknown = "0".repeat(64);
        String known = OTHER_KEY.replaceAll(".*\"([0-9a-f]{64})\".*", "$1");
        Path secret = Files.writeString(folder.resolve("other.sha256"), unknown + "\n");
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(text().upstream("node", node.url())
                        .setting(OTHER_KEY.replace('"' + known + '"', "${\"file:" + secret + "\"}"))
                        .text())) {
            assertThat(proxy.client("/v3/other").post("{}").statusCode()).isEqualTo(401);
            Files.writeString(secret, known);
            HttpResponse<String> applied = proxy.operate("POST", "/reload");
            call(proxy.client("/v3/other"));
            assertThat(applied.body()).contains("\"access.keys.other.sha256\"").doesNotContain(known);

            Files.writeString(secret, known.substring(1));
            HttpResponse<String> refused = proxy.operate("POST", "/reload");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body())
                    .contains("access.keys.other.sha256: (hidden) (expected: 64 hex digits)")
                    .doesNotContain(known.substring(1));
            call(proxy.client("/v3/other"));
            assertThat(proxy.status().toString()).doesNotContain(known.substring(1));
            assertThat(proxy.weir().process().err()).noneMatch(line -> line.contains(known.substring(1)));
        }
    }

    @Test
    void aChangeOfTheFilesReloadsOnceIfTheyAreWatchedAndAWrongOneIsToldOnce(@TempDir Path folder) throws Exception {
        String watch = "reload.watch = 50 ms";
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(
                        text().upstream("node", node.url()).setting(watch).text())) {
            proxy.write(text().upstream("node", node.url())
                    .setting(watch)
                    .setting("bogus = 1")
                    .text());
            await().until(() -> proxy.weir().admin().metric("weir_reloads_total", "outcome=\"refused\"") == 1);
            proxy.write(text().upstream("node", node.url())
                    .setting(watch)
                    .setting(OTHER_KEY)
                    .text());
            await().until(() -> proxy.client("/v3/other").post("{}").statusCode() == 200);
            assertThat(proxy.status().at("/reload/cause").asString()).isEqualTo("files");
            // The interval is a setting of the file too.
            proxy.write(text().upstream("node", node.url()).text());
            await().until(() -> proxy.client("/v3/other").post("{}").statusCode() == 401);
            // A reload is counted a moment after it is in force.
            await().until(() -> proxy.weir().admin().metric("weir_reloads_total", "outcome=\"applied\"") == 2);
            assertThat(proxy.weir().admin().metric("weir_reloads_total")).isEqualTo(3);
            proxy.reload(text().upstream("node", node.url()).setting(watch).text());
            proxy.write(text().upstream("node", node.url())
                    .setting(watch)
                    .setting(OTHER_KEY)
                    .text());
            await().until(() -> proxy.client("/v3/other").post("{}").statusCode() == 200);

            // A file that is missing at first is watched too.
            Path later = folder.resolve("later.conf");
            proxy.write(text().upstream("node", node.url())
                    .setting(watch)
                    .setting("include \"" + folder + "/later\"")
                    .text());
            await().until(() -> proxy.weir().admin().metric("weir_reloads_total", "outcome=\"refused\"") == 2);
            Files.writeString(later, OTHER_KEY.replace("other", "later"));
            await().until(() ->
                    proxy.status().at("/reload/keys/added/0").asString().equals("later"));
        }
    }

    @Test
    void aSignalReloadsAndStatusShowsWhatChanged() {
        Signals.assumeHangUpArrives();
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy =
                        new ReloadedProxy(text().upstream("node", node.url()).text())) {
            proxy.write(text().upstream("node", node.url()).setting(OTHER_KEY).text());
            proxy.weir().process().hangUp();
            proxy.weir()
                    .process()
                    .awaitErrorLine(Pattern.compile("reload by signal applied: .*other"), Duration.ofSeconds(60));
            call(proxy.client("/v3/other"));
            JsonNode reload = proxy.status().get("reload");
            assertThat(reload.get("outcome").asString()).isEqualTo("applied");
            assertThat(reload.get("cause").asString()).isEqualTo("signal");
            assertThat(reload.at("/keys/added/0").asString()).isEqualTo("other");

            proxy.weir().process().hangUp();
            await().until(() -> proxy.status().at("/reload/outcome").asString().equals("unchanged"));
        }
    }

    @Test
    void aWrongFileIsRefusedWithItsLinesAndTheRunningConfigurationStays() {
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy =
                        new ReloadedProxy(text().upstream("node", node.url()).text())) {
            proxy.write(text().upstream("node", node.url())
                    .setting("  networks.testnet.verfy = off")
                    .setting("networks.testnet.upstreams.node.weight = 0")
                    .text());
            HttpResponse<String> refused = proxy.operate("POST", "/reload");
            assertThat(refused.statusCode()).isEqualTo(422);
            String file = proxy.weir().configuration().toString();
            assertThat(refused.body())
                    .contains("\"outcome\" : \"refused\"")
                    .contains(file + ":12:20: networks.testnet.verfy: ")
                    .contains(file + ":13:42: networks.testnet.upstreams.node.weight: 0 (expected: ");
            proxy.weir()
                    .process()
                    .awaitErrorLine(
                            Pattern.compile(Pattern.quote(file + ":12:20: networks.testnet.verfy")),
                            Duration.ofSeconds(60));
            call(proxy.client("/v3/demo"));
            assertThat(proxy.status().at("/reload/problemCount").asInt()).isEqualTo(2);
            assertThat(proxy.weir().admin().metric("weir_reloads_total", "outcome=\"refused\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void aNodeThatAPluginDoesNotHaveIsRefusedAndLeavesTheRunningNetworkItsGauges() {
        try (ReloadedProxy proxy = new ReloadedProxy(devnet("devnet:default"))) {
            proxy.write(devnet("devnet:none"));
            HttpResponse<String> refused = proxy.operate("POST", "/reload");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("devnet:none (expected: devnet:default)");
            proxy.client("/v3/demo").result("eth_blockNumber");
            assertThat(proxy.weir().admin().metrics()).contains("weir_upstream_head{");
        }
    }

    private static String devnet(String url) {
        return ConfigurationText.of("testnet", "1337")
                .setting(ReloadedProxy.TOKEN)
                .setting("plugins.path = [\"plugins\"]")
                .upstream("node", url)
                .text();
    }

    /**
     * Each node has one connection for calls and one for probes. A client that is made anew would open another one at each reload; on a
     * busy machine a probe that took too long opens one.
     */
    @Test
    void unchangedNetworksAndNodesKeepTheirConnectionsAndResults() {
        try (ChainServer kept = new ChainServer(chain);
                ChainServer changed = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(narrow(kept, changed).text())) {
            JsonRpcClient main = proxy.client("/v3/demo");
            JsonRpcClient side = proxy.client("/side/v3/demo");
            chain.mine(2);
            String block = main.result("eth_getBlockByNumber", "0x1", true).toString();
            for (int i = 1; i <= RELOADS; i++) {
                JsonNode answer = proxy.reload(narrow(kept, changed)
                        .setting("networks.side.health.max-lag = 1" + i)
                        .text());
                assertThat(answer.get("networks").toString())
                        .isEqualTo("{\"added\":[],\"changed\":[\"side\"],\"removed\":[]}");
                assertThat(answer.get("settings").toString())
                        .isEqualTo("[\"networks.side.health" + (i == 1 ? "" : ".max-lag") + "\"]");
                call(main);
                call(side);
                assertThat(main.result("eth_getBlockByNumber", "0x1", true).toString())
                        .isEqualTo(block);
            }
            assertThat(kept.connections()).isLessThan(RELOADS);
            assertThat(changed.connections()).isLessThan(RELOADS);
            assertThat(proxy.weir()
                            .admin()
                            .metric("weir_cache_lookups_total", "network=\"testnet\"", "outcome=\"hit\""))
                    .isGreaterThanOrEqualTo(RELOADS);
        }
    }

    private static ConfigurationText narrow(ChainServer kept, ChainServer changed) {
        return with(text().upstream("kept", kept.url()), "side", changed)
                .setting("server.threads = 1, defaults.upstream.max-connections = 1");
    }

    @Test
    void aCallThatANodeAnswersAfterItsNetworkWasReplacedReachesItsClient() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        CompletableFuture<Void> replaced = new CompletableFuture<>();
        try (ChainServer kept = new ChainServer(chain);
                ChainServer changed = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(with(text().upstream("kept", kept.url()), "side", changed)
                        .text())) {
            changed.lie((method, params, truth) -> {
                if (method.equals("eth_call")) {
                    asked.complete(null);
                    replaced.join();
                }
                return truth;
            });
            JsonRpcClient client = proxy.client("/side/v3/demo");
            CompletableFuture<JsonNode> answer = CompletableFuture.supplyAsync(() -> call(client));
            asked.get(1, TimeUnit.MINUTES);
            // Another client for the node, and another network.
            proxy.reload(with(text().upstream("kept", kept.url()), "side", changed)
                    .setting("networks.side { upstreams.node.weight = 2, health.max-lag = 20 }")
                    .text());
            assertThat(proxy.weir().admin().metric("weir_finishing_networks")).isEqualTo(1);
            replaced.complete(null);
            assertThat(answer.get(1, TimeUnit.MINUTES).isString()).isTrue();
        } finally {
            replaced.complete(null);
        }
    }

    @Test
    void aRemovedNetworkIsUnknownItsNodesAreLeftAloneAndANewOneServes() {
        // The removed network finishes its calls for six seconds, and the test must look at it meanwhile.
        String times = "server { call-timeout = 3 s, request-timeout = 3 s, drain = 3 s }";
        try (ChainServer node = new ChainServer(chain);
                ChainServer old = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(with(text().upstream("node", node.url()), "old", old)
                        .setting(times)
                        .text())) {
            call(proxy.client("/old/v3/demo"));
            proxy.client("/old/v3/demo").result("eth_newBlockFilter");
            proxy.reload(with(text().upstream("node", node.url()), "new", node)
                    .setting(times)
                    .text());
            assertThat(proxy.weir().admin().metrics())
                    .contains("weir_finishing_networks 1")
                    .containsPattern(GAUGES_OF_OLD);
            assertThat(proxy.client("/old/v3/demo").post("{}").statusCode()).isEqualTo(404);
            call(proxy.client("/new/v3/demo"));
            await().until(() -> proxy.weir().admin().metric("weir_finishing_networks") == 0);
            assertThat(proxy.weir().admin().metrics()).doesNotContainPattern(GAUGES_OF_OLD);
            int calls = total(old);
            await().during(Duration.ofSeconds(1)).until(() -> total(old) == calls);
            assertThat(proxy.weir().process().err()).noneMatch(line -> line.contains("Exception"));
        }
    }

    private static int total(ChainServer node) {
        return node.counts().values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void changesThatNeedARestartAreNamedAndNotInForce() {
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy =
                        new ReloadedProxy(text().upstream("node", node.url()).text())) {
            JsonNode answer = proxy.reload(text().upstream("node", node.url())
                    .setting(OTHER_KEY)
                    .setting("server.max-batch = 1")
                    .setting("cache.memory = 1 MiB")
                    .text());
            assertThat(answer.get("needsRestart").toString()).isEqualTo("[\"server.max-batch\",\"cache.memory\"]");
            String two = "[" + JsonRpcClient.call("eth_chainId") + "," + JsonRpcClient.call("eth_chainId") + "]";
            assertThat(proxy.client("/v3/demo").post(two).body()).startsWith("[");
        }
    }

    private static int statusForAPage(ReloadedProxy proxy) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + proxy.weir().port() + "/v3/demo"))
                .header("origin", "https://a.example")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonRpcClient.call("eth_chainId")))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void thePagesThatMayCallAndTheTokenOfOperatorsChangeWithAReload() throws Exception {
        try (ChainServer node = new ChainServer(chain);
                ReloadedProxy proxy =
                        new ReloadedProxy(text().upstream("node", node.url()).text())) {
            String token = OTHER_KEY.replaceAll(".*\"([0-9a-f]{64})\".*", "$1");
            assertThat(statusForAPage(proxy)).isEqualTo(403);

            JsonNode answer = proxy.reload(text().upstream("node", node.url())
                    .setting("server.cors.origins = [\"https://a.example\"]")
                    .setting("admin.token-sha256 = \"" + token + "\"")
                    .text());

            assertThat(answer.path("needsRestart").isEmpty()).isTrue();
            assertThat(statusForAPage(proxy)).isEqualTo(200);
            assertThat(proxy.operate("POST", "/reload").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void operatorsChangesAreKeptOrDroppedByTheNextConfiguration() {
        try (ChainServer one = new ChainServer(chain);
                ChainServer other = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(text().upstream("one", one.url())
                        .upstream("other", other.url())
                        .text())) {
            proxy.operate("POST", "/upstream?network=testnet&upstream=one&drain=true&by=alice");
            proxy.operate("POST", "/upstream?network=testnet&upstream=other&weight=7&keep=false");
            proxy.reload(text().upstream("one", one.url())
                    .upstream("other", other.url())
                    .networkSetting("health.max-lag = 9")
                    .text());
            assertThat(proxy.operate("GET", "/changes").body())
                    .contains("\"upstream\":\"one\",\"setting\":\"drained\",\"value\":true")
                    .contains("\"by\":\"alice\"")
                    .doesNotContain("\"other\"");
            int before = one.counts().getOrDefault("eth_call", 0);
            for (int i = 0; i < 10; i++) {
                call(proxy.client("/v3/demo"));
            }
            assertThat(one.counts().getOrDefault("eth_call", 0)).isEqualTo(before);
        }
    }
}
