package io.weir.pipeline.evidence;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** A chain of whole blocks as an honest node tells it; its blocks may be replaced by others. Confined to one thread. */
final class VectorChain {

    static final JsonMapper JSON = new JsonMapper();

    /** What a node has of a block. */
    record Entry(ObjectNode block, ArrayNode receipts, List<ObjectNode> uncles) {
        String hash() {
            return block.get("hash").stringValue();
        }

        String number() {
            return block.get("number").stringValue();
        }

        Entry copy() {
            return new Entry(
                    block.deepCopy(),
                    receipts.deepCopy(),
                    uncles.stream().map(ObjectNode::deepCopy).toList());
        }
    }

    private final Map<String, Entry> byHash = new HashMap<>();
    private final Map<String, Entry> byNumber = new HashMap<>();
    private final Map<String, Entry> byTransaction = new HashMap<>();
    private final Map<String, RawJson> texts = new HashMap<>();

    /** The blocks of the vectors, without those that are very large. */
    VectorChain(ChainVectors vectors) {
        for (ObjectNode block : vectors.blocks()) {
            ArrayNode receipts = vectors.receipts(block);
            if (receipts.size() < 20) {
                put(new Entry(block, receipts, vectors.uncles(block)));
            }
        }
    }

    /** Puts a block at its height. */
    VectorChain put(Entry entry) {
        byHash.put(entry.hash(), entry);
        byNumber.put(entry.number(), entry);
        entry.block()
                .get("transactions")
                .forEach(one -> byTransaction.put(one.get("hash").stringValue(), entry));
        texts.clear();
        return this;
    }

    List<Entry> entries() {
        return List.copyOf(byNumber.values());
    }

    Entry at(int number) {
        return byNumber.get("0x" + Integer.toHexString(number));
    }

    /** A block with something of everything. */
    Entry first(Predicate<Entry> which) {
        return byNumber.values().stream().filter(which).findFirst().orElseThrow();
    }

    NodeOutcome outcome(RpcCall call) {
        return new NodeOutcome.Answered(new RpcReply.Result(text(call.method(), String.valueOf(call.params()))));
    }

    RawJson text(String method, String params) {
        return texts.computeIfAbsent(
                method + params, key -> RawJson.of(String.valueOf(answer(method, JSON.readTree(params)))));
    }

    JsonNode answer(String method, JsonNode params) {
        return switch (method) {
            case "eth_getTransactionByHash", "eth_getTransactionReceipt" -> ofTransaction(method, params);
            case "eth_getLogs" -> logs(params.get(0));
            default -> ofBlock(method, entry(params.get(0).stringValue()), params);
        };
    }

    private Entry entry(String named) {
        return named.equals("finalized") ? at(54) : named.length() == 66 ? byHash.get(named) : byNumber.get(named);
    }

    private JsonNode ofTransaction(String method, JsonNode params) {
        String hash = params.get(0).stringValue();
        Entry entry = byTransaction.get(hash);
        if (entry == null) {
            return JSON.nullNode();
        }
        boolean receipt = method.endsWith("Receipt");
        JsonNode all = receipt ? entry.receipts() : entry.block().get("transactions");
        String name = receipt ? "transactionHash" : "hash";
        return all.valueStream()
                .filter(one -> one.get(name).stringValue().equals(hash))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode ofBlock(String method, Entry entry, JsonNode params) {
        if (entry == null) {
            return JSON.nullNode();
        }
        JsonNode transactions = entry.block().get("transactions");
        int index = params.size() < 2 || !params.get(1).isString()
                ? 0
                : Integer.decode(params.get(1).stringValue());
        return switch (method.replaceAll("By.*|ByBlock.*", "")) {
            case "eth_getBlock" -> params.get(1).booleanValue() ? entry.block() : hashes(entry.block());
            case "eth_getHeader" -> header(entry.block());
            case "eth_getTransaction" -> index < transactions.size() ? transactions.get(index) : JSON.nullNode();
            case "eth_getUncle" ->
                index < entry.uncles().size() ? entry.uncles().get(index) : JSON.nullNode();
            case "eth_getBlockReceipts" -> entry.receipts();
            case "eth_getBlockTransactionCount" -> quantity(transactions.size());
            case "eth_getUncleCount" -> quantity(entry.block().get("uncles").size());
            default -> throw new IllegalArgumentException(method);
        };
    }

    private static JsonNode header(ObjectNode block) {
        ObjectNode copy = block.deepCopy();
        copy.remove(List.of("transactions", "uncles", "withdrawals", "size"));
        return copy;
    }

    private static JsonNode hashes(ObjectNode block) {
        ObjectNode copy = block.deepCopy();
        ArrayNode hashes = copy.putArray("transactions");
        block.get("transactions").forEach(one -> hashes.add(one.get("hash")));
        return copy;
    }

    private JsonNode logs(JsonNode filter) {
        Entry entry = entry(
                filter.path(filter.has("blockHash") ? "blockHash" : "fromBlock").stringValue());
        List<JsonNode> found = new ArrayList<>();
        entry.receipts().forEach(receipt -> receipt.get("logs").forEach(found::add));
        return JSON.createArrayNode().addAll(found);
    }

    private static JsonNode quantity(int number) {
        return StringNode.valueOf("0x" + Integer.toHexString(number));
    }
}
