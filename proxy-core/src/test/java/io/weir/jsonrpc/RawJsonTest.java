package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawJsonTest {

    /** Wherever three characters stand in which values of one length differ. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void valuesThatDifferHaveDifferentHashes(int others) {
        int values = 36 * 36 * 36;
        for (int before = 0; before <= others; before++) {
            Set<Integer> hashes = new HashSet<>();
            for (int i = values; i < 2 * values; i++) {
                String differs = Integer.toString(i, 36).substring(1);
                String value = "x".repeat(before) + differs + "x".repeat(others - before);
                hashes.add(RawJson.of('"' + value + '"').hashCode());
            }
            // Of so many, chance alone gives about one pair.
            assertThat(hashes).as("behind %d others", before).hasSizeGreaterThan(values - 20);
        }
    }

    /**
     * A difference in the uppermost bits of one word must not be taken back by one in the next: values of one hash could be made without
     * knowing the secret.
     */
    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x20, 0x10, 0x50, 0x60})
    void noDifferenceInTheNextWordTakesBackOneInAWord(int difference) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int same = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] one = random.ints(32, 0x20, 0x7f)
                    .mapToObj(c -> String.valueOf((char) c))
                    .collect(Collectors.joining())
                    .getBytes(UTF_8);
            byte[] other = one.clone();
            other[7] ^= (byte) difference;
            other[11] ^= (byte) difference;
            other[15] ^= (byte) difference;
            same += RawJson.of(one).hashCode() == RawJson.of(other).hashCode() ? 1 : 0;
        }
        // Chance alone gives none.
        assertThat(same).as("seed %d", seed).isLessThan(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 100})
    void equalValuesHaveOneHashWhereverTheyStand(int before) {
        String value = "[\"0x12\",\"latest\"]";
        byte[] array = ("x".repeat(before) + value + "rest").getBytes(UTF_8);
        RawJson slice = RawJson.slice(array, before, value.length());
        assertThat(slice).isEqualTo(RawJson.of(value)).hasSameHashCodeAs(RawJson.of(value));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 10, 4_711, Long.MAX_VALUE})
    void aNumberIsRecognisedByItsDigits(long number) {
        assertThat(RawJson.of(Long.toString(number)).isNumber(number)).isTrue();
        assertThat(RawJson.slice(
                                ("1" + number + "1").getBytes(UTF_8),
                                1,
                                Long.toString(number).length())
                        .isNumber(number))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 10, 4_711, 999_999_999_999_999_999L})
    void aNumberIsReadFromItsDigits(long number) {
        String digits = Long.toString(number);
        assertThat(RawJson.slice(("1" + digits + "1").getBytes(UTF_8), 1, digits.length())
                        .toNumber())
                .isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7 ", " 7", "-7", "7.0", "7e0", "\"7\"", "null", "1000000000000000000"})
    void noNumberIsReadFromOtherTexts(String text) {
        assertThat(RawJson.of(text).toNumber()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "07", "7 ", " 7", "-7", "7.0", "7e0", "17", "71", "\"7\"", "null"})
    void anyOtherTextIsNotTheNumber(String text) {
        assertThat(RawJson.of(text).isNumber(7)).isFalse();
    }
}
