package io.weir.devnet.json;

import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.MinedTransaction;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Block;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Withdrawal;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes blocks and uncles. Thread-safe. */
public final class BlockJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> UNKNOWN_WHILE_PENDING = List.of("hash", "nonce", "logsBloom", "number");

    private BlockJson() {}

    /** A block of the chain, its transactions whole or as hashes. */
    public static JsonNode of(ChainBlock block, boolean whole) {
        ObjectNode json = header(block.header());
        json.put("hash", block.hash().hex());
        json.put("size", Quantity.encode(block.sizeBytes()));
        json.put("totalDifficulty", Quantity.encode(block.totalDifficulty()));
        ArrayNode uncles = json.putArray("uncles");
        block.block().ommers().forEach(uncle -> uncles.add(uncle.hash().hex()));
        ArrayNode transactions = json.putArray("transactions");
        for (MinedTransaction mined : block.transactions()) {
            if (whole) {
                transactions.add(TransactionJson.mined(block, mined));
            } else {
                transactions.add(mined.sent().hash().hex());
            }
        }
        if (block.block().withdrawals() != null) {
            ArrayNode withdrawals = json.putArray("withdrawals");
            block.block().withdrawals().forEach(each -> withdrawals.add(withdrawal(each)));
        }
        return json;
    }

    /** A block that is not made yet: what will only be known then is null. */
    public static JsonNode pending(ChainBlock block, boolean whole) {
        ObjectNode json = (ObjectNode) of(block, whole);
        UNKNOWN_WHILE_PENDING.forEach(json::putNull);
        if (whole) {
            ArrayNode transactions = json.putArray("transactions");
            block.transactions().forEach(mined -> transactions.add(TransactionJson.pending(mined.sent())));
        }
        return json;
    }

    /** An uncle: a header, with the size of a block that has nothing else. */
    public static JsonNode uncle(BlockHeader header) {
        ObjectNode json = header(header);
        json.put("hash", header.hash().hex());
        json.put("size", Quantity.encode(new Block(header, List.of(), List.of(), null).rlp().length));
        json.putNull("totalDifficulty");
        json.putArray("uncles");
        return json;
    }

    private static ObjectNode header(BlockHeader header) {
        ObjectNode json = JSON.objectNode();
        header.forEachHex((field, text) -> json.put(field.jsonName(), text));
        return json;
    }

    private static ObjectNode withdrawal(Withdrawal withdrawal) {
        return JSON.objectNode()
                .put("index", Quantity.encode(withdrawal.index()))
                .put("validatorIndex", Quantity.encode(withdrawal.validatorIndex()))
                .put("address", withdrawal.address().hex())
                .put("amount", Quantity.encode(withdrawal.amountGwei()));
    }
}
