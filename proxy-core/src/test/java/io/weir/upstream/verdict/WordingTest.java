package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordingTest {

    @ParameterizedTest
    @CsvSource({
        "revert, execution reverted, true",
        "revert, irreverent, false",
        "revert, irreverent revert, true",
        "rate, eth_rate is not there, false",
        "rate, (rate), true",
        "state * not available, state 0x11 is not available, true",
        "state * not available, not available state, false",
        "state * not available, estate is not available, false",
        "safe * not found, the safe block was not found, true"
    })
    void aPhraseBeginsAtAWordAndLeavesGapsWhereItHasStars(String phrase, String text, boolean found) {
        assertThat(Wording.of("never said", phrase).in(text)).isEqualTo(found);
    }
}
