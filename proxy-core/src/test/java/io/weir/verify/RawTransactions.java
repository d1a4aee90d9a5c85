package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.rlp.RlpReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of recorded bytes of transactions into the form of JSON-RPC. It shares no layout with the rules under test. */
final class RawTransactions {

    private static final String DYNAMIC =
            "chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList";

    private static final Map<Integer, List<String>> ITEMS = Map.of(
            0, List.of("nonce gasPrice gas to value input v r s".split(" ")),
            2, List.of((DYNAMIC + " yParity r s").split(" ")),
            0x7b, List.of((DYNAMIC + " feeCurrency yParity r s").split(" ")),
            0x7e, List.of("sourceHash from to mint value gas isSystemTx input".split(" ")));

    private static final Set<String> BYTES = Set.of("sourceHash", "from", "input");
    private static final Set<String> ADDRESS_OR_NONE = Set.of("to", "feeCurrency");

    private RawTransactions() {}

    static ObjectNode read(Bytes raw) {
        boolean legacy = raw.at(0) >= 0xc0;
        int type = legacy ? 0 : raw.at(0);
        byte[] bytes = raw.toArray();
        RlpReader items = RlpReader.of(legacy ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length))
                .list();
        ObjectNode transaction = JsonNodeFactory.instance.objectNode().put("type", Quantity.encode(type));
        for (String name : ITEMS.get(type)) {
            item(items, name, transaction);
        }
        items.end();
        if (transaction.has("yParity")) {
            transaction.set("v", transaction.get("yParity"));
        }
        return transaction;
    }

    private static void item(RlpReader items, String name, ObjectNode transaction) {
        if (name.equals("accessList")) {
            ArrayNode entries = transaction.putArray(name);
            RlpReader list = items.list();
            while (list.hasNext()) {
                RlpReader entry = list.list();
                ArrayNode keys = entries.addObject()
                        .put("address", entry.address().hex())
                        .putArray("storageKeys");
                entry.listOf(RlpReader::hash).forEach(key -> keys.add(key.hex()));
            }
        } else if (BYTES.contains(name)) {
            transaction.put(name, items.bytes().hex());
        } else if (ADDRESS_OR_NONE.contains(name)) {
            Bytes address = items.bytes();
            transaction.put(name, address.isEmpty() ? null : address.hex());
        } else if (name.equals("isSystemTx")) {
            transaction.put(name, items.quantity().signum() != 0);
        } else {
            transaction.put(name, Quantity.encode(items.quantity()));
        }
    }
}
