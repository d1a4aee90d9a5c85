package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hash32;
import io.weir.verify.Verification.Kind;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tells lies about recorded transactions and receipts whose block is not recorded, or not whole. */
class LoneLiesTest {

    /** Members of receipts that neither their root nor their order covers. */
    private static final Pattern UNHASHED = Pattern.compile("\\[\\d+]\\.(transactionHash|depositNonce)");

    private static final Set<Lie.Kind> READABLE =
            Set.of(Lie.Kind.VALUE, Lie.Kind.DROPPED, Lie.Kind.REPEATED, Lie.Kind.SWAPPED);

    private final LieTeller teller = new LieTeller();

    @ParameterizedTest
    @CsvSource({
        "arbitrum-one-retryable-0x69-0x68, ARBITRUM",
        "celo-mainnet-tx-0x7b, CELO",
        "celo-mainnet-31071493-raw, CELO",
        "celo-sepolia-2346450-raw, CELO",
        "linea-861353-partial, ETHEREUM"
    })
    void aLieAboutATransactionIsCaughtIfItsHashCoversTheMember(String name, ChainFamily family) {
        FamilyVectors vectors = FamilyVectors.read(name);
        if (name.endsWith("raw")) {
            vectors.decoded();
        } else if (name.startsWith("celo")) {
            // The source made up the sender of this one.
            vectors.transaction(1).remove("from");
        }
        vectors.withoutPlaces().derived(family);
        LieExpectation expectation = new LieExpectation(vectors, family);
        for (JsonNode transaction : vectors.transactions()) {
            assertProven(transaction, family);
            for (Lie lie : Lie.about(transaction)) {
                Kind expected = expectation.alone(lie, transaction);
                teller.tell(lie, expected, () -> TransactionProof.check(transaction, null, family));
            }
            assertProven(transaction, family);
        }
        assertThat(teller.covered()).as("lies about covered members").isPositive();
    }

    @ParameterizedTest
    @CsvSource({"op-receipts-regolith, OP", "celo-cip64-receipt-encoding, CELO"})
    void aLieAboutReceiptsChangesTheirRootIfItCoversTheMember(String name, ChainFamily family)
            throws UnprovenException {
        JsonNode receipts = FamilyVectors.read(name).receipts();
        Hash32 root = Hash32.fromHex(LoneReceipts.root(receipts, family));
        for (Lie lie : Lie.about(receipts)) {
            if (READABLE.contains(lie.kind())) {
                boolean hashed = !UNHASHED.matcher(lie.path()).matches();
                lie.tell().run();
                assertThat(hasRoot(receipts, family, root)).as(lie.toString()).isNotEqualTo(hashed);
                lie.takeBack().run();
            }
        }
        assertThat(hasRoot(receipts, family, root)).isTrue();
    }

    /** Returns false also if the receipts cannot be read. */
    private static boolean hasRoot(JsonNode receipts, ChainFamily family, Hash32 root) {
        try {
            return LoneReceipts.root(receipts, family).equals(root.hex());
        } catch (IllegalArgumentException | UnprovenException e) {
            return false;
        }
    }

    private static void assertProven(JsonNode transaction, ChainFamily family) {
        Verification<?> result = TransactionProof.check(transaction, null, family);
        assertThat(result.kind()).as(result.detail()).isEqualTo(Kind.PROVEN);
    }
}
