package io.weir.devnet.json;

import io.weir.devnet.chain.BlobGas;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.MinedTransaction;
import io.weir.ethereum.Address;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes receipts and logs. Thread-safe. */
public final class ReceiptJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ReceiptJson() {}

    /** All receipts of a block. */
    public static ArrayNode ofBlock(ChainBlock block) {
        ArrayNode receipts = JSON.arrayNode();
        block.transactions().forEach(mined -> receipts.add(of(block, mined)));
        return receipts;
    }

    /** A transaction's receipt. */
    public static JsonNode of(ChainBlock block, MinedTransaction mined) {
        Transaction transaction = mined.sent().transaction();
        Receipt receipt = mined.receipt();
        ObjectNode json = place(block, mined)
                .put("from", mined.sent().sender().hex())
                .put("to", text(transaction.to()))
                .put("contractAddress", text(mined.created()))
                .put("cumulativeGasUsed", Quantity.encode(receipt.cumulativeGasUsed()))
                .put("gasUsed", Quantity.encode(mined.gasUsed()))
                .put("effectiveGasPrice", Quantity.encode(mined.price()))
                .put("logsBloom", receipt.bloom().hex())
                .put("type", Quantity.encode(receipt.type().number()));
        if (receipt.root() != null) {
            json.put("root", receipt.root().hex());
        } else {
            json.put("status", receipt.succeeded() ? "0x1" : "0x0");
        }
        if (receipt.type() == TransactionType.BLOB) {
            json.put("blobGasUsed", Quantity.encode(BlobGas.of(transaction)));
            json.put("blobGasPrice", Quantity.encode(Objects.requireNonNull(BlobGas.price(block.header()))));
        }
        ArrayNode logs = json.putArray("logs");
        for (int i = 0; i < receipt.logs().size(); i++) {
            logs.add(log(block, mined, i));
        }
        return json;
    }

    /** One of the logs of a transaction. */
    public static JsonNode log(ChainBlock block, MinedTransaction mined, int index) {
        Log log = mined.receipt().logs().get(index);
        ObjectNode json = place(block, mined)
                .put("address", log.address().hex())
                .put("data", log.data().hex())
                .put("blockTimestamp", Quantity.encode(block.header().timestamp()))
                .put("logIndex", Quantity.encode(mined.firstLogIndex() + index))
                .put("removed", false);
        ArrayNode topics = json.putArray("topics");
        log.topics().forEach(topic -> topics.add(topic.hex()));
        return json;
    }

    private static ObjectNode place(ChainBlock block, MinedTransaction mined) {
        return JSON.objectNode()
                .put("blockHash", block.hash().hex())
                .put("blockNumber", Quantity.encode(block.number()))
                .put("transactionHash", mined.sent().hash().hex())
                .put("transactionIndex", Quantity.encode(mined.index()));
    }

    private static @Nullable String text(@Nullable Address address) {
        return address == null ? null : address.hex();
    }
}
