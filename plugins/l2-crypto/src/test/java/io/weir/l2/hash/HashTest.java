package io.weir.l2.hash;

import static io.weir.l2.Vectors.felt;
import static io.weir.l2.Vectors.felts;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.Vectors;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class HashTest {
    @Test
    void pedersenHashesAreThePublishedOnes() {
        JsonNode cases = Vectors.transcribed("pedersen").path("cases");
        assertThat(cases).hasSize(7);
        cases.forEach(triple -> assertThat(Pedersen.hash(felt(triple.path(0)), felt(triple.path(1))))
                .isEqualTo(felt(triple.path(2))));
        JsonNode older =
                Vectors.json("starkex-resources/signature_test_data.json").path("hash_test");
        assertThat(older).hasSize(2);
        older.forEach(test -> assertThat(Pedersen.hash(felt(test.path("input_1")), felt(test.path("input_2"))))
                .isEqualTo(felt(test.path("output"))));
    }

    @Test
    void pedersenHashesOfListsAreThePublishedOnes() {
        JsonNode cases = Vectors.transcribed("pedersen_on_elements").path("cases");
        assertThat(cases).hasSize(3);
        for (JsonNode test : cases) {
            JsonNode file = test.path("elements_file");
            JsonNode elements = file.isString() ? Vectors.json(file.stringValue()) : test.path("elements");
            assertThat(Pedersen.hashMany(felts(elements))).isEqualTo(felt(test.path("hash")));
        }
    }

    @Test
    void poseidonHashesAreThePublishedOnes() {
        JsonNode poseidon = Vectors.transcribed("poseidon");
        poseidon.path("hash1")
                .forEach(test -> assertThat(Poseidon.hash(felt(test.path(0)))).isEqualTo(felt(test.path(1))));
        poseidon.path("hash2")
                .forEach(test -> assertThat(Poseidon.hash(felt(test.path(0)), felt(test.path(1))))
                        .isEqualTo(felt(test.path(2))));
        poseidon.path("hashMany")
                .forEach(test ->
                        assertThat(Poseidon.hashMany(felts(test.path("in")))).isEqualTo(felt(test.path("out"))));
        assertThat(List.of(
                        poseidon.path("hash1").size(),
                        poseidon.path("hash2").size(),
                        poseidon.path("hashMany").size()))
                .containsExactly(2, 2, 2);
    }

    @Test
    void theRoundKeysAreThePublishedOnes() {
        List<String> numbers = Pattern.compile("\\d{60,}")
                .matcher(Vectors.text("scure-starknet/poseidon3.txt"))
                .results()
                .map(result -> result.group())
                .toList();
        assertThat(numbers).hasSize(Hades.ROUNDS * Hades.WIDTH);
        for (int number = 0; number < numbers.size(); number++) {
            assertThat(Hades.roundKey(number / Hades.WIDTH, number % Hades.WIDTH))
                    .as("round key %d", number)
                    .hasToString(numbers.get(number));
        }
    }

    @Test
    void aFunctionHasTheSelectorThatClientsSend() {
        assertThat(Selector.of("transfer").toHex())
                .isEqualTo("0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e");
        assertThat(Selector.of("myFunction").toHex())
                .isEqualTo("0xc14cfe23f3fa7ce7b1f8db7d7682305b1692293f71a61cc06637f0d8d8b6c8");
    }

    @Test
    void theOrderOfInputsCounts() {
        assertThat(Pedersen.hash(Felt.ZERO, Felt.ONE)).isNotEqualTo(Pedersen.hash(Felt.ONE, Felt.ZERO));
        assertThat(Poseidon.hash(Felt.ZERO, Felt.ONE)).isNotEqualTo(Poseidon.hash(Felt.ONE, Felt.ZERO));
        assertThat(Poseidon.hashMany(List.of(Felt.ONE))).isNotEqualTo(Poseidon.hash(Felt.ONE));
    }
}
