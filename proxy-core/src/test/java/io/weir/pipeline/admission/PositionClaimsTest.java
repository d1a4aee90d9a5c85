package io.weir.pipeline.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.AnswerFacts;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What upstreams said of the position of a transaction, compared with a proven block: number 7, with two transactions. */
class PositionClaimsTest {

    private static final String METHOD = "eth_getTransactionReceipt";
    private static final List<String> TRANSACTIONS = List.of("0xa", "0xb");
    private static final String BLOCK = "0x7";

    private final List<String> blamed = new ArrayList<>();
    private final PositionClaims claims = new PositionClaims(
            new MisbehaviourTracker("net", Hashing.ETHEREUM, false, (id, flaw, detail, costs) -> blamed.add(id)));

    private void claim(String upstream, String transaction, String block, long number, long index, boolean isFinal) {
        claims.note(upstream, METHOD, new AnswerFacts(number, block, null, transaction, index, (byte) 0), isFinal);
    }

    private void compare(boolean canonical) {
        claims.compare(7, BLOCK, TRANSACTIONS, canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "0xb, 7, 1, false",
        "0xb, 7, 0, true",
        "0xb, 8, 1, true",
        "0xc, 7, 1, true",
    })
    void aClaimAboutTheBlockIsTrueIfEverythingFits(String transaction, long number, long index, boolean isBlamed) {
        claim("a", transaction, BLOCK, number, index, false);
        compare(false);
        assertThat(blamed).hasSize(isBlamed ? 1 : 0);
        assertThat(claims.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
    void aClaimAboutAnotherBlockIsFalseOnlyIfBothWereFinal(boolean canonical, boolean isFinal, boolean isBlamed) {
        claim("a", "0xb", "0x8", 8, 1, isFinal);
        claim("b", "0xc", "0x8", 8, 1, true);
        compare(canonical);
        assertThat(blamed).isEqualTo(isBlamed ? List.of("a") : List.of());
        assertThat(claims.isEmpty()).isFalse();
    }

    @Test
    void ofEachUpstreamTheLastClaimCountsOnce() {
        claim("a", "0xb", BLOCK, 7, 0, false);
        claim("b", "0xb", BLOCK, 7, 0, false);
        claim("b", "0xb", BLOCK, 7, 1, false);
        compare(false);
        compare(false);
        assertThat(blamed).containsExactly("a");
    }

    @Test
    void anAnswerWithoutAPositionClaimsNothing() {
        claim("a", "0xb", BLOCK, 7, -1, false);
        claim("a", null, BLOCK, 7, 0, false);
        compare(true);
        assertThat(blamed).isEmpty();
    }

    @Test
    void claimsAboutAReplacedChainAreForgotten() {
        claim("a", "0xb", BLOCK, 7, 0, false);
        claims.forget();
        compare(true);
        assertThat(blamed).isEmpty();
    }
}
