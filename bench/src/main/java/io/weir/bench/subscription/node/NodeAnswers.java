package io.weir.bench.subscription.node;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.BlockText;
import io.weir.bench.subscription.chain.ChainLog;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.chain.LogFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The results of a node for which one head is the newest. Immutable. */
record NodeAnswers(ForkingChain chain, Block head) {

    private static final String NULL = "null";

    /** Returns the member {@code result} or {@code error} of the answer to a call. */
    String member(String method, JsonNode params) {
        return switch (method) {
            case "eth_chainId" -> result('"' + "0x" + Long.toHexString(ForkingChain.CHAIN_ID) + '"');
            case "net_version" -> result('"' + Long.toString(ForkingChain.CHAIN_ID) + '"');
            case "eth_syncing" -> result("false");
            case "web3_clientVersion" -> result("\"forking/1\"");
            case "eth_blockNumber" -> result("\"0x" + Long.toHexString(head.number()) + '"');
            case "eth_getBlockByNumber", "eth_getBlockByHash" ->
                result(block(params.path(0), params.path(1).asBoolean(false)));
            case "eth_getBlockReceipts" -> result(receipts(params.path(0)));
            case "eth_getLogs" -> logs(params.path(0));
            default ->
                "\"error\":{\"code\":-32601,\"message\":\"the method " + method + " does not exist/is not available\"}";
        };
    }

    private static String result(String json) {
        return "\"result\":" + json;
    }

    private String block(JsonNode name, boolean whole) {
        Block block = find(name);
        return block == null ? NULL : BlockText.block(block, whole);
    }

    private String receipts(JsonNode name) {
        Block block = find(name.isObject() ? name.path("blockHash") : name);
        return block == null ? NULL : BlockText.receipts(block);
    }

    private String logs(JsonNode filter) {
        List<Block> blocks = new ArrayList<>();
        if (filter.has("blockHash")) {
            Block block = find(filter.path("blockHash"));
            if (block == null) {
                return "\"error\":{\"code\":-32000,\"message\":\"unknown block\"}";
            }
            blocks.add(block);
        } else {
            Block from = find(filter.path("fromBlock"));
            for (Block at = find(filter.path("toBlock")); at != null && from != null; at = at.parent()) {
                if (at.number() >= from.number()) {
                    blocks.add(at);
                }
            }
            Collections.reverse(blocks);
        }
        LogFilter passing = LogFilter.read(filter);
        List<ChainLog> logs =
                blocks.stream().flatMap(block -> passing.of(block).stream()).toList();
        return result(logs.stream().map(log -> log.json(false)).collect(Collectors.joining(",", "[", "]")));
    }

    /** Returns the block of a hash, a number or a tag if the node has it. */
    private @Nullable Block find(JsonNode name) {
        String text = name.asString("latest").toLowerCase(Locale.ROOT);
        return switch (text) {
            case "latest", "pending" -> head;
            case "safe" -> atHeight(Math.max(0, head.number() - ForkingChain.FINAL_DEPTH / 2));
            case "finalized" -> atHeight(Math.max(0, head.number() - ForkingChain.FINAL_DEPTH));
            case "earliest" -> atHeight(0);
            default -> text.length() == 66 ? known(text) : atHeight(Long.parseLong(text.substring(2), 16));
        };
    }

    private @Nullable Block known(String hash) {
        Block block = chain.find(hash);
        return block == null || block.event() > head.event() ? null : block;
    }

    private @Nullable Block atHeight(long number) {
        if (number > head.number()) {
            return null;
        }
        Block at = head;
        while (at != null && at.number() > number) {
            at = at.parent();
        }
        return at;
    }
}
