package io.weir.config.load;

import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.BudgetConfig;
import io.weir.config.MethodCosts;
import io.weir.config.ServedData;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamConfig.Preference;
import io.weir.config.UpstreamTlsConfig;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamConfigTest {

    private static final String URL_RULE =
            "(hidden) (expected: http://…, https://…, or a scheme that a plugin brings, such as devnet:default)";

    private static String network(String upstream) {
        return "networks.a { chain-id = 1, upstreams {\nn { " + upstream + " }\n} }";
    }

    private static UpstreamConfig upstream(String text) {
        return load(network(text)).networks().get("a").upstreams().get("n");
    }

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(upstream("url = \"http://node:8545\""))
                .isEqualTo(new UpstreamConfig(
                        "n",
                        URI.create("http://node:8545"),
                        null,
                        null,
                        Preference.HTTP,
                        true,
                        1,
                        0,
                        Map.of(),
                        List.of(),
                        256,
                        10_000,
                        64 << 20,
                        false,
                        100,
                        new ServedData(List.of("*"), false, ServedData.LEARNED, ServedData.LEARNED),
                        UpstreamConfig.Transactions.LEARNED,
                        BudgetConfig.NONE,
                        UpstreamTlsConfig.SYSTEM));
    }

    @Test
    void everySettingIsMapped() {
        assertThat(upstream("""
                        url = "https://u:p@node/path?x=1", ws-url = "wss://node/ws", prefer = ws, weight = 3, tier = 1
                        headers { X-Api-Key = abc, Authorization = "Bearer x y" }, tags = [archive, eu]
                        max-connections = 5, timeout = 20 s
                        max-response = 1 MiB, gzip = on
                        batch.size = 10
                        methods = ["eth_*"], state-from = head-128, logs-from = 15537394
                        transactions = recent, subscribe = off
                        budget { per-second = 500, per-day = 3000000
                        costs { default = 20, eth_call = 26, "trace_*" = 40, notification = 7, per-second.eth_call = 30 } }"""))
                .isEqualTo(new UpstreamConfig(
                        "n",
                        URI.create("https://u:p@node/path?x=1"),
                        null,
                        URI.create("wss://node/ws"),
                        Preference.WS,
                        false,
                        3,
                        1,
                        Map.of("X-Api-Key", "abc", "Authorization", "Bearer x y"),
                        List.of("archive", "eu"),
                        5,
                        20_000,
                        1 << 20,
                        true,
                        10,
                        new ServedData(List.of("eth_*"), false, 128, 15_537_394),
                        UpstreamConfig.Transactions.RECENT,
                        new BudgetConfig(
                                500,
                                3_000_000,
                                new MethodCosts(20, Map.of("eth_call", 26L), Map.of("trace_", 40L)),
                                new MethodCosts(20, Map.of("eth_call", 30L), Map.of("trace_", 40L)),
                                7),
                        UpstreamTlsConfig.SYSTEM));
    }

    @Test
    void aFileMayChangeTheDefaultsOfUpstreams() {
        String text = "defaults.upstream { timeout = 3 s, headers.a = b }\n";
        UpstreamConfig upstream = load(text + network("url = \"http://node\", headers.c = d"))
                .networks()
                .get("a")
                .upstreams()
                .get("n");
        assertThat(upstream.timeoutMillis()).isEqualTo(3_000);
        assertThat(upstream.headers()).containsOnly(Map.entry("a", "b"), Map.entry("c", "d"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8545",
                "127.0.0.1:8545",
                "http:/node",
                "http://",
                "http://node:99999",
                "http://no de",
                "ws://node",
                "node",
                "",
                "https://key@node#x"
            })
    void anInvalidUrlIsRejectedWithoutShowingIt(String url) {
        assertThat(problems(network("url = \"" + url + "\"")))
                .containsExactly("weir.conf:2:11: networks.a.upstreams.n.url: " + URL_RULE);
    }

    @Test
    void anUpstreamNeedsAUrl() {
        assertThat(problems(network("weight = 1")))
                .containsExactly("weir.conf:2:1: networks.a.upstreams.n.url: missing (expected: http://…, https://…,"
                        + " or a scheme that a plugin brings, such as devnet:default; or a ws-url in its place)");
    }

    @Test
    void anUpstreamWithAWebSocketNeedsNoOtherUrl() {
        UpstreamConfig upstream = upstream("ws-url = \"ws://node:8546\"");
        assertThat(upstream.url()).isNull();
        assertThat(upstream.prefer()).isEqualTo(Preference.HTTP);
        assertThat(upstream.address()).isEqualTo(URI.create("ws://node:8546"));
    }

    @ParameterizedTest
    @CsvSource({"http, http://node", "ws, ws://node"})
    void thePreferredOneOfTwoUrlsIsUsed(String prefer, String address) {
        String urls = "url = \"http://node\", ws-url = \"ws://node\", prefer = ";
        assertThat(upstream(urls + prefer).address()).isEqualTo(URI.create(address));
    }

    @Test
    void aPreferenceForAWebSocketThatIsNotThereChangesNothing() {
        assertThat(upstream("url = \"http://node\", prefer = ws").address()).isEqualTo(URI.create("http://node"));
    }

    @Test
    void aWrongWebSocketUrlIsTheOnlyProblemOfANodeWithoutAnother() {
        assertThat(problems(network("ws-url = \"http://secret@node\", prefer = grpc")))
                .containsExactly(
                        "weir.conf:2:14: networks.a.upstreams.n.ws-url: (hidden) (expected: ws://… or wss://…)",
                        "weir.conf:2:45: networks.a.upstreams.n.prefer: grpc (expected: one of http, ws)");
    }

    @Test
    void wrongValuesAreShownButNotTheSecretOnes() {
        String text = """
                url = "http://n"
                ws-url = "http://secret@n"
                weight = 0
                tier = low
                headers { "Authorization: Bearer secret" = "", X-Key = "se\\ncret", Content-Length = 1, x-KEY = a }
                tags = [[]]
                max-connections = none
                timeout = 1 ms
                max-response = 5 PB
                proxy = "http://secret"
                """;
        assertThat(problems(network(text)))
                .containsExactly(
                        "weir.conf:3:10: networks.a.upstreams.n.ws-url: (hidden) (expected: ws://… or wss://…)",
                        "weir.conf:4:10: networks.a.upstreams.n.weight: 0 (expected: a whole number from 1 to 1000000)",
                        "weir.conf:5:8: networks.a.upstreams.n.tier: low (expected: a whole number from 0 to 1000)",
                        "weir.conf:6:11: networks.a.upstreams.n.headers: (hidden)"
                                + " (expected: header names of letters, digits and hyphens, each with its value after =)",
                        "weir.conf:6:56: networks.a.upstreams.n.headers.X-Key: (hidden)"
                                + " (expected: a header value: printable ASCII, no line ends)",
                        "weir.conf:6:68: networks.a.upstreams.n.headers.Content-Length: Content-Length"
                                + " (expected: another header: this one is the proxy's own)",
                        "weir.conf:6:88: networks.a.upstreams.n.headers.x-KEY: x-KEY"
                                + " (expected: each header once, in whatever case)",
                        "weir.conf:7:9: networks.a.upstreams.n.tags.0: a list (expected: a word without spaces)",
                        "weir.conf:8:19: networks.a.upstreams.n.max-connections: none"
                                + " (expected: a whole number from 1 to 100000)",
                        "weir.conf:9:11: networks.a.upstreams.n.timeout: 1 ms"
                                + " (expected: a duration with a unit, such as 250 ms or 10 s, from 10 ms to 1 h)",
                        "weir.conf:10:16: networks.a.upstreams.n.max-response: 5 PB"
                                + " (expected: a size with a unit, such as 64 KiB or 5 MiB, from 1 KiB to 1 GiB)",
                        "weir.conf:11:1: networks.a.upstreams.n.proxy: unknown setting (expected: a known setting)");
    }

    @Test
    void aTextInThePlaceOfAnUpstreamIsNotShown() {
        assertThat(problems("networks.a { chain-id = 1, upstreams.n = \"https://secret@node\" }"))
                .containsExactly("weir.conf:1:42: networks.a.upstreams.n: (hidden) (expected: a block { … })");
    }
}
