package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Right values in a form that some clients cannot read. */
class HexFormTest {

    private final ChainVectors chain = new ChainVectors();
    private final ObjectNode block = chain.blocks().stream()
            .filter(one -> one.get("transactions").valueStream().anyMatch(HexFormTest::isDynamic))
            .filter(one -> chain.receipts(one)
                    .valueStream()
                    .anyMatch(receipt -> !receipt.get("logs").isEmpty()))
            .findFirst()
            .orElseThrow();
    private final ArrayNode receipts = chain.receipts(block);
    private final ProvenBlock proven =
            ((Verification.Proven<ProvenBlock>) BlockProof.block(block, null, ChainFamily.ETHEREUM)).value();

    private static boolean isDynamic(JsonNode transaction) {
        return transaction.get("type").stringValue().equals("0x2");
    }

    private ObjectNode transaction() {
        return (ObjectNode) block.get("transactions")
                .valueStream()
                .filter(HexFormTest::isDynamic)
                .findFirst()
                .orElseThrow();
    }

    private ObjectNode receipt() {
        return (ObjectNode) receipts.valueStream()
                .filter(one -> !one.get("logs").isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static String padded(JsonNode value, int zeros) {
        return "0x" + "0".repeat(zeros) + value.stringValue().substring(2);
    }

    private static String upperCase(JsonNode value) {
        return "0x" + value.stringValue().substring(2).toUpperCase(Locale.ROOT);
    }

    private void assertBlockIsWrong(ObjectNode holder, String name, String text) {
        JsonNode value = holder.get(name);
        holder.put(name, text);
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM))
                .as("%s: %s", name, text)
                .isInstanceOf(Verification.Wrong.class);
        holder.set(name, value);
    }

    private Verification<?> ofReceipts() {
        return ReceiptsProof.check(receipts, proven, ChainFamily.ETHEREUM);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 70})
    void aQuantityWithLeadingZerosIsWrong(int zeros) {
        for (String name : List.of("number", "gasUsed", "gasLimit", "timestamp", "difficulty", "baseFeePerGas")) {
            assertBlockIsWrong(block, name, padded(block.get(name), zeros));
        }
        for (String name : List.of("nonce", "gas", "value", "type", "blockNumber", "maxFeePerGas", "gasPrice", "v")) {
            assertBlockIsWrong(transaction(), name, padded(transaction().get(name), zeros));
        }
        for (String name : List.of("gasUsed", "cumulativeGasUsed", "status", "effectiveGasPrice", "type")) {
            JsonNode value = receipt().get(name);
            receipt().put(name, padded(value, zeros));
            assertThat(ofReceipts()).as(name).isInstanceOf(Verification.Wrong.class);
            receipt().set(name, value);
        }
        assertThat(ofReceipts()).isInstanceOf(Verification.Proven.class);
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Proven.class);
    }

    @Test
    void aSignatureMayHaveLeadingZerosUpTo32Bytes() {
        for (String name : List.of("r", "s")) {
            JsonNode value = transaction().get(name);
            int digits = value.stringValue().length() - 2;
            assertBlockIsWrong(transaction(), name, padded(value, 65 - digits));
            transaction().put(name, padded(value, 64 - digits));
            assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Proven.class);
            transaction().set(name, value);
        }
    }

    @Test
    void hexInUpperCaseIsWrong() {
        for (String name : List.of("hash", "parentHash", "stateRoot", "transactionsRoot")) {
            assertBlockIsWrong(block, name, upperCase(block.get(name)));
        }
        for (String name : List.of("hash", "blockHash", "r", "s")) {
            assertBlockIsWrong(transaction(), name, upperCase(transaction().get(name)));
        }
        receipt().put("transactionHash", upperCase(receipt().get("transactionHash")));
        assertThat(ofReceipts()).isInstanceOf(Verification.Wrong.class);
    }

    @Test
    void anAddressMayHaveItsChecksum() {
        receipt().put("from", upperCase(receipt().get("from")));
        transaction().put("from", upperCase(transaction().get("from")));
        block.put("miner", upperCase(block.get("miner")));
        assertThat(ofReceipts()).isInstanceOf(Verification.Proven.class);
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Proven.class);
    }

    @Test
    void aTimeAsAJsonNumberIsRightInReceiptsAndAnotherFormElsewhere() {
        long time = Long.decode(block.get("timestamp").stringValue());
        receipt().put("blockTimestamp", time);
        assertThat(ofReceipts()).isInstanceOf(Verification.Proven.class);
        ObjectNode log = (ObjectNode) receipt().get("logs").get(0);
        log.put("blockTimestamp", time);
        assertThat(ofReceipts()).isInstanceOf(Verification.Unverifiable.class);
        transaction().put("blockTimestamp", time);
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Unverifiable.class);
    }

    @Test
    void aReceiptInTheFormOfAnotherChainCannotBeVerified() {
        ObjectNode receipt = receipt();
        ObjectNode asItIs = receipt.deepCopy();
        List<Consumer<ObjectNode>> forms = List.of(
                one -> one.remove("type"),
                one -> one.put("contractAddress", "0x" + "0".repeat(40)),
                one -> one.put("root", "0x"),
                one -> one.put("status", true),
                one -> one.put("type", 0),
                one -> one.put("gasUsed", 21_000));
        for (Consumer<ObjectNode> form : forms) {
            form.accept(receipt);
            assertThat(ofReceipts()).as("%s", receipt).isInstanceOf(Verification.Unverifiable.class);
            receipt.setAll(asItIs);
            receipt.remove("root");
            assertThat(ofReceipts()).isInstanceOf(Verification.Proven.class);
        }
    }

    @Test
    void aBlockWithNumbersInPlaceOfQuantitiesCannotBeVerified() {
        block.put("number", Long.decode(block.get("number").stringValue()));
        assertThat(BlockProof.block(block, null, ChainFamily.ETHEREUM)).isInstanceOf(Verification.Unverifiable.class);
    }
}
