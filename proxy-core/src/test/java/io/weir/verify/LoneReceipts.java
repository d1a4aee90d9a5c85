package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.ethereum.trie.TrieRoot;
import io.weir.verify.ReceiptsProof.ChainReceipt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Encodings of recorded receipts without their block. */
final class LoneReceipts {

    private LoneReceipts() {}

    static String root(JsonNode receipts, ChainFamily family) throws UnprovenException {
        List<byte[]> leaves = new ArrayList<>();
        for (JsonNode one : receipts) {
            leaves.add(receipt(one, family).encoded());
        }
        return TrieRoot.ofList(leaves).hex();
    }

    /** Reads a receipt, with the items that the proxy reads of its type. */
    static ChainReceipt receipt(JsonNode json, ChainFamily family) throws UnprovenException {
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
        int type = Integer.decode(json.get("type").stringValue());
        TransactionLayout layout = family.layout(type);
        List<BigInteger> items =
                layout == null ? List.of() : TransactionFields.receiptItems(new ObjectMembers(json, ""), layout);
        return new ChainReceipt(type, content, items);
    }
}
