package io.weir.jsonrpc.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldedNameTest {

    @ParameterizedTest
    @CsvSource({
        "blockHash, BLOCKHASH",
        "blockhash, bloc\u212Ahash",
        "status, \u017Ftatus",
        "input, \u0130nput",
        "input, \u0131nput"
    })
    void namesThatDifferOnlyInCaseAreOne(String name, String other) {
        assertThat(FoldedName.of(other)).isEqualTo(FoldedName.of(name));
    }

    @Test
    void otherNamesStayApart() {
        assertThat(FoldedName.of("gas")).isNotEqualTo(FoldedName.of("gasUsed"));
        assertThat(FoldedName.of("")).isEmpty();
    }
}
