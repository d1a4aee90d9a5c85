package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.setting.HeapShare;
import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.config.WeirConfig.LogFormat;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.config.WeirConfig.TracingConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class WeirConfigTest {

    @Test
    void defaultsAreThoseOfTheReference() {
        WeirConfig config = load(NETWORK);
        assertThat(config.defaultNetwork()).isEqualTo("a");
        assertThat(config.cache()).isEqualTo(new CacheConfig(HeapShare.ofProcess()));
        assertThat(config.log()).isEqualTo(LogFormat.TEXT);
        assertThat(config.tracing())
                .isEqualTo(new TracingConfig(null, 0.01, Map.of()))
                .matches(tracing -> !tracing.isOn());
        assertThat(config.plugins())
                .isEqualTo(new PluginsConfig(List.of(Path.of("plugins")), Path.of("data/plugins"), Map.of()));
    }

    @Test
    void everySettingIsMapped() {
        String text = """
                networks.b { chain-id = 2, upstreams.n.url = "http://n" }
                default-network = b
                cache.memory = 0
                log { format = json, level = warn }
                tracing { endpoint = "https://t.test/v1/traces", sample = 25 %, headers.A = hunter2 }
                plugins {
                  path = [p, q], data = /d
                  devnet { period = 3 s }
                }
                """;
        WeirConfig config = load(NETWORK + text);
        assertThat(config.defaultNetwork()).isEqualTo("b");
        assertThat(config.cache()).isEqualTo(new CacheConfig(0));
        PluginsConfig plugins = config.plugins();
        assertThat(plugins)
                .isEqualTo(new PluginsConfig(List.of(Path.of("p"), Path.of("q")), Path.of("/d"), plugins.settings()));
        assertThat(plugins.settings()).containsOnlyKeys("devnet");
        assertThat(plugins.settings().get("devnet").getDuration("period")).hasSeconds(3);
        assertThat(plugins.settings().get("devnet").getValue("period").origin().lineNumber())
                .isEqualTo(9);
        assertThat(config.log()).isEqualTo(LogFormat.JSON);
        assertThat(config.logLevel()).isEqualTo(Level.WARN);
        assertThat(config.tracing())
                .isEqualTo(new TracingConfig("https://t.test/v1/traces", 0.25, Map.of("A", "hunter2")));
        assertThat(config.toString()).doesNotContain("hunter2", "t.test");
    }

    @Test
    void wrongValuesOfTheCacheAndThePluginsAreShown() {
        assertThat(rules("cache.memory = lots, plugins { path = p, data = \"\" }"))
                .containsExactly(
                        "cache.memory: lots"
                                + " (expected: a size with a unit, such as 64 KiB or 5 MiB, from 0 B to 1 TiB)",
                        "plugins.path: p (expected: a list [ … ])",
                        "plugins.data: \"\" (expected: the path of a folder)");
    }

    @Test
    void aCollectorWithCredentialsInItsUrlIsRefusedWithoutShowingThem() {
        assertThat(rules("tracing.endpoint = \"http://bob:hunter2@t.test/\""))
                .singleElement()
                .asString()
                .startsWith("tracing.endpoint: ")
                .contains("(expected: a URL without a user")
                .doesNotContain("hunter2");
    }

    @Test
    void aTextBelowPluginsIsAnUnknownSettingAndNoPlugin() {
        assertThat(rules("plugins.dat = 5"))
                .containsExactly(
                        "plugins.dat: unknown setting" + " (expected: a known setting; did you mean plugins.data?)");
    }

    @Test
    void aConfigurationNeedsANetwork() {
        assertThat(problems("")).containsExactly("weir.conf:1: networks: none (expected: at least one network)");
        assertThat(problems("server.port = 1\nnetworks {}"))
                .containsExactly("weir.conf:2:1: networks: none (expected: at least one network)");
    }

    @Test
    void theDefaultNetworkMustBeThere() {
        assertThat(rules("default-network = b")).containsExactly("default-network: b (expected: one of the networks)");
    }

    @Test
    void severalNetworksNeedADefault() {
        assertThat(problems(NETWORK + "networks.b { chain-id = 2, upstreams.n.url = \"http://n\" }"))
                .containsExactly("weir.conf:1: default-network: missing"
                        + " (expected: a name of lower-case letters, digits and hyphens)");
    }

    @Test
    void aSettingInTheWrongBlockIsShownWithItsPlace() {
        assertThat(rules("max-body = 5 MiB"))
                .containsExactly(
                        "max-body: unknown setting (expected: a known setting; did you mean server.max-body?)");
    }

    @Test
    void networksThatAreNoBlockAreSaidOnce() {
        assertThat(problems("networks = [a]\ndefault-network = a\naccess.keys.k { sha256 = " + "0".repeat(64)
                        + ", networks = [a] }"))
                .containsExactly("weir.conf:1:12: networks: (hidden) (expected: a block { … })");
    }

    @Test
    void anUnknownNameAmongTheDefaultsIsSaid() {
        assertThat(rules("defaults { netwrk.kind = l2, upstream.time-out = 1 s }"))
                .containsExactly(
                        "defaults.netwrk: unknown setting"
                                + " (expected: a known setting; did you mean defaults.network?)",
                        "defaults.upstream.time-out: unknown setting"
                                + " (expected: a known setting; did you mean defaults.upstream.timeout?)");
    }

    @Test
    void aProblemOfAValueInASubstitutedBlockIsReportedAtItsOrigin() {
        String text = """
                access.keys { a { sha256 = "%s" , rate { burst = x } } }
                access.keys.b = ${access.keys.a} { sha256 = "%s" }
                """.formatted("0".repeat(64), "1".repeat(64));
        assertThat(problems(NETWORK + text))
                .containsExactly(
                        "weir.conf:2:112: access.keys.a.rate.burst: x"
                                + " (expected: a whole number from 0 to 1000000000)",
                        "weir.conf:2:112: access.keys.b.rate.burst: x"
                                + " (expected: a whole number from 0 to 1000000000)");
    }

    @Test
    void theEnvironmentIsNeverShown() {
        String text = """
                server.port = ${SECRET}
                server.max-batch = 5, server.max-batch = ${?SECRET}
                admin = ${base}
                base { port = ${SECRET} }
                """;
        assertThat(problems(NETWORK + text, Map.of("SECRET", "hunter2")))
                .containsExactly(
                        "weir.conf:2:15: server.port: ${SECRET} (expected: a whole number from 0 to 65535)",
                        "weir.conf:3:42: server.max-batch: ${?SECRET} (expected: a whole number from 1 to 1000000)",
                        "weir.conf:4:1: admin.port: (hidden) (expected: a whole number from 0 to 65535)",
                        "weir.conf:5:1: base: unknown setting (expected: a known setting)");
    }

    @Test
    void aSizeInTheFileIsTakenAsItIs() throws Exception {
        long mib = 1L << 20;
        WeirConfig config =
                TextConfig.load(TextConfig.NETWORK + "server.bytes-in-flight = 900 GiB\ncache.memory = 0 B");
        assertThat(config.server().load().bytes()).isEqualTo(900 * 1024 * mib);
        assertThat(config.cache().memoryBytes()).isZero();
        WeirConfig automatic =
                TextConfig.load(TextConfig.NETWORK + "server.bytes-in-flight = auto\ncache.memory = auto");
        assertThat(automatic.server().load().bytes()).isEqualTo(HeapShare.ofProcess());
        assertThat(automatic.cache().memoryBytes()).isEqualTo(HeapShare.ofProcess());
    }
}
