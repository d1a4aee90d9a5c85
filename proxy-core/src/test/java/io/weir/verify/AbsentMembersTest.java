package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Members that follow from what is proven, and are null or missing in an answer. */
class AbsentMembersTest {

    private static final ChainVectors CHAIN = new ChainVectors();

    /** Readers take a receipt with such a member for one without it. */
    private static final Set<String> NULL_HAS_A_MEANING = Set.of("contractAddress");

    private static boolean hasBaseFee(JsonNode block) {
        return block.has("baseFeePerGas");
    }

    private static Verification<?> block(ObjectNode block) {
        return BlockProof.block(block, null, ChainFamily.ETHEREUM);
    }

    private static Verification<?> receipts(ObjectNode block, ArrayNode receipts) {
        ProvenBlock proven =
                ((Verification.Proven<ProvenBlock>) BlockProof.block(block, null, ChainFamily.ETHEREUM)).value();
        return ReceiptsProof.check(receipts, proven, ChainFamily.ETHEREUM);
    }

    private static boolean isOfTypes(JsonNode object, String types) {
        return Arrays.asList(types.split(" ")).contains(object.get("type").stringValue());
    }

    private static boolean isIn(JsonNode block, String fork) {
        return switch (fork) {
            case "any" -> true;
            case "london" -> hasBaseFee(block);
            default -> !hasBaseFee(block);
        };
    }

    @Test
    void aCoveredMemberThatIsNullWhereItHasAValueIsFalse() {
        for (ObjectNode block : CHAIN.blocks()) {
            for (JsonNode item : block.get("transactions")) {
                ObjectNode transaction = (ObjectNode) item;
                for (String name : valued(transaction)) {
                    JsonNode value = transaction.get(name);
                    transaction.putNull(name);
                    assertThat(block(block)).as("%s in %s", name, transaction).isInstanceOf(Verification.Wrong.class);
                    transaction.set(name, value);
                }
                if (transaction.get("transactionIndex").stringValue().length() > 3) {
                    break;
                }
            }
            ArrayNode receipts = CHAIN.receipts(block);
            if (receipts.isEmpty() || receipts.size() > 20) {
                continue;
            }
            ObjectNode receipt = (ObjectNode) receipts.get(receipts.size() - 1);
            for (String name : valued(receipt)) {
                JsonNode value = receipt.get(name);
                receipt.putNull(name);
                Verification<?> finding = receipts(block, receipts);
                if (NULL_HAS_A_MEANING.contains(name)) {
                    boolean failed = receipt.path("status").asString("").equals("0x0");
                    assertThat(finding instanceof Verification.Proven<?>)
                            .as("%s in %s", name, receipt)
                            .isEqualTo(failed);
                } else {
                    assertThat(finding).as("%s in %s", name, receipt).isInstanceOf(Verification.Wrong.class);
                }
                receipt.set(name, value);
            }
        }
    }

    /** An uncovered member, or an object's spelling that no reader relies on, is none of these. */
    private static List<String> valued(ObjectNode object) {
        return object.propertyStream()
                .filter(one -> !one.getValue().isNull())
                .map(one -> one.getKey())
                .filter(name -> !name.equals("blobGasPrice"))
                .filter(name -> !(name.equals("yParity") && isOfTypes(object, "0x0")))
                .filter(name -> !(object.get(name).isArray() && object.get(name).isEmpty() && isOfTypes(object, "0x0")))
                .filter(name -> !(name.equals("blobGasUsed") && !isOfTypes(object, "0x3")))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "type, 0x0, before, PROVEN",
        "type, 0x0, london, WRONG",
        "type, 0x1 0x2 0x3 0x4, any, WRONG",
        "v, 0x0, any, WRONG",
        "v, 0x1 0x2 0x3 0x4, any, UNVERIFIABLE",
        "yParity, 0x1 0x2, any, PROVEN",
        "yParity, 0x4, any, WRONG",
        "gasPrice, 0x2 0x3 0x4, any, UNVERIFIABLE",
        "chainId, 0x0, any, PROVEN",
        "blockTimestamp, 0x0 0x1 0x2 0x3 0x4, any, PROVEN"
    })
    void aTransactionWithoutAMember(String name, String types, String fork, Expected expected) {
        int seen = 0;
        for (ObjectNode block : CHAIN.blocks()) {
            Predicate<JsonNode> which = one -> one.has(name) && isOfTypes(one, types) && isIn(block, fork);
            for (JsonNode transaction : block.get("transactions")) {
                if (which.test(transaction) && seen < 50) {
                    JsonNode value = ((ObjectNode) transaction).remove(name);
                    assertThat(block(block)).as("%s in %s", name, transaction).isInstanceOf(expected.finding);
                    ((ObjectNode) transaction).set(name, value);
                    seen++;
                }
            }
        }
        assertThat(seen).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "type, 0x0, before, PROVEN",
        "type, 0x0, london, UNVERIFIABLE",
        "type, 0x1 0x2 0x3 0x4, any, UNVERIFIABLE",
        "effectiveGasPrice, 0x0, before, UNVERIFIABLE",
        "effectiveGasPrice, 0x0 0x1 0x2 0x3 0x4, london, WRONG",
        "blobGasUsed, 0x3, any, WRONG"
    })
    void aReceiptWithoutAMember(String name, String types, String fork, Expected expected) {
        int seen = 0;
        for (ObjectNode block : CHAIN.blocks()) {
            ArrayNode receipts = CHAIN.receipts(block);
            for (JsonNode receipt : receipts) {
                boolean fits = receipt.has(name) && isOfTypes(receipt, types) && isIn(block, fork);
                if (fits && seen < 50 && receipts.size() < 20) {
                    JsonNode value = ((ObjectNode) receipt).remove(name);
                    assertThat(receipts(block, receipts))
                            .as("%s in %s", name, receipt)
                            .isInstanceOf(expected.finding);
                    ((ObjectNode) receipt).set(name, value);
                    seen++;
                }
            }
        }
        assertThat(seen).isPositive();
    }

    @Test
    void aCreationBeforeByzantiumWithoutItsAddressIsIncomplete() {
        int seen = 0;
        for (ObjectNode block : CHAIN.blocks()) {
            ArrayNode receipts = CHAIN.receipts(block);
            for (JsonNode receipt : receipts) {
                if (receipt.hasNonNull("contractAddress") && receipt.hasNonNull("root")) {
                    JsonNode address = receipt.get("contractAddress");
                    ((ObjectNode) receipt).putNull("contractAddress");
                    assertThat(receipts(block, receipts)).isInstanceOf(Verification.Unverifiable.class);
                    ((ObjectNode) receipt).set("contractAddress", address);
                    seen++;
                }
            }
        }
        assertThat(seen).isPositive();
    }

    /** What comes of an answer. */
    enum Expected {
        PROVEN(Verification.Proven.class),
        WRONG(Verification.Wrong.class),
        UNVERIFIABLE(Verification.Unverifiable.class);

        private final Class<?> finding;

        Expected(Class<?> finding) {
            this.finding = finding;
        }
    }
}
