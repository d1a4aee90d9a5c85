package io.weir.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationTest {

    private final Network main = TestNetworks.network("main", "1", Set.of(), Map.of());
    private final Network side =
            TestNetworks.network("side", "2", Set.of("side.example.org", "side.localhost", "10.0.0.7"), Map.of());
    private final Network six = TestNetworks.network("six", "6", Set.of("[::1]", "[2001:db8::7]"), Map.of());
    private final Generation generation = TestNetworks.generation(main, side, six);

    @ParameterizedTest
    @CsvSource({
        "side.example.org, side",
        "side.example.org:8545, side",
        "SIDE.Example.ORG, side",
        "SIDE.Example.ORG:80, side",
        "side.localhost:, side",
        "side.example.org., side",
        "side.example.org.:8545, side",
        "side.example.org.., main",
        "[2001:DB8:0::7], six",
        "10.0.0.7, side",
        "10.0.0.7:8545, side",
        "[::1], six",
        "[::1]:8545, six",
        "[2001:DB8::7]:8545, six",
        "[2001:db8::8]:8545, main",
        "other.example.org, main",
        "example.org, main",
        "x.side.example.org, main",
        "side.example.org.evil.test, main",
        "127.0.0.1:8545, main",
    })
    void theHostHeadersNameChoosesTheNetwork(String host, String network) {
        assertThat(generation.networkForHost(host).id().name()).isEqualTo(network);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", ":", ":8545", "[", "]", "[::1", "::1"})
    void aHostThatIsNoneMeansTheDefaultNetwork(String host) {
        assertThat(generation.networkForHost(host)).isSameAs(main);
    }

    @Test
    void withoutAnyHostsEveryHostMeansTheDefaultNetwork() {
        assertThat(TestNetworks.generation(main).networkForHost("side.example.org"))
                .isSameAs(main);
    }

    @Test
    void aNetworkIsFoundByItsExactName() {
        assertThat(generation.network("side")).isSameAs(side);
        assertThat(generation.network("Side")).isNull();
        assertThat(generation.network("")).isNull();
        assertThat(generation.networks()).containsOnlyKeys("main", "side", "six");
    }

    @Test
    void aDefaultNetworkThatIsNotThereIsRejected() {
        Generation good = TestNetworks.generation(main);
        assertThatThrownBy(() -> new Generation(good.config(), good.keys(), Map.of("side", side)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("default-network: main (expected: one of [side])");
    }

    @Test
    void aPublishedGenerationServesFromThenOn() {
        CurrentGeneration current = new CurrentGeneration(generation);
        assertThat(current.get()).isSameAs(generation);
        Generation next = TestNetworks.generation(side);
        current.publish(next);
        assertThat(current.get()).isSameAs(next);
    }
}
