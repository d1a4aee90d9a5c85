package io.weir.testing.traffic;

import io.weir.testing.Checkout;
import io.weir.testing.RawNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node that has 54 real blocks of a test chain and answers lookups of blocks and transactions, and balances that follow from
 * what was asked. It has no tag {@code finalized}. Thread-safe.
 */
public final class HistoryNode implements AutoCloseable {

    /** As in a configuration. */
    public static final String CHAIN_ID = "3503995874084926";

    /** The last block's number. */
    public static final int LAST = 54;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Path BLOCKS =
            Checkout.find().root().resolve("plugins/ethereum/src/test/resources/ethereum-chain/blocks.json");

    private final List<ObjectNode> blocks = new ArrayList<>();
    private final Map<String, ObjectNode> byHash = new HashMap<>();
    private final Map<String, JsonNode> transactions = new HashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final RawNode node;

    private HistoryNode() throws IOException {
        for (JsonNode block : JSON.readTree(BLOCKS).get("blocks")) {
            blocks.add((ObjectNode) block);
            byHash.put(block.get("hash").asString(), (ObjectNode) block);
            block.get("transactions")
                    .forEach(one -> transactions.put(one.get("hash").asString(), one));
        }
        this.node = new RawNode(connection -> {
            while (true) {
                RawNode.Request request = connection.read();
                JsonNode call = JSON.readTree(request.body());
                count(call);
                connection.answer("200 OK", RawNode.result(request, answer(call)));
            }
        });
    }

    /** Starts a node on a free port. */
    public static HistoryNode start() throws IOException {
        return new HistoryNode();
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + node.port();
    }

    /** Lookups with full transactions, of transactions and of balances that it answered: what the proxy asks for itself is none. */
    public long answered() {
        return answered.get();
    }

    /** A block with its transactions. */
    public ObjectNode block(int number) {
        return blocks.get(number - 1);
    }

    /** What it answers to a call. */
    public String answer(JsonNode call) {
        JsonNode params = call.path("params");
        return switch (call.path("method").asString()) {
            case "eth_chainId" -> "\"0x" + Long.toHexString(Long.parseLong(CHAIN_ID)) + "\"";
            case "eth_syncing" -> "false";
            case "eth_blockNumber" -> "\"0x" + Integer.toHexString(LAST) + "\"";
            case "eth_getBlockByNumber" ->
                block(numbered(params.get(0).asString()), params.get(1).asBoolean());
            case "eth_getBlockByHash" ->
                block(byHash.get(params.get(0).asString()), params.get(1).asBoolean());
            case "eth_getTransactionByHash" ->
                text(transactions.get(params.get(0).asString()));
            case "eth_getBalance" ->
                text(JSON.valueToTree(
                        "0x" + Integer.toHexString(params.toString().hashCode())));
            // Of uncles it has only the hashes, so that blocks with some cannot be proven whole.
            case "eth_getUncleByBlockHashAndIndex" -> "null";
            default -> throw new IllegalArgumentException("call: " + call);
        };
    }

    private ObjectNode numbered(String number) {
        int wanted = switch (number) {
            case "latest" -> LAST;
            case "finalized" -> 0;
            default -> Integer.parseInt(number.substring(2), 16);
        };
        return wanted < 1 || wanted > LAST ? null : block(wanted);
    }

    private String block(ObjectNode block, boolean full) {
        if (block == null || full) {
            return text(block);
        }
        ObjectNode copy = block.deepCopy();
        ArrayNode hashes = copy.putArray("transactions");
        block.get("transactions").forEach(one -> hashes.add(one.get("hash")));
        return copy.toString();
    }

    private void count(JsonNode call) {
        String method = call.path("method").asString();
        boolean own = call.path("params").path(1).isBoolean()
                && !call.path("params").path(1).asBoolean();
        if (!own
                && (method.startsWith("eth_getBlockBy")
                        || method.startsWith("eth_getT")
                        || method.endsWith("Balance"))) {
            answered.incrementAndGet();
        }
    }

    private static String text(JsonNode answer) {
        return answer == null ? "null" : answer.toString();
    }

    @Override
    public void close() {
        node.close();
    }
}
