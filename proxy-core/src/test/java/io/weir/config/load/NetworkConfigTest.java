package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.Ejection;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.HeadConfig;
import io.weir.config.NetworkConfig.HealthConfig;
import io.weir.config.NetworkConfig.MethodRules;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.config.NetworkConfig.UnknownMethods;
import io.weir.config.NetworkConfig.Verify;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkConfigTest {

    private static final String UPSTREAM = "upstreams.n.url = \"http://127.0.0.1:1\"";

    @Test
    void defaultsAreThoseOfTheReference() {
        NetworkConfig network = load(NETWORK).networks().get("a");
        assertThat(network)
                .isEqualTo(new NetworkConfig(
                        "a",
                        "ethereum",
                        null,
                        "1",
                        Set.of(),
                        false,
                        network.upstreams(),
                        Verify.BEFORE_CACHING,
                        Hashing.AUTO,
                        NetworkConfig.Family.ETHEREUM,
                        NetworkConfig.Unverifiable.REFUSE,
                        Set.of(),
                        0.01,
                        4,
                        64,
                        new HeadConfig(1_000),
                        new MethodRules(List.of(), List.of(), UnknownMethods.PASS, 10),
                        new HealthConfig(5_000, 8),
                        Ejection.ON,
                        new NetworkConfig.BalanceConfig(NetworkConfig.Choice.LATENCY, 5, 5_000),
                        new FilterConfig(2_500),
                        new SubscriptionConfig(20_000, 0),
                        1,
                        new GatherConfig(true),
                        new NetworkConfig.AgreeConfig(List.of(), 3, Set.of())));
        assertThat(network.upstreams()).containsOnlyKeys("n");
    }

    @Test
    void everySettingIsMapped() {
        String text = """
                networks.b-2 {
                  kind = l2, chain-id = L2_MAIN, hosts = [B.Example.org, "[::1]"], verify = off, hashing = none, verify-unknown = pass
                  verify-members = [l1Fee], verify-sample = 12.5 %
                  verify-logs = refuse
                  finality.depth = 5, head.max-age = 300 ms
                  methods { allow = ["debug_*"], deny = [eth_call], unknown = deny, gas-cap-factor = 0 }
                  health { interval = 1 s, max-lag = 0 }
                  ejection = strict
                  balance { choice = order, hedge-percent = 2, wait = 3 s }
                  filters.max-per-key = 3, transactions.broadcast = 2
                  subscriptions { max-per-key = 5, charge-per-notification = 2 }
                  gather.enabled = off, optional = true, upstreams { n.url = "devnet:default" }
                  agree { methods = [eth_call, "trace_*"], of = 5, ignore = [miner] }
                }
                """;
        NetworkConfig network = load(text).networks().get("b-2");
        assertThat(network)
                .isEqualTo(new NetworkConfig(
                        "b-2",
                        "l2",
                        null,
                        "L2_MAIN",
                        Set.of("b.example.org", "[::1]"),
                        true,
                        network.upstreams(),
                        Verify.OFF,
                        Hashing.NONE,
                        NetworkConfig.Family.ETHEREUM,
                        NetworkConfig.Unverifiable.PASS,
                        Set.of("l1Fee"),
                        0.125,
                        -1,
                        5,
                        new HeadConfig(300),
                        new MethodRules(List.of("debug_*"), List.of("eth_call"), UnknownMethods.DENY, 0),
                        new HealthConfig(1_000, 0),
                        Ejection.STRICT,
                        new NetworkConfig.BalanceConfig(NetworkConfig.Choice.ORDER, 2, 3_000),
                        new FilterConfig(3),
                        new SubscriptionConfig(5, 2),
                        2,
                        new GatherConfig(false),
                        new NetworkConfig.AgreeConfig(List.of("eth_call", "trace_*"), 5, Set.of("miner"))));
    }

    @ParameterizedTest
    @CsvSource({"1337, 1337", "\"1337\", 1337", "0x539, 1337", "\"0x539\", 1337"})
    void aNumericChainIdIsDecimalHoweverItIsWritten(String written, String id) {
        assertThat(load("networks.a { chain-id = " + written + ", " + UPSTREAM + " }")
                        .networks()
                        .get("a")
                        .chainId())
                .isEqualTo(id);
    }

    @Test
    void networksKeepTheOrderOfTheFile() {
        String text = "networks.%s { chain-id = 1, " + UPSTREAM + " }\n";
        assertThat(load("default-network = m\n" + text.formatted("z") + text.formatted("m") + text.formatted("b"))
                        .networks()
                        .keySet())
                .containsExactly("z", "m", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3", "ws", "health", "metrics", "status"})
    void aNameOfTheProxysOwnPathsIsRejected(String name) {
        assertThat(problems("networks." + name + " { chain-id = 1, " + UPSTREAM + " }"))
                .containsExactly("weir.conf:1:10: networks." + name + ": " + name
                        + " (expected: another name: this one is part of the proxy's own paths)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify = off", "hashing = none", "family = none"})
    void proofsOfLogsCannotBeRequiredOfANetworkThatVerifiesNothing(String nothing) {
        assertThat(problems("networks.a { verify-logs = refuse, chain-id = 1, " + nothing + ", " + UPSTREAM + " }"))
                .containsExactly("weir.conf:1:28: networks.a.verify-logs: refuse"
                        + " (expected: pass: the network verifies nothing)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Main", "-a", "a_b", "a b"})
    void aNameThatIsNotAPathElementIsRejected(String name) {
        assertThat(problems("networks.\"" + name + "\" { chain-id = 1, " + UPSTREAM + " }"))
                .singleElement()
                .asString()
                .startsWith("weir.conf:1:10: networks.")
                .endsWith(": " + name + " (expected: a name of lower-case letters, digits and hyphens)");
    }

    @Test
    void wrongValuesAreShown() {
        String text = """
                networks.a {
                  kind = Ether Eum
                  chain-id = 1
                  hosts = ["a:80", "http://a", ".a"]
                  verify = always
                  hashing = 1
                  finality.depth = deep
                  methods { allow = ["debug *"], deny = [null], unknown = ask }
                  health { interval = 0, max-lag = -1 }
                  upstreams.n.url = "http://127.0.0.1:1"
                }
                """;
        assertThat(problems(text))
                .containsExactly(
                        "weir.conf:2:10: networks.a.kind: Ether Eum"
                                + " (expected: a name of lower-case letters, digits and hyphens)",
                        "weir.conf:4:12: networks.a.hosts.0: \"a:80\" (expected: a host name without a port)",
                        "weir.conf:4:20: networks.a.hosts.1: \"http://a\" (expected: a host name without a port)",
                        "weir.conf:4:32: networks.a.hosts.2: \".a\" (expected: a host name without a port)",
                        "weir.conf:5:12: networks.a.verify: always"
                                + " (expected: one of off, before-caching, before-serving)",
                        "weir.conf:6:13: networks.a.hashing: 1 (expected: one of auto, ethereum, none)",
                        "weir.conf:7:20: networks.a.finality.depth: deep"
                                + " (expected: a whole number from 0 to 1000000)",
                        "weir.conf:8:22: networks.a.methods.allow.0: \"debug *\""
                                + " (expected: a method, a prefix such as debug_*, or *)",
                        "weir.conf:8:42: networks.a.methods.deny.0: null"
                                + " (expected: a method, a prefix such as debug_*, or *)",
                        "weir.conf:8:59: networks.a.methods.unknown: ask (expected: one of pass, deny)",
                        "weir.conf:9:23: networks.a.health.interval: 0"
                                + " (expected: a duration with a unit, such as 250 ms or 10 s, from 50 ms to 1 h)",
                        "weir.conf:9:36: networks.a.health.max-lag: -1"
                                + " (expected: a whole number from 0 to 1000000000)");
    }

    @ParameterizedTest
    @CsvSource({
        "networks.a.ejection { faults = 3 }, 3:21: networks.a",
        "networks.a.ejection.faults = 3, 3:12: networks.a",
        "defaults.network { ejection.time = 2 s }, 3:20: defaults.network"
    })
    void aBlockOfTheFormerRulesOfEjectionIsRejectedWithTheWords(String written, String network) {
        assertThat(problems(NETWORK + "\n" + written))
                .containsExactly("weir.conf:" + network + ".ejection: a block (expected: one of off, on, strict)");
    }

    @Test
    void anEthereumChainNeedsANumber() {
        assertThat(problems("networks.a { chain-id = main, " + UPSTREAM + " }"))
                .containsExactly(
                        "weir.conf:1:25: networks.a.chain-id: main (expected: the chain's id, a whole number)");
    }

    @Test
    void aMissingSettingIsReportedAtItsBlock() {
        assertThat(problems("\nnetworks {\n  a {}\n  b { chain-id = 1, upstreams {} }\n}\ndefault-network = a"))
                .containsExactly(
                        "weir.conf:3:3: networks.a.chain-id: missing (expected: the chain's id, a whole number)",
                        "weir.conf:3:3: networks.a.upstreams: none (expected: at least one upstream)",
                        "weir.conf:4:21: networks.b.upstreams: none (expected: at least one upstream)");
    }

    @Test
    void aHostOfTwoNetworksIsRejected() {
        String text = """
                networks {
                  a { chain-id = 1, hosts = [x.org, X.org], %s }
                  b { chain-id = 2, hosts = [y.org, X.ORG], %s }
                }
                default-network = a
                """.formatted(UPSTREAM, UPSTREAM);
        assertThat(problems(text))
                .containsExactly("weir.conf:3:37: networks.b.hosts.1: X.ORG"
                        + " (expected: a host of one network only; it is one of networks.a)");
    }

    @Test
    void transactionsGoToAllUpstreamsWhereThatIsSaid() {
        assertThat(load(NETWORK + "\nnetworks.a.transactions.broadcast = all")
                        .networks()
                        .get("a")
                        .broadcast())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "1000", "every"})
    void anotherNumberOfUpstreamsForTransactionsIsRejected(String broadcast) {
        assertThat(problems(NETWORK + "\nnetworks.a.transactions.broadcast = " + broadcast))
                .singleElement()
                .asString()
                .endsWith("networks.a.transactions.broadcast: " + broadcast
                        + " (expected: a whole number from 1 to 999, or all)");
    }
}
