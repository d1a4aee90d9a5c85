package io.weir.config;

import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Family;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Verify;
import java.util.List;
import org.junit.jupiter.api.Test;

class PresetTest {

    private static final String UPSTREAM = "upstreams.n.url = \"http://127.0.0.1:1\"";
    private static final String HOSTED = "upstreams.n { url = \"http://127.0.0.1:1\", preset = hosted }";

    private static NetworkConfig network(String settings) {
        return load("networks.a { " + settings + " }").networks().get("a");
    }

    @Test
    void aNetworksOwnSettingsWinOverThePresetAndThePresetOverTheDefaults() {
        NetworkConfig network = load("""
                        defaults.network { finality.depth = 7, verify = before-serving, family = bsc }
                        networks.a { preset = op, chain-id = 130, health.max-lag = 3, %s }
                        """.formatted(UPSTREAM)).networks().get("a");
        assertThat(network.chainId()).isEqualTo("130");
        assertThat(network.health().maxLag()).isEqualTo(3);
        assertThat(network.health().intervalMillis()).isEqualTo(5_000);
        assertThat(network.finalityDepth()).isEqualTo(1_800);
        assertThat(network.family()).isEqualTo(Family.OP);
        assertThat(network.verify()).isEqualTo(Verify.BEFORE_SERVING);
    }

    @Test
    void aTypoNamesTheNearestPreset() {
        assertThat(problems("networks.a { preset = arbitrun, chain-id = 1, " + UPSTREAM + " }"))
                .containsExactly("weir.conf:1:23: networks.a.preset: arbitrun (expected: one of "
                        + String.join(", ", ChainPreset.names()) + "; did you mean arbitrum?)");
        assertThat(problems(
                        "networks.a { chain-id = 1, upstreams.n { url = \"http://127.0.0.1:1\", preset = hostde } }"))
                .singleElement()
                .asString()
                .endsWith("networks.a.upstreams.n.preset: hostde (expected: one of hosted; did you mean hosted?)");
    }

    @Test
    void presetsAreForEthereumsKind() {
        assertThat(problems("networks.a { kind = l2, chain-id = MAIN, preset = op, " + UPSTREAM + " }"))
                .singleElement()
                .asString()
                .endsWith("networks.a.preset: op (expected: none: presets are for the kind ethereum)");
    }

    @Test
    void aHostedUpstreamGetsNoBatchesAndNoSamples() {
        NetworkConfig network = network("chain-id = 1, " + HOSTED);
        UpstreamConfig upstream = network.upstreams().get("n");
        assertThat(upstream.batchSize()).isOne();
        assertThat(upstream.isHosted()).isTrue();
        assertThat(upstream.subscribe()).isFalse();
        assertThat(network.isHosted()).isTrue();
        assertThat(network.gather().enabled()).isFalse();
        assertThat(network.head().maxAgeMillis()).isEqualTo(3_000);
        assertThat(List.of(
                        network.health().intervalMillis(),
                        network.health().idleIntervalMillis(),
                        network.health().downIntervalMillis()))
                .containsExactly(15_000L, 180_000L, 3_000L);
    }

    @Test
    void ownSettingsWinOverTheHostedPreset() {
        NetworkConfig network = network("""
                chain-id = 1, head.max-age = 2 s
                upstreams.n { url = "http://127.0.0.1:1", preset = hosted, batch.size = 7 }
                """);
        assertThat(network.upstreams().get("n").batchSize()).isEqualTo(7);
        assertThat(network.head().maxAgeMillis()).isEqualTo(2_000);
    }

    @Test
    void aHostedUpstreamBesideAnotherLeavesTheNetworkAsItIs() {
        NetworkConfig network = network("preset = arbitrum, " + HOSTED + ", upstreams.m.url = \"http://127.0.0.1:2\"");
        assertThat(network.upstreams().get("n").batchSize()).isOne();
        assertThat(network.upstreams().get("m").batchSize()).isEqualTo(100);
        assertThat(network.isHosted()).isFalse();
        assertThat(network.gather().enabled()).isTrue();
        assertThat(network.head().maxAgeMillis()).isEqualTo(250);
    }

    @Test
    void theHostedPresetWinsOverTheChains() {
        assertThat(network("preset = arbitrum, " + HOSTED).head().maxAgeMillis())
                .isEqualTo(3_000);
        assertThat(network("preset = arbitrum, " + HOSTED).health().maxLag()).isEqualTo(120);
    }

    @Test
    void aPresetOfTheDefaultsIsForEachNetwork() {
        NetworkConfig network = load("defaults.network.preset = gnosis\nnetworks.a { " + UPSTREAM + " }")
                .networks()
                .get("a");
        assertThat(network.chainId()).isEqualTo("100");
        assertThat(network.family()).isEqualTo(Family.GNOSIS);
    }

    @Test
    void theFamilyNoneHasNoHashing() {
        assertThat(network("chain-id = 295, family = none, " + UPSTREAM).hashing())
                .isEqualTo(Hashing.NONE);
        assertThat(network("chain-id = 295, " + UPSTREAM).hashing()).isEqualTo(Hashing.AUTO);
    }
}
