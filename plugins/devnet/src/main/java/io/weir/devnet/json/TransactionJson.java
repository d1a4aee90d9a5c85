package io.weir.devnet.json;

import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.Fees;
import io.weir.devnet.chain.MinedTransaction;
import io.weir.devnet.chain.SentTransaction;
import io.weir.ethereum.Address;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes transactions. Thread-safe. */
public final class TransactionJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private TransactionJson() {}

    /** A transaction in a block; its gas price is what it paid. */
    public static JsonNode mined(ChainBlock block, MinedTransaction mined) {
        ObjectNode json = JSON.objectNode()
                .put("blockHash", block.hash().hex())
                .put("blockNumber", Quantity.encode(block.number()))
                .put("blockTimestamp", Quantity.encode(block.header().timestamp()))
                .put("transactionIndex", Quantity.encode(mined.index()));
        return fields(json, mined.sent(), mined.price());
    }

    /** A transaction that waits; its gas price is the most that it would pay. */
    public static JsonNode pending(SentTransaction sent) {
        ObjectNode json = JSON.objectNode();
        List.of("blockHash", "blockNumber", "blockTimestamp", "transactionIndex")
                .forEach(json::putNull);
        return fields(json, sent, Fees.cap(sent.transaction()));
    }

    private static ObjectNode fields(ObjectNode json, SentTransaction sent, BigInteger gasPrice) {
        Transaction transaction = sent.transaction();
        Address to = transaction.to();
        json.put("hash", sent.hash().hex())
                .put("from", sent.sender().hex())
                .put("to", to == null ? null : to.hex())
                .put("nonce", Quantity.encode(transaction.nonce()))
                .put("gas", Quantity.encode(transaction.gas()))
                .put("gasPrice", Quantity.encode(gasPrice))
                .put("value", Quantity.encode(transaction.value()))
                .put("input", transaction.input().hex())
                .put("type", Quantity.encode(transaction.type().number()));
        quantity(json, "chainId", transaction.chainId());
        quantity(json, "maxFeePerGas", transaction.maxFeePerGas());
        quantity(json, "maxPriorityFeePerGas", transaction.maxPriorityFeePerGas());
        quantity(json, "maxFeePerBlobGas", transaction.maxFeePerBlobGas());
        if (transaction.type() == TransactionType.BLOB) {
            ArrayNode hashes = json.putArray("blobVersionedHashes");
            transaction.blobVersionedHashes().forEach(hash -> hashes.add(hash.hex()));
        }
        if (transaction.type() != TransactionType.LEGACY) {
            ArrayNode entries = json.putArray("accessList");
            transaction.accessList().forEach(entry -> entries.add(entry(entry)));
        }
        return signature(json, transaction);
    }

    private static ObjectNode signature(ObjectNode json, Transaction transaction) {
        Signature signature = Objects.requireNonNull(transaction.signature());
        quantity(json, "v", transaction.v());
        quantity(json, "r", signature.r());
        quantity(json, "s", signature.s());
        if (transaction.type() != TransactionType.LEGACY) {
            json.put("yParity", Quantity.encode(signature.yParity()));
        }
        return json;
    }

    private static ObjectNode entry(AccessListEntry entry) {
        ObjectNode json = JSON.objectNode().put("address", entry.address().hex());
        ArrayNode keys = json.putArray("storageKeys");
        entry.storageKeys().forEach(key -> keys.add(key.hex()));
        return json;
    }

    private static void quantity(ObjectNode json, String name, @Nullable BigInteger value) {
        if (value != null) {
            json.put(name, Quantity.encode(value));
        }
    }
}
