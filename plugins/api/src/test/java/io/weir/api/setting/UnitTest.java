package io.weir.api.setting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitTest {

    @ParameterizedTest
    @CsvSource({"250 ms, 250", "1.5s, 1500", "2 m, 120000", "1 hour, 3600000", "1 d, 86400000", "0, 0", "999 us, 0"})
    void durationsAreInMilliseconds(String text, long millis) {
        assertThat(Unit.DURATION.parse(text)).hasValue(millis);
    }

    @ParameterizedTest
    @CsvSource({"5 B, 5", "5 KiB, 5120", "5 kB, 5000", "1.5 MiB, 1572864", "1G, 1073741824", "0, 0"})
    void sizesAreInBytes(String text, long bytes) {
        assertThat(Unit.SIZE.parse(text)).hasValue(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "5x", "s", "5 MiB", "-5 s", "5 S", "5 s 1", "1e3 s", "99999999999999999999 d", "5,5 s"})
    void aTextThatIsNotADurationHasNoValue(String text) {
        assertThat(Unit.DURATION.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 s", "MiB", "-5 B", "5 Mib", "99999999999999 YiB"})
    void aTextThatIsNotASizeHasNoValue(String text) {
        assertThat(Unit.SIZE.parse(text)).isEmpty();
    }
}
