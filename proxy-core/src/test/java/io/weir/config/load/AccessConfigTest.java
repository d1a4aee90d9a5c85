package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static io.weir.config.load.TextConfig.rules;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.AddressBlock;
import io.weir.config.MethodCosts;
import io.weir.config.NetworkConfig.Unverifiable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessConfigTest {

    private static final String HASH = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";
    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(load(NETWORK).access()).isEqualTo(new AccessConfig(false, NO_LIMIT, Map.of()));
        assertThat(load(NETWORK + "access.keys.k.sha256 = " + HASH).access().keys())
                .containsOnly(Map.entry(
                        "k",
                        new KeyConfig(
                                HASH, Set.of("*"), Set.of("*"), false, Unverifiable.PASS, NO_LIMIT, BoundConfig.NONE)));
    }

    @Test
    void everySettingIsMapped() {
        String text = """
                access {
                  anonymous = true
                  anonymous-rate { calls-per-second = 7, burst = 9, weighted = true }
                  keys.k {
                    sha256 = "%s", networks = [a], methods = [eth_call, "net_*"], cache-bypass = yes, verify-logs = refuse
                    origins = ["https://app.test"], clients = ["10.0.0.0/8", "fd00::1"], contracts = ["0x00000000000000000000000000000000000000Aa"], budget.per-day = 5000, expires = "2027-01-31T02:00:00+02:00"
                    rate { calls-per-second = 1000, burst = 2000, weighted = true }
                  }
                }
                """.formatted(HASH);
        assertThat(load(NETWORK + text).access())
                .isEqualTo(new AccessConfig(
                        true,
                        new RateConfig(7, 9, true),
                        Map.of(
                                "k",
                                new KeyConfig(
                                        HASH,
                                        Set.of("a"),
                                        Set.of("eth_call", "net_*"),
                                        true,
                                        Unverifiable.REFUSE,
                                        new RateConfig(1000, 2000, true),
                                        new BoundConfig(
                                                Set.of("https://app.test"),
                                                List.of(
                                                        requireNonNull(AddressBlock.parse("10.0.0.0/8")),
                                                        requireNonNull(AddressBlock.parse("fd00::1"))),
                                                Set.of("0x00000000000000000000000000000000000000Aa"),
                                                5000,
                                                Instant.parse("2027-01-31T00:00:00Z"))))));
    }

    @Test
    void aWrongBoundOfAKeyIsSaidWithItsRule() {
        assertThat(rules("""
                        access.keys.k { sha256 = "%s", clients = ["10.0.0.1/8"], contracts = ["0xAa"], expires = "2027-01-31", origins = ["app.test"] }
                        """.formatted(HASH)))
                .containsExactlyInAnyOrder(
                        "access.keys.k.origins.0: \"app.test\""
                                + " (expected: an origin as browsers send it, such as https://app.example.org, or *)",
                        "access.keys.k.clients.0: \"10.0.0.1/8\""
                                + " (expected: an address or a block of them, such as 10.0.0.5, 10.0.0.0/8 or fd00::/8)",
                        "access.keys.k.contracts.0: \"0xAa\" (expected: an address of 20 bytes in hex)",
                        "access.keys.k.expires: \"2027-01-31\""
                                + " (expected: a time with its zone, such as \"2027-01-31T00:00:00Z\")");
    }

    @Test
    void withoutABurstItIsTheCallsOfASecond() {
        assertThat(load(NETWORK + "access.anonymous-rate.calls-per-second = 5")
                        .access()
                        .anonymousRate())
                .isEqualTo(new RateConfig(5, 5, false));
    }

    @Test
    void callersWithoutAKeyMayHaveARateForEachAddress() {
        assertThat(load(NETWORK + "access.anonymous.rate.calls-per-second = 5").access())
                .isEqualTo(new AccessConfig(true, NO_LIMIT, new RateConfig(5, 5, false), Map.of()));
        assertThat(load(NETWORK + "access.anonymous {}").access())
                .isEqualTo(new AccessConfig(true, NO_LIMIT, NO_LIMIT, Map.of()));
    }

    @Test
    void bothRatesOfCallersWithoutAKeyCountAlike() {
        assertThat(rules("""
                        access { anonymous.rate.calls-per-second = 5, anonymous-rate { calls-per-second = 9, weighted = true } }
                        """))
                .containsExactlyInAnyOrder(
                        "access.anonymous: a block (expected: a rate that is weighted as access.anonymous-rate is)");
    }

    @Test
    void aKeyMayHaveCostsOfItsOwnOverThoseOfAllKeys() {
        String text = """
                defaults.key.rate { calls-per-second = 5, weighted { eth_simulateV1 = 500, "trace_*" = 40 } }
                access.keys { k { sha256 = "%s", rate.weighted { default = 2, eth_simulateV1 = 90 } }, p { sha256 = "%s", rate.weighted = false } }
                """.formatted(HASH, HASH.replace('a', 'b'));
        Map<String, KeyConfig> keys = load(NETWORK + text).access().keys();

        assertThat(keys.get("k").rate())
                .isEqualTo(new RateConfig(
                        5, 5, true, new MethodCosts(2, Map.of("eth_simulateV1", 90L), Map.of("trace_", 40L))));
        assertThat(keys.get("p").rate()).isEqualTo(new RateConfig(5, 5, false));
    }

    @Test
    void wrongCostsOfAKeyAreSaidWithTheirRules() {
        assertThat(rules("""
                        access.keys.k { sha256 = "%s", rate.weighted { eth_call = -1, "*_call" = 1 } }
                        """.formatted(HASH)))
                .containsExactlyInAnyOrder(
                        "access.keys.k.rate.weighted.eth_call: -1 (expected: a whole number from 0 to 1000000000)",
                        "access.keys.k.rate.weighted.\"*_call\": *_call (expected: a method, a prefix such as debug_*,"
                                + " or *, in quotes if it has a * or a dot)");
    }

    @Test
    void aBurstWithoutARateIsAProblemUnlessItIsADefault() {
        String rule = " (expected: calls-per-second beside it; without it there is no rate)";
        assertThat(rules("""
                        access { anonymous.rate.burst = 5, anonymous-rate.burst = 6, keys.k { sha256 = "%s", rate.burst = 7 } }
                        """.formatted(HASH)))
                .containsExactlyInAnyOrder(
                        "access.anonymous.rate.burst: 5" + rule,
                        "access.anonymous-rate.burst: 6" + rule,
                        "access.keys.k.rate.burst: 7" + rule);
        assertThat(rules("""
                        defaults.key.rate.burst = 9
                        access.keys { j { sha256 = "%s", rate.calls-per-second = 5 }, k.sha256 = "%s" }
                        """.formatted(HASH, HASH.replace('a', 'b')))).isEmpty();
        assertThat(rules("access.keys.k { sha256 = \"%s\", rate { calls-per-second = 0, burst = 9 } }".formatted(HASH)))
                .as("a rate that is turned off")
                .isEmpty();
    }

    @Test
    void aFileMayChangeTheDefaultsOfKeys() {
        assertThat(load(NETWORK + "defaults.key.rate.calls-per-second = 5\n access.keys.k.sha256 = " + HASH)
                        .access()
                        .keys()
                        .get("k")
                        .rate())
                .isEqualTo(new RateConfig(5, 5, false));
    }

    @Test
    void aWrongDefaultIsSaidOnceWhereItIs() {
        assertThat(problems(NETWORK + """
                        access.keys { j.sha256 = "%s", k.sha256 = "%s" }
                        defaults.key.rate.burst = many
                        """.formatted(HASH, HASH.replace('a', 'b'))))
                .containsExactly("weir.conf:3:27: defaults.key.rate.burst: many"
                        + " (expected: a whole number from 0 to 1000000000)");
    }

    @Test
    void noKeyHasTheNameOfCallersWithoutOne() {
        assertThat(problems(NETWORK + "access.keys.anonymous.sha256 = \"%s\"\n".formatted(HASH)))
                .containsExactly("weir.conf:2:13: access.keys.anonymous: anonymous"
                        + " (expected: another name; this one is of callers without a key)");
    }

    @Test
    void wrongValuesAreShownButNotTheHash() {
        String text = """
                access {
                  anonymous = maybe
                  anonymous-rate.weighted = 1
                  keys {
                    j { sha256 = my-secret, networks = [b, "*"], methods = "eth_call" }
                    "k k" { methods = ["*_eth"], cache-bypass = "", rate.burst = -1 }
                    l { sha256 = null, rate = 5 }
                  }
                }
                """;
        assertThat(problems(NETWORK + text))
                .containsExactly(
                        "weir.conf:3:15: access.anonymous: maybe (expected: true, false, or a block { … })",
                        "weir.conf:4:29: access.anonymous-rate.weighted: 1 (expected: true, false, or a block { … })",
                        "weir.conf:6:18: access.keys.j.sha256: (hidden) (expected: 64 hex digits)",
                        "weir.conf:6:41: access.keys.j.networks.0: b (expected: one of the networks, or *)",
                        "weir.conf:6:60: access.keys.j.methods: \"eth_call\" (expected: a list [ … ])",
                        "weir.conf:7:5: access.keys.\"k k\": k k"
                                + " (expected: a name of letters, digits, dots, hyphens and underscores)",
                        "weir.conf:7:5: access.keys.\"k k\".sha256: missing (expected: 64 hex digits)",
                        "weir.conf:7:24: access.keys.\"k k\".methods.0: \"*_eth\""
                                + " (expected: a method, a prefix such as debug_*, or *)",
                        "weir.conf:7:49: access.keys.\"k k\".cache-bypass: \"\" (expected: true or false)",
                        "weir.conf:7:66: access.keys.\"k k\".rate.burst: -1"
                                + " (expected: a whole number from 0 to 1000000000)",
                        "weir.conf:8:18: access.keys.l.sha256: null (expected: 64 hex digits)",
                        "weir.conf:8:31: access.keys.l.rate: (hidden) (expected: a block { … })");
    }

    @Test
    void aKeyGivenTwiceIsRejectedWithoutShowingIt() {
        assertThat(rules("access.keys { j.sha256 = \"%s\", k.sha256 = \"%s\" }"
                        .formatted(HASH, HASH.toUpperCase(Locale.ROOT))))
                .containsExactly("access.keys.k.sha256: (hidden) (expected: another key than that of access.keys.j)");
    }
}
