package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code check} says of a configuration without problems: settings that probably hurt, and the summary. */
class ConfigWarningsTest {

    private static final String NODE = "networks.n { chain-id = 7, upstreams.a.url = \"http://127.0.0.1:1\" }";
    private static final String ALONE = "access.anonymous = true";

    private static Startup.Checked check(String... lines) {
        Startup.Checked checked =
                new Startup(Path.of("my.conf"), "plugins.path = []\n" + String.join("\n", lines)).check();
        assertThat(checked.problems()).isEmpty();
        return checked;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Access.
                "access {}             | 2:1: access: no key, and no call without one",
                "server.host = \"0.0.0.0\", access.anonymous = true | 2:33: access.anonymous: true, and other machines reach 0.0.0.0",
                "server.host = \"10.0.0.7\", access.anonymous = true | 2:34: access.anonymous: true, and other machines reach 10.0.0.7",
                "server.host = \"127.example.org\", access.anonymous = true | 2:41: access.anonymous: true, and other machines",
                "admin.host = \"0.0.0.0\", access.anonymous = true | 2:7: admin.host: 0.0.0.0: every machine",
                "admin { host = \"::\" }, access.anonymous = true | 2:9: admin.host: :::",
                "server.hosts = [\"*\"], access.anonymous = true | 2:8: server.hosts: *: every name",
                "admin.hosts = [\"*\"], access.anonymous = true | 2:7: admin.hosts: *: every name",
                "server.cors.origins = [\"*\"], access.anonymous = true | 2:13: server.cors.origins: *: every web page may call",
                "server.trusted-proxies = [\"0.0.0.0/0\"], access.anonymous = true | 2:8: server.trusted-proxies: every address",
                "access.keys.k { sha256 = \"KEY\", networks = [] } | 2:13: access.keys.k: permits nothing",
                "access.keys.k { sha256 = \"KEY\", methods = [] } | 2:13: access.keys.k: permits nothing",
                "access.keys.k { sha256 = \"KEY\", expires = \"2020-01-01T00:00:00Z\" } | 2:13: access.keys.k: permits nothing, or has expired",
                "server.host = \"10.0.0.7\", access.keys.k.sha256 = \"2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea\" | 2:41: access.keys.k.sha256: the key of the examples",
                // Without effect.
                "access { keys.k.sha256 = \"KEY\", anonymous-rate.calls-per-second = 5 } | 2:94: access.anonymous-rate: without effect",
                "cache { memory = 0, disk.path = \"/tmp/nowhere\" }, access.anonymous = true | 2:21: cache.disk: without effect",
                "cache { memory = 0, redis.url = \"redis://127.0.0.1:1\" }, access.anonymous = true | 2:21: cache.redis: without effect",
                "cache.redis.url = \"redis://127.0.0.1:1\", defaults.network.verify = off, access.anonymous = true | 2:7: cache.redis: holds no results",
                "server.cors.headers = [X-A], access.anonymous = true | 2:13: server.cors.headers: without effect",
            })
    void aSettingThatProbablyHurtsIsNamedWithItsPlace(String line, String warning) {
        assertThat(check(line.replace("KEY", "0".repeat(64)), NODE).warnings())
                .singleElement()
                .asString()
                .startsWith("my.conf:" + warning)
                .contains(" (expected: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "preset = op, chain-id = 1 | chain-id: 1 is the chain of the preset mainnet, not of op",
                "chain-id = 7, upstreams.b.url = \"http://127.0.0.1:1\" | upstreams.b.url: the address of a",
                "chain-id = 7, upstreams.\"b.c\".url = \"HTTP://127.0.0.1:1/\" | upstreams.\"b.c\".url: the address of a",
                "chain-id = 7, upstreams.b { url = \"https://127.0.0.1:3\", tls.insecure-accept-any-certificate = true } | upstreams.b.tls.insecure-accept-any-certificate: true",
                "chain-id = 7, upstreams.b.ws-url = \"ws://127.0.0.1:2\" | upstreams.b.ws-url: the address of a",
                "chain-id = 7, upstreams { b.url = \"http://127.0.0.1:3\", b.url = \"http://127.0.0.1:4\" } | upstreams.b.url: a second time",
                "chain-id = 7, upstreams.b { url = \"http://127.0.0.1:3\", ws-url = \"ws://127.0.0.1:3\", subscribe = false } | upstreams.b.ws-url: without effect",
                "chain-id = 7, upstreams.b { url = \"http://127.0.0.1:3\", ws-url = \"ws://127.0.0.1:3\", preset = hosted } | upstreams.b.ws-url: without effect",
                "chain-id = 7, upstreams.b { url = \"http://127.0.0.1:3\", budget.per-day = 17280 } | upstreams.b.budget.per-day: 17280: polls every 5000 ms alone cost 17280",
            })
    void aNodeOrChainThatContradictsAnotherIsNamedWithItsPlace(String settings, String warning) {
        String first = "upstreams.a { url = \"http://127.0.0.1:1\", ws-url = \"ws://127.0.0.1:2\" }";

        assertThat(check(ALONE, "networks.n { " + first + ", " + settings + " }")
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("my.conf:3:")
                .contains(": networks.n." + warning, " (expected: ")
                .doesNotContain("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "access.anonymous = true",
                "server.host = \"localhost\", access.anonymous = true",
                "server.host = \"::1\", admin.host = \"127.0.0.2\", access.anonymous = true",
                "server.host = \"0.0.0.0\", access { anonymous = true, anonymous-rate.calls-per-second = 10 }",
                "server.host = \"0.0.0.0\", access.anonymous.rate.calls-per-second = 10",
                "server.host = \"0.0.0.0\", access.keys.k.sha256 = \"KEY\"",
                "access.keys.k.sha256 = \"2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea\"",
                "server.cors.origins = [\"*\"], access.keys.k { sha256 = \"KEY\", expires = \"2999-01-01T00:00:00Z\" }",
                "access.anonymous = true, cache.memory = 0",
                "access.anonymous = true, cache.disk.path = \"/tmp/nowhere\"",
                "access.anonymous = true, server.cors { origins = [\"https://a.example\"], headers = [X-A] }",
                "access.anonymous = true, networks.n.preset = anvil, networks.n.chain-id = 1",
                "access.anonymous = true, networks.n.preset = op, networks.n.chain-id = 7777777",
                "access.anonymous = true, networks.n.preset = mainnet, networks.n.chain-id = 1",
                "access.anonymous = true, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", url = ${?NO_SUCH_VARIABLE_FOR_WEIR} }",
                "access.anonymous = true, networks.n.upstreams { b.ws-url = \"ws://127.0.0.1:2\", b.weight = 2 }",
                "access.anonymous = true, networks.n.upstreams.b { ws-url = \"ws://127.0.0.1:2\", subscribe = false }",
                "access.anonymous = true, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", ws-url = \"ws://127.0.0.1:2\", prefer = ws, subscribe = false }",
                "access.anonymous = true, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", budget.per-day = 17281 }",
                "access.anonymous = true, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", budget.per-second = 1 }",
                "access.anonymous = true, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", tier = 1, budget.per-day = 1441 }",
                "access.anonymous = true, networks.n.health.interval = 1 m, networks.n.upstreams.b { url = \"http://127.0.0.1:2\", budget.per-day = 1441 }",
                "access.anonymous = true, networks.m { chain-id = 8, upstreams.a.url = \"http://127.0.0.1:1\" }, default-network = n"
            })
    void noRightConfigurationIsWarnedOf(String line) {
        assertThat(check(NODE, line.replace("KEY", "0".repeat(64))).warnings()).isEmpty();
    }

    @Test
    void theSummarySaysWhatIsConfiguredAndNoSecret() {
        List<String> summary = check(
                        "server { host = \"0.0.0.0\", port = 0, hosts = [rpc.example.org], data = \"/tmp/nowhere/d\" }",
                        "networks.main { preset = mainnet, hosts = [eth.example.org], upstreams {",
                        "  a { url = \"http://127.0.0.1:1/secret\", ws-url = \"ws://127.0.0.1:1\" }",
                        "  b { url = \"http://127.0.0.1:2\" }",
                        "  c { url = \"http://127.0.0.1:3\", tier = 1, preset = hosted, budget.per-day = 1000000 }",
                        "} }",
                        NODE,
                        "default-network = main",
                        "access.keys.k { sha256 = \"" + "0".repeat(64)
                                + "\", rate { calls-per-second = 5, weighted = true }, "
                                + "networks = [n], budget.per-day = 100 }",
                        "cache { memory = 64 MiB, disk { path = \"/tmp/nowhere/c\", size = 1 GiB } }")
                .summary();

        assertThat(summary)
                .containsExactly(
                        "network main (default): chain 1, preset mainnet, as eth.example.org",
                        "  tier 0: a (WebSocket), b",
                        "  tier 1: c (hosted, 1000000 units a day)",
                        "network n: chain 7",
                        "  tier 0: a",
                        "key k: 5 units/s, burst 5, 100 units a day, networks n, methods *",
                        "without a key: refused",
                        "JSON-RPC: http://0.0.0.0:any free port, also as rpc.example.org",
                        "admin: http://127.0.0.1:9545",
                        "plugins: none",
                        "kept: results in 64 MiB of memory; results in 1024 MiB of files in /tmp/nowhere/c; "
                                + "used budgets in /tmp/nowhere/d");
    }
}
