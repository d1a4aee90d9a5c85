package io.weir.cache;

import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A node's answers about one block, derived from trees in the simplest way. Pure. */
final class TreeDerivation {

    private static final JsonMapper JSON = new JsonMapper();

    private final ObjectNode block;
    private final ArrayNode receipts;

    TreeDerivation(ObjectNode block, ArrayNode receipts) {
        this.block = block;
        this.receipts = receipts;
    }

    ObjectNode withHashes() {
        ObjectNode copy = block.deepCopy();
        ArrayNode hashes = JSON.createArrayNode();
        block.get("transactions").forEach(transaction -> hashes.add(transaction.get("hash")));
        copy.set("transactions", hashes);
        return copy;
    }

    JsonNode transaction(int index) {
        JsonNode found = block.get("transactions").get(index);
        return found == null ? JSON.nullNode() : found;
    }

    JsonNode count(String list) {
        return JSON.valueToTree("0x" + Integer.toHexString(block.get(list).size()));
    }

    ArrayNode logs(JsonNode filter) {
        ArrayNode found = JSON.createArrayNode();
        receipts.forEach(receipt -> receipt.get("logs").forEach(log -> {
            if (isAnyOf(filter.get("address"), log.get("address")) && topicsMatch(filter.get("topics"), log)) {
                found.add(log);
            }
        }));
        return found;
    }

    private static boolean topicsMatch(JsonNode wanted, JsonNode log) {
        JsonNode topics = log.get("topics");
        return wanted == null
                || (wanted.size() <= topics.size()
                        && IntStream.range(0, wanted.size()).allMatch(i -> isAnyOf(wanted.get(i), topics.get(i))));
    }

    private static boolean isAnyOf(JsonNode wanted, JsonNode value) {
        if (wanted == null || wanted.isNull() || wanted.equals(value)) {
            return true;
        }
        return wanted.isArray() && (wanted.isEmpty() || wanted.valueStream().anyMatch(one -> one.equals(value)));
    }
}
