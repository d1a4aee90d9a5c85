package io.weir.testing.chain;

import io.weir.testing.chain.ChainState.Place;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers calls from one state of a chain, as a node does: lookups by every selector, logs, and state. Thread-safe. */
public final class ChainAnswers {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int NO_BLOCK = -32000;

    private ChainAnswers() {}

    /** The answer to a call with these parameters. */
    public static ChainAnswer answer(ChainState chain, String method, String params) {
        return answer(chain, method, JSON.readTree(params));
    }

    /** The answer to a call with these parameters. */
    public static ChainAnswer answer(ChainState chain, String method, JsonNode params) {
        return switch (method) {
            case "eth_chainId" -> ChainAnswer.result("\"0x" + Long.toHexString(SignedTransactions.CHAIN_ID) + '"');
            case "eth_syncing" -> ChainAnswer.result("false");
            case "eth_sendRawTransaction" -> ChainAnswer.error(-32000, "transactions are not taken");
            case "eth_blockNumber" -> quantity(chain.head());
            case "eth_getTransactionByHash", "eth_getRawTransactionByHash", "eth_getTransactionReceipt" ->
                byTransaction(chain, method, params.path(0).asString());
            case "eth_getLogs" -> LogSearch.answer(chain, params.path(0));
            case "eth_getBalance", "eth_getCode", "eth_getTransactionCount", "eth_call", "eth_estimateGas" ->
                state(chain, method, params, 1);
            case "eth_getStorageAt", "eth_getProof" -> state(chain, method, params, 2);
            default -> lookup(block(chain, params.path(0)), method, params);
        };
    }

    /** The answer of a node that has a transaction in its pool. */
    public static ChainAnswer pending(SignedTransactions.Signed signed) {
        return ChainAnswer.result(TransactionText.pending(signed));
    }

    private static ChainAnswer byTransaction(ChainState chain, String method, String hash) {
        Place place = chain.places().get(hash);
        boolean receipt = method.equals("eth_getTransactionReceipt");
        if (place == null) {
            String pending = chain.pending().get(hash);
            return pending == null || !method.equals("eth_getTransactionByHash")
                    ? ChainAnswer.NULL
                    : ChainAnswer.result(pending);
        }
        TestBlock block = place.block();
        if (receipt) {
            return ChainAnswer.result(block.receipt(place.index()));
        }
        return ChainAnswer.result(
                method.equals("eth_getTransactionByHash")
                        ? block.transaction(place.index())
                        : block.raw(place.index()));
    }

    private static ChainAnswer lookup(@Nullable TestBlock block, String method, JsonNode params) {
        if (block == null) {
            return ChainAnswer.NULL;
        }
        return switch (method) {
            case "eth_getBlockByHash", "eth_getBlockByNumber" ->
                ChainAnswer.result(block.text(params.path(1).asBoolean(false)));
            case "eth_getHeaderByHash", "eth_getHeaderByNumber" -> ChainAnswer.result(block.headerText());
            case "eth_getBlockReceipts" -> ChainAnswer.result(block.receipts());
            case "eth_getBlockTransactionCountByHash", "eth_getBlockTransactionCountByNumber" ->
                quantity(block.transactions().size());
            case "eth_getUncleCountByBlockHash", "eth_getUncleCountByBlockNumber" -> quantity(block.uncles());
            case "eth_getUncleByBlockHashAndIndex", "eth_getUncleByBlockNumberAndIndex" ->
                ChainAnswer.result(block.uncle(index(params)));
            case "eth_getTransactionByBlockHashAndIndex", "eth_getTransactionByBlockNumberAndIndex" ->
                ChainAnswer.result(block.transaction(index(params)));
            case "eth_getRawTransactionByBlockHashAndIndex", "eth_getRawTransactionByBlockNumberAndIndex" ->
                ChainAnswer.result(block.raw(index(params)));
            default -> ChainAnswer.error(-32601, "the method " + method + " does not exist/is not available");
        };
    }

    private static long index(JsonNode params) {
        return Long.decode(params.path(1).asString());
    }

    private static ChainAnswer state(ChainState chain, String method, JsonNode params, int blockIndex) {
        JsonNode selector = params.path(blockIndex);
        TestBlock block = block(chain, selector);
        if (block == null) {
            return ChainAnswer.error(NO_BLOCK, "header not found");
        }
        if (selector.path("requireCanonical").asBoolean(false) && !chain.isCanonical(block)) {
            return ChainAnswer.error(NO_BLOCK, "hash is not currently canonical");
        }
        String bytes = BlockMaker.state(block, method + params.path(0) + params.path(1 % blockIndex))
                .hex();
        return switch (method) {
            case "eth_getStorageAt", "eth_call", "eth_getCode" ->
                // Zero is a value like any other.
                ChainAnswer.result(bytes.endsWith("0") ? "\"0x" + "0".repeat(64) + '"' : '"' + bytes + '"');
            case "eth_getProof" ->
                ChainAnswer.result("{\"address\":" + params.path(0) + ",\"storageHash\":\"" + bytes + "\"}");
            default -> ChainAnswer.result("\"0x1" + bytes.substring(2, 10) + '"');
        };
    }

    /** The block that a number, a tag, a hash or an object names; null where there is none. */
    static @Nullable TestBlock block(ChainState chain, JsonNode selector) {
        if (selector.isObject()) {
            return block(chain, selector.has("blockHash") ? selector.get("blockHash") : selector.get("blockNumber"));
        }
        String text = selector.asString("latest");
        Map<String, Long> tags = Map.of(
                "latest", chain.head(),
                "pending", chain.head(),
                "earliest", 0L,
                "safe", Math.min(chain.head(), chain.finalized() + 1),
                "finalized", chain.finalized());
        if (tags.containsKey(text)) {
            return chain.at(tags.get(text));
        }
        return text.length() == 66 ? chain.find(text) : chain.at(Long.decode(text));
    }

    private static ChainAnswer quantity(long number) {
        return ChainAnswer.result("\"0x" + Long.toHexString(number) + '"');
    }

    /** Methods whose answers these are, with how each names what it asks for: for those who ask about everything. */
    public static List<String> methods() {
        return List.of(
                "eth_getBlockByHash",
                "eth_getBlockByNumber",
                "eth_getHeaderByHash",
                "eth_getHeaderByNumber",
                "eth_getBlockReceipts",
                "eth_getBlockTransactionCountByHash",
                "eth_getBlockTransactionCountByNumber",
                "eth_getUncleCountByBlockHash",
                "eth_getUncleCountByBlockNumber",
                "eth_getUncleByBlockHashAndIndex",
                "eth_getUncleByBlockNumberAndIndex",
                "eth_getTransactionByBlockHashAndIndex",
                "eth_getTransactionByBlockNumberAndIndex",
                "eth_getRawTransactionByBlockHashAndIndex",
                "eth_getRawTransactionByBlockNumberAndIndex",
                "eth_getTransactionByHash",
                "eth_getRawTransactionByHash",
                "eth_getTransactionReceipt",
                "eth_getLogs",
                "eth_getBalance",
                "eth_getCode",
                "eth_getTransactionCount",
                "eth_getStorageAt",
                "eth_getProof",
                "eth_call",
                "eth_estimateGas");
    }
}
