package io.weir.pipeline.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A chain in one list, and a node that answers for what is canonical and knows nothing of what was: hashes are made up, and each
 * block has one transaction, which may come again in another block. Confined to one thread.
 */
final class ForkingChain implements Stage {

    static final JsonMapper JSON = new JsonMapper();

    record Block(long number, String hash, String parentHash, String transaction) {}

    final List<Block> blocks = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    /** What is answered instead, by method. */
    final Map<String, String> instead = new HashMap<>();

    /** Whether blocks name parents that do not exist. */
    boolean otherParents;

    /** Runs before each answer, with the method and its parameters. */
    Consumer<String> beforeAnswer = question -> {};

    String upstream = "a";
    long finalDepth = 64;
    private final Random random;

    ForkingChain(long seed) {
        random = new Random(seed);
        add("0x" + "0".repeat(64), hash());
    }

    private String hash() {
        StringBuilder text = new StringBuilder("0x");
        for (int i = 0; i < 8; i++) {
            text.append("%08x".formatted(random.nextInt()));
        }
        return text.toString();
    }

    private void add(String parent, String transaction) {
        blocks.add(new Block(blocks.size(), hash(), parent, transaction));
    }

    long head() {
        return blocks.size() - 1L;
    }

    Block block(long number) {
        return blocks.get((int) number);
    }

    void mine(int count) {
        for (int i = 0; i < count; i++) {
            add(block(head()).hash(), hash());
        }
    }

    /** Replaces the newest blocks with as many and some more; every other transaction comes again, one block later. */
    void reorganise(int depth, int more) {
        List<Block> dropped = new ArrayList<>(blocks.subList(blocks.size() - depth, blocks.size()));
        blocks.subList(blocks.size() - depth, blocks.size()).clear();
        for (int i = 0; i < depth + more; i++) {
            boolean again = i > 0 && i <= dropped.size() && i % 2 == 1;
            add(block(head()).hash(), again ? dropped.get(i - 1).transaction() : hash());
        }
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        String params = String.valueOf(context.call().params());
        asked.add(context.call().method() + params);
        beforeAnswer.accept(context.call().method() + params);
        context.trace().markForwarded();
        context.trace().answeredBy(upstream, 1);
        sink.accept(new RpcReply.Result(RawJson.of(answer(context.call().method(), params))));
    }

    String answer(String method, String paramsText) {
        if (instead.containsKey(method)) {
            return instead.get(method);
        }
        JsonNode params = JSON.readTree(paramsText);
        Block block = find(method, params);
        if (block == null
                || (method.endsWith("AndIndex") && !params.get(1).asString().equals("0x0"))) {
            return "null";
        }
        String place = "\"blockNumber\":\"0x%x\",\"blockHash\":\"%s\",\"transactionIndex\":\"0x0\""
                .formatted(block.number(), block.hash());
        return switch (method) {
            case "eth_getBlockByNumber", "eth_getBlockByHash" ->
                "{\"number\":\"0x%x\",\"hash\":\"%s\",\"parentHash\":\"%s\",\"transactions\":[%s],\"uncles\":[]}"
                        .formatted(
                                block.number(),
                                block.hash(),
                                otherParents ? "0x" + "e".repeat(64) : block.parentHash(),
                                params.get(1).asBoolean()
                                        ? transaction(block, place)
                                        : '"' + block.transaction() + '"');
            case "eth_getTransactionByHash",
                    "eth_getTransactionByBlockNumberAndIndex",
                    "eth_getTransactionByBlockHashAndIndex" -> transaction(block, place);
            case "eth_getTransactionReceipt" -> receipt(block, place);
            case "eth_getBlockReceipts" -> '[' + receipt(block, place) + ']';
            case "eth_getLogs" -> "[" + log(block, place) + "]";
            case "eth_getBlockTransactionCountByHash", "eth_getBlockTransactionCountByNumber" -> "\"0x1\"";
            case "eth_getUncleCountByBlockHash", "eth_getUncleCountByBlockNumber" -> "\"0x0\"";
            case "eth_getUncleByBlockHashAndIndex", "eth_getUncleByBlockNumberAndIndex" -> "null";
            case "eth_getStorageAt" -> "\"0x" + "0".repeat(64) + "\"";
            default -> "\"" + block.hash().substring(0, 34) + "\"";
        };
    }

    private static String transaction(Block block, String place) {
        return "{\"hash\":\"%s\",%s}".formatted(block.transaction(), place);
    }

    private static String receipt(Block block, String place) {
        return "{\"transactionHash\":\"%s\",\"to\":null,%s,\"logs\":[%s]}"
                .formatted(block.transaction(), place, log(block, place));
    }

    private static String log(Block block, String place) {
        return "{\"address\":\"0x%s\",\"topics\":[],%s}"
                .formatted("11".repeat(20), place)
                .replace("}", ",\"transactionHash\":\"" + block.transaction() + "\"}");
    }

    private Block find(String method, JsonNode params) {
        String first = params.get(0).isString() ? params.get(0).asString() : "";
        return switch (method) {
            case "eth_getTransactionByHash", "eth_getTransactionReceipt" ->
                blocks.stream()
                        .filter(block -> block.transaction().equals(first))
                        .findFirst()
                        .orElse(null);
            case "eth_getBalance" -> block(params.get(1));
            case "eth_getStorageAt" -> block(params.get(2));
            case "eth_getLogs" -> {
                JsonNode filter = params.get(0);
                yield block(filter.has("blockHash") ? filter.get("blockHash") : filter.get("toBlock"));
            }
            default -> block(params.get(0));
        };
    }

    private Block block(JsonNode selector) {
        String text = selector.isObject()
                ? selector.path("blockHash")
                        .asString(selector.path("blockNumber").asString(""))
                : selector.asString();
        if (text.equals("finalized") || text.equals("safe")) {
            return block(Math.max(0, head() - finalDepth));
        }
        if (text.length() == 66) {
            return blocks.stream()
                    .filter(block -> block.hash().equals(text))
                    .findFirst()
                    .orElse(null);
        }
        long number = Long.decode(text);
        return number < blocks.size() ? block(number) : null;
    }
}
