package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Encodings of recorded receipts without their block. */
final class RegolithReceipts {

    private RegolithReceipts() {}

    static String root(JsonNode receipts) {
        List<byte[]> leaves = new ArrayList<>();
        receipts.forEach(one ->
                leaves.add(receipt(one, "depositNonce", "depositReceiptVersion").encoded()));
        return TrieRoot.ofList(leaves).hex();
    }

    /** Reads a receipt, with these items if it has the last of them. */
    static ChainReceipt receipt(JsonNode json, String... items) {
        List<Log> logs = new ArrayList<>();
        for (JsonNode log : json.get("logs")) {
            List<Hash32> topics = new ArrayList<>();
            log.get("topics").forEach(topic -> topics.add(Hash32.fromHex(topic.stringValue())));
            logs.add(new Log(
                    Address.fromHex(log.get("address").stringValue()),
                    topics,
                    Bytes.fromHex(log.get("data").stringValue())));
        }
        Receipt content = new Receipt(
                TransactionType.LEGACY,
                null,
                json.get("status").stringValue().equals("0x1"),
                Long.decode(json.get("cumulativeGasUsed").stringValue()),
                Bloom.fromHex(json.get("logsBloom").stringValue()),
                logs);
        List<BigInteger> more = new ArrayList<>();
        if (json.hasNonNull(items[items.length - 1])) {
            for (String item : items) {
                more.add(new BigInteger(json.get(item).stringValue().substring(2), 16));
            }
        }
        return new ChainReceipt(Integer.decode(json.get("type").stringValue()), content, more);
    }
}
