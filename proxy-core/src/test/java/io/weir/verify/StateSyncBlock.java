package io.weir.verify;

import io.weir.ethereum.Hash32;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** A recorded block of Polygon with the recorded transaction of a state sync, moved to its end. */
public final class StateSyncBlock {

    /** Position of the state sync in the block. */
    public static final int INDEX = 564;

    private StateSyncBlock() {}

    public static FamilyVectors of(FamilyVectors vectors) {
        vectors.transactions().add(moved(vectors, "transactions", "hash"));
        return vectors;
    }

    public static void addReceipt(FamilyVectors vectors) {
        vectors.receipts().add(moved(vectors, "receipts", "transactionHash"));
    }

    /** Gives the transaction its type since PIP-74, by whose rule its hash is another. */
    public static void makeTyped(FamilyVectors vectors) {
        vectors.transaction(INDEX).put("type", "0x7f").put("hash", "0x" + "ab".repeat(32));
    }

    private static ObjectNode moved(FamilyVectors vectors, String list, String hashName) {
        ObjectNode block = vectors.block();
        FamilyVectors recorded = FamilyVectors.read("polygon-dev-state-sync-legacy");
        ObjectNode one = (ObjectNode) recorded.tree().get(list).get(0);
        one.put(hashName, hash(block));
        one.set("blockHash", block.get("hash"));
        one.set("blockNumber", block.get("number"));
        one.put("transactionIndex", "0x" + Integer.toHexString(INDEX));
        return one;
    }

    /** Returns the hash of the transaction of a block's state sync. */
    static String hash(ObjectNode block) {
        byte[] number = ByteBuffer.allocate(8)
                .putLong(Long.decode(block.get("number").stringValue()))
                .array();
        byte[] hash = Hash32.fromHex(block.get("hash").stringValue()).toArray();
        byte[] prefix = "matic-bor-receipt-".getBytes(StandardCharsets.US_ASCII);
        return Hash32.keccak(prefix, number, hash).hex();
    }
}
