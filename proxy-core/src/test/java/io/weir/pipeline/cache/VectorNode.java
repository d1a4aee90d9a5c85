package io.weir.pipeline.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.verify.ChainVectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A node that has the blocks of a chain of every fork, and as many unreal ones on top that nobody asks about. Thread-safe. */
final class VectorNode implements Stage {

    static final JsonMapper JSON = new JsonMapper();

    final ChainVectors chain = new ChainVectors();
    final List<ObjectNode> blocks = chain.blocks();
    final List<String> asked = new ArrayList<>();
    final String upstream = "node0";

    long lastFinal = 52;

    long head() {
        return 54;
    }

    ObjectNode block(long number) {
        String hex = "0x" + Long.toHexString(number);
        return blocks.stream()
                .filter(block -> block.get("number").asString().equals(hex))
                .findFirst()
                .orElseThrow();
    }

    /** The final block with the most transactions, up to so many. */
    ObjectNode blockWithTransactions(int most) {
        return blocks.stream()
                .filter(block -> block.get("transactions").size() <= most
                        && block.get("uncles").isEmpty())
                .max(Comparator.comparingInt(block -> block.get("transactions").size()))
                .orElseThrow();
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        String params = String.valueOf(context.call().params());
        asked.add(context.call().method() + params);
        context.trace().markForwarded();
        context.trace().answeredBy(upstream, 1);
        sink.accept(new RpcReply.Result(RawJson.of(answer(context.call().method(), JSON.readTree(params)))));
    }

    String answer(String method, JsonNode params) {
        String first = params.get(0).path("blockHash").asString(params.get(0).asString(""));
        JsonNode found = switch (method) {
            case "eth_getBlockByNumber", "eth_getBlockByHash" ->
                flagged(find(first), params.get(1).asBoolean());
            case "eth_getBlockReceipts" -> find(first) == null ? null : chain.receipts(find(first));
            case "eth_getTransactionByHash" -> transaction(first);
            case "eth_getTransactionByBlockHashAndIndex" ->
                find(first).get("transactions").get(Integer.decode(params.get(1).asString()));
            case "eth_getTransactionReceipt" -> receipt(first);
            case "eth_getUncleByBlockHashAndIndex", "eth_getUncleByBlockNumberAndIndex" ->
                chain.uncles(find(first)).get(Integer.decode(params.get(1).asString()));
            default -> null;
        };
        return found == null ? "null" : found.toString();
    }

    private ObjectNode find(String selector) {
        if (selector.equals("finalized")) {
            return block(lastFinal);
        }
        return blocks.stream()
                .filter(block -> block.get("hash").asString().equals(selector)
                        || block.get("number").asString().equals(selector))
                .findFirst()
                .orElse(null);
    }

    private static JsonNode flagged(ObjectNode block, boolean full) {
        if (block == null || full) {
            return block;
        }
        ObjectNode copy = block.deepCopy();
        ArrayNode hashes = JSON.createArrayNode();
        block.get("transactions").forEach(transaction -> hashes.add(transaction.get("hash")));
        copy.set("transactions", hashes);
        return copy;
    }

    private JsonNode transaction(String hash) {
        return blocks.stream()
                .flatMap(block -> block.get("transactions").valueStream())
                .filter(transaction -> transaction.get("hash").asString().equals(hash))
                .findFirst()
                .orElse(null);
    }

    private JsonNode receipt(String hash) {
        return blocks.stream()
                .filter(block -> transactions(block).contains(hash))
                .flatMap(block -> chain.receipts(block).valueStream())
                .filter(receipt -> receipt.get("transactionHash").asString().equals(hash))
                .findFirst()
                .orElse(null);
    }

    static List<String> transactions(JsonNode block) {
        return block.get("transactions")
                .valueStream()
                .map(transaction -> transaction.get("hash").asString())
                .collect(Collectors.toList());
    }
}
