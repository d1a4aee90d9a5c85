package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The objects that the service promises, field by field with the form of each. */
final class ServiceShapes {

    private static final Predicate<JsonNode> QUANTITY = matching("0x(0|[1-9a-f][0-9a-f]*)");
    private static final Predicate<JsonNode> DATA = matching("0x([0-9a-f]{2})*");
    private static final Predicate<JsonNode> BYTES_8 = bytes(8);
    private static final Predicate<JsonNode> ADDRESS = bytes(20);
    private static final Predicate<JsonNode> HASH = bytes(32);
    private static final Predicate<JsonNode> BLOOM = bytes(256);
    private static final Predicate<JsonNode> FLAG = JsonNode::isBoolean;
    private static final Predicate<JsonNode> HASHES = arrayOf(HASH);
    private static final Predicate<JsonNode> ACCESS_LIST =
            arrayOf(entry -> ADDRESS.test(entry.path("address")) && HASHES.test(entry.path("storageKeys")));

    private static final Map<String, Predicate<JsonNode>> HEADER = Map.ofEntries(
            Map.entry("difficulty", QUANTITY),
            Map.entry("extraData", DATA),
            Map.entry("gasLimit", QUANTITY),
            Map.entry("gasUsed", QUANTITY),
            Map.entry("hash", HASH),
            Map.entry("logsBloom", BLOOM),
            Map.entry("miner", ADDRESS),
            Map.entry("mixHash", HASH),
            Map.entry("nonce", BYTES_8),
            Map.entry("number", QUANTITY),
            Map.entry("parentHash", HASH),
            Map.entry("receiptsRoot", HASH),
            Map.entry("sha3Uncles", HASH),
            Map.entry("size", QUANTITY),
            Map.entry("stateRoot", HASH),
            Map.entry("timestamp", QUANTITY),
            Map.entry("totalDifficulty", QUANTITY.or(JsonNode::isNull)),
            Map.entry("transactionsRoot", HASH),
            Map.entry("uncles", HASHES));

    private static final Map<String, Predicate<JsonNode>> TRANSACTION = Map.ofEntries(
            Map.entry("blockHash", HASH),
            Map.entry("blockNumber", QUANTITY),
            Map.entry("from", ADDRESS),
            Map.entry("gas", QUANTITY),
            Map.entry("gasPrice", QUANTITY),
            Map.entry("hash", HASH),
            Map.entry("input", DATA),
            Map.entry("nonce", QUANTITY),
            Map.entry("r", QUANTITY),
            Map.entry("s", QUANTITY),
            Map.entry("to", ADDRESS.or(JsonNode::isNull)),
            Map.entry("transactionIndex", QUANTITY),
            Map.entry("type", QUANTITY),
            Map.entry("v", QUANTITY),
            Map.entry("value", QUANTITY));

    private static final Map<String, Predicate<JsonNode>> RECEIPT = Map.ofEntries(
            Map.entry("blockHash", HASH),
            Map.entry("blockNumber", QUANTITY),
            Map.entry("contractAddress", ADDRESS.or(JsonNode::isNull)),
            Map.entry("cumulativeGasUsed", QUANTITY),
            Map.entry("effectiveGasPrice", QUANTITY),
            Map.entry("from", ADDRESS),
            Map.entry("gasUsed", QUANTITY),
            Map.entry("logs", JsonNode::isArray),
            Map.entry("logsBloom", BLOOM),
            Map.entry("to", ADDRESS.or(JsonNode::isNull)),
            Map.entry("transactionHash", HASH),
            Map.entry("transactionIndex", QUANTITY),
            Map.entry("type", QUANTITY));

    private static final Map<String, Predicate<JsonNode>> LOG = Map.ofEntries(
            Map.entry("address", ADDRESS),
            Map.entry("blockHash", HASH),
            Map.entry("blockNumber", QUANTITY),
            Map.entry("data", DATA),
            Map.entry("logIndex", QUANTITY),
            Map.entry("removed", FLAG),
            Map.entry("topics", HASHES),
            Map.entry("transactionHash", HASH),
            Map.entry("transactionIndex", QUANTITY));

    private ServiceShapes() {}

    static void assertBlock(JsonNode block) {
        assertFields("block", block, HEADER);
        assertThat(block.get("totalDifficulty").isNull()).isFalse();
        assertThat(block.path("transactions").isArray()).isTrue();
    }

    static void assertUncle(JsonNode uncle) {
        assertFields("uncle", uncle, HEADER);
        assertThat(uncle.has("transactions")).isFalse();
        assertThat(uncle.get("uncles").isEmpty()).isTrue();
    }

    /** The members of every type, and those that the type adds. */
    static void assertTransaction(JsonNode transaction) {
        Map<String, Predicate<JsonNode>> fields = new LinkedHashMap<>(TRANSACTION);
        int type = Integer.decode(transaction.path("type").asString());
        if (type >= 1) {
            fields.put("chainId", QUANTITY);
            fields.put("accessList", ACCESS_LIST);
        }
        if (type >= 2) {
            fields.put("maxFeePerGas", QUANTITY);
            fields.put("maxPriorityFeePerGas", QUANTITY);
        }
        if (type == 3) {
            fields.put("maxFeePerBlobGas", QUANTITY);
            fields.put("blobVersionedHashes", HASHES);
        }
        assertFields("transaction", transaction, fields);
    }

    /** With exactly one of {@code root} and {@code status}. */
    static void assertReceipt(JsonNode receipt) {
        Map<String, Predicate<JsonNode>> fields = new LinkedHashMap<>(RECEIPT);
        assertThat(receipt.has("root")).as("root or status: " + receipt).isNotEqualTo(receipt.has("status"));
        if (receipt.has("root")) {
            fields.put("root", HASH);
        } else {
            fields.put("status", matching("0x[01]"));
        }
        assertFields("receipt", receipt, fields);
        receipt.get("logs").forEach(log -> assertFields("log", log, LOG));
    }

    static void assertLog(JsonNode log) {
        assertFields("log", log, LOG);
    }

    private static void assertFields(String what, JsonNode object, Map<String, Predicate<JsonNode>> fields) {
        List<String> wrong = new ArrayList<>();
        fields.forEach((name, form) -> {
            JsonNode value = object.get(name);
            if (value == null || !form.test(value)) {
                wrong.add(name + ": " + value);
            }
        });
        assertThat(wrong).as(what + " " + object).isEmpty();
    }

    private static Predicate<JsonNode> bytes(int count) {
        return matching("0x[0-9a-f]{" + 2 * count + "}");
    }

    private static Predicate<JsonNode> matching(String form) {
        Pattern pattern = Pattern.compile(form);
        return value -> value.isString() && pattern.matcher(value.stringValue()).matches();
    }

    private static Predicate<JsonNode> arrayOf(Predicate<JsonNode> element) {
        return value -> value.isArray() && value.valueStream().allMatch(element);
    }
}
