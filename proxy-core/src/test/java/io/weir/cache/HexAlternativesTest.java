package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HexAlternativesTest {

    private static String address(Random random) {
        return String.format("0x7a250d5630b4cf539739df2c5dacb4c659f2%04x", random.nextInt(600));
    }

    /** A few alternatives are compared in turn, more are looked up, with the same result. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 16, 17, 300})
    void aValueIsAllowedIfItIsOneOfThemInEitherCase(int count) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> allowed = new ArrayList<>();
        random.ints(count).forEach(i -> allowed.add(address(random)));
        HexAlternatives alternatives = HexAlternatives.of(
                allowed.stream().map(text -> RawJson.of('"' + text + '"')).toList());

        assertThat(alternatives.isEmpty()).isEqualTo(count == 0);
        for (int i = 0; i < 2_000; i++) {
            String value = address(random);
            String written =
                    random.nextBoolean() ? value : "0x" + value.substring(2).toUpperCase(Locale.ROOT);
            assertThat(alternatives.allow(RawJson.of('"' + written + '"')))
                    .as("seed %d: %s of %s", seed, written, allowed)
                    .isEqualTo(count == 0 || allowed.contains(value));
        }
        for (String other :
                List.of("null", "\"\"", "\"0x\"", "7", "[]", "\"0x7a250d5630b4cf539739df2c5dacb4c659f2zzzz\"")) {
            assertThat(alternatives.allow(RawJson.of(other))).as(other).isEqualTo(count == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 300})
    void anEmptyBloomRulesOutFewAlternativesAndIsNotAskedAboutMany(int count) {
        List<RawJson> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(RawJson.of('"' + String.format("0x%040x", i) + '"'));
        }
        RawJson none = RawJson.of("\"0x" + "0".repeat(512) + '"');
        RawJson all = RawJson.of("\"0x" + "f".repeat(512) + '"');

        assertThat(HexAlternatives.of(values).mayBeIn(none, 0)).isEqualTo(count > 16);
        assertThat(HexAlternatives.of(values).mayBeIn(all, 0)).isTrue();
    }
}
