package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.verify.Verification.Kind;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tells lies about recorded blocks of each family: each about a covered member is caught, the others are not wrong. Of a family
 * whose rule was only read, a caught lie is unverifiable.
 */
@Execution(ExecutionMode.CONCURRENT)
class FamilyLiesTest {

    private final LieTeller teller = new LieTeller();

    @ParameterizedTest
    @CsvSource({
        "op-mainnet-154497277, OP, 200",
        "op-mainnet-107728767, OP, 200",
        "op-sepolia-17664000, OP, 100",
        "arbitrum-one-150000000, ARBITRUM, 2000",
        "polygon-50000000, POLYGON, 10",
        "bsc-19410524, BSC, 200",
        "aura-sokol-3, GNOSIS, 2000",
        "scroll-14919991, SCROLL, 2000",
        "scroll-devnet-5343513301-1, SCROLL, 2000",
        "hyperevm-50000, ETHEREUM, 2000"
    })
    void aLieAboutABlockIsCaughtIfARootCoversTheMember(String name, ChainFamily family, int others) {
        FamilyVectors vectors = FamilyVectors.read(name).completed().derived(family);
        assertProven(vectors.block(family));
        LieExpectation expectation = new LieExpectation(vectors, family);
        for (Lie lie : teller.lies(vectors.block(), vectors, others)) {
            teller.tell(lie, expectation.inBlock(lie), () -> vectors.block(family));
        }
        assertProven(vectors.block(family));
        assertThat(teller.covered()).as("lies about covered members").isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "op-mainnet-154497277, OP, 400, true",
        "arbitrum-one-150000000, ARBITRUM, 2000, true",
        "polygon-50000000, POLYGON, 10, false",
        "hyperevm-50000, ETHEREUM, 2000, false"
    })
    void aLieAboutReceiptsIsWrongIfARootCoversTheMember(String name, ChainFamily family, int others, boolean more) {
        FamilyVectors vectors = FamilyVectors.read(name).completed();
        ProvenBlock block = ((Verification.Proven<ProvenBlock>) vectors.block(family)).value();
        LieExpectation expectation = new LieExpectation(vectors, family);
        for (Lie lie : teller.lies(vectors.receipts(), vectors, others)) {
            teller.tell(lie, expectation.inReceipts(lie), () -> ReceiptsProof.check(vectors.receipts(), block, family));
        }
        assertProven(ReceiptsProof.check(vectors.receipts(), block, family));
        assertThat(teller.covered()).as("lies about covered members").isPositive();
        assertThat(teller.uncovered() > 0).as("lies about uncovered members").isEqualTo(more);
    }

    private static void assertProven(Verification<?> result) {
        assertThat(result.kind()).as(result.detail()).isEqualTo(Kind.PROVEN);
    }
}
