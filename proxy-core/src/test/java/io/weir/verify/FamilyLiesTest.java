package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.verify.Verification.Kind;
import io.weir.verify.family.ChainFamily;
import io.weir.verify.family.TransactionLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tells lies about recorded blocks of each family: those about covered members are wrong, the others are not. */
class FamilyLiesTest {

    private static final Pattern TRANSACTION = Pattern.compile("^\\.transactions\\[(\\d+)](?:\\.(\\w+))?.*");
    private static final Pattern RECEIPT = Pattern.compile("^\\[(\\d+)](?:\\.(\\w+))?.*");
    private static final Set<String> POSITION =
            Set.of("hash", "type", "blockHash", "blockNumber", "transactionIndex", "blockTimestamp");

    /** Members that some types may lack, or that mean the same if they are missing. */
    private static final Set<String> OPTIONAL =
            Set.of("isSystemTx", "mint", "to", "retryTo", "withdrawals", "sendRoot", "sendCount", "l1BlockNumber");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private int covered;
    private int uncovered;

    @ParameterizedTest
    @CsvSource({
        "op-mainnet-154497277, OP, 2000",
        "op-mainnet-107728767, OP, 2000",
        "op-sepolia-17664000, OP, 500",
        "arbitrum-one-150000000, ARBITRUM, 2000",
        "polygon-50000000, POLYGON, 40",
        "scroll-devnet-5343513301-1, SCROLL, 2000",
        "hyperevm-50000, ETHEREUM, 2000"
    })
    void aLieAboutABlockIsWrongIfARootCoversTheMember(String name, ChainFamily family, int most) {
        FamilyVectors vectors = FamilyVectors.read(name).completed();
        for (Lie lie : some(vectors.block(), most)) {
            told(lie, isUncoveredInBlock(lie, vectors, family), () -> vectors.block(family));
        }
        assertThat(vectors.block(family).kind()).isEqualTo(Kind.PROVEN);
        assertThat(covered).as("lies about covered members").isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "op-mainnet-154497277, OP, 2000, true",
        "arbitrum-one-150000000, ARBITRUM, 2000, true",
        "polygon-50000000, POLYGON, 40, false",
        "hyperevm-50000, ETHEREUM, 2000, false"
    })
    void aLieAboutReceiptsIsWrongIfARootCoversTheMember(String name, ChainFamily family, int most, boolean more) {
        FamilyVectors vectors = FamilyVectors.read(name).completed();
        ProvenBlock block = ((Verification.Proven<ProvenBlock>) vectors.block(family)).value();
        for (Lie lie : some(vectors.receipts(), most)) {
            told(
                    lie,
                    isUncoveredInReceipt(lie, vectors, family),
                    () -> ReceiptsProof.check(vectors.receipts(), block, family));
        }
        assertThat(covered).as("lies about covered members").isPositive();
        assertThat(uncovered > 0).as("lies about uncovered members").isEqualTo(more);
    }

    private List<Lie> some(JsonNode tree, int most) {
        List<Lie> lies = new ArrayList<>(Lie.about(tree));
        Collections.shuffle(lies, random);
        return lies.subList(0, Math.min(lies.size(), most));
    }

    private void told(Lie lie, boolean passes, Supplier<? extends Verification<?>> check) {
        if (lie.kind() == Lie.Kind.ABSENT && OPTIONAL.contains(lie.member())) {
            return;
        }
        lie.tell().run();
        Verification<?> result = check.get();
        if (passes) {
            uncovered++;
            assertThat(result.kind())
                    .as("%s, seed %d: %s", lie, seed, result.detail())
                    .isNotEqualTo(Kind.WRONG);
        } else if (lie.kind() != Lie.Kind.ABSENT && !isUnknownType(result)) {
            covered++;
            assertThat(result.kind())
                    .as("%s, seed %d: %s", lie, seed, result.detail())
                    .isEqualTo(Kind.WRONG);
        } else if (!Lie.MAY_BE_ABSENT.contains(lie.member())) {
            assertThat(result.kind())
                    .as("%s, seed %d: %s", lie, seed, result.detail())
                    .isNotEqualTo(Kind.PROVEN);
        }
        lie.takeBack().run();
    }

    private static boolean isUnknownType(Verification<?> result) {
        return result.detail().startsWith("transaction type");
    }

    private static boolean isUncoveredInBlock(Lie lie, FamilyVectors vectors, ChainFamily family) {
        Matcher path = TRANSACTION.matcher(lie.path());
        if (!path.matches()) {
            return Lie.UNCOVERED.contains(lie.member())
                    || family.uncovered().block().contains(lie.member());
        }
        String member = path.group(2);
        if (member == null) {
            return false;
        }
        JsonNode transaction = vectors.block().get("transactions").path(Integer.parseInt(path.group(1)));
        TransactionLayout layout = layout(transaction, family);
        if (layout == null) {
            boolean dynamic = transaction.path("type").asString("").equals("0x2");
            return !ObjectForm.TRANSACTION.covered().contains(member)
                    || (family.uncovered().transaction().contains(member) && dynamic);
        }
        return !(layout.has(member) || POSITION.contains(member) || isSender(layout, member));
    }

    private static boolean isSender(TransactionLayout layout, String member) {
        return layout.sender() != null && member.equals("from");
    }

    private static TransactionLayout layout(JsonNode transaction, ChainFamily family) {
        return family.layout(Integer.decode(transaction.path("type").asString("0x0")));
    }

    private static boolean isUncoveredInReceipt(Lie lie, FamilyVectors vectors, ChainFamily family) {
        Matcher path = RECEIPT.matcher(lie.path());
        if (!path.matches() || path.group(2) == null) {
            return false;
        }
        String member = path.group(2);
        TransactionLayout layout = layout(vectors.transaction(Integer.parseInt(path.group(1))), family);
        boolean follows = Set.of("effectiveGasPrice", "contractAddress").contains(member);
        boolean called = layout != null
                && !layout.has("to")
                && Set.of("to", "contractAddress").contains(member);
        boolean ownPrice = layout != null && follows && !member.equals("contractAddress");
        return called
                || ownPrice
                || Lie.UNCOVERED.contains(member)
                || family.uncovered().receipt().contains(member);
    }
}
