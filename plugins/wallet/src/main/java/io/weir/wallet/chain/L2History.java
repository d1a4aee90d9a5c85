package io.weir.wallet.chain;

import io.weir.l2.Felt;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the past of accounts. Thread-safe; blocks. */
public record L2History(L2Client client) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int CHUNK = 100;

    /** Returns when a block was made. */
    public Instant timeOf(L2Network network, long number) {
        return client.block(
                network,
                number,
                node -> Instant.ofEpochSecond(node.path("timestamp").longValue()));
    }

    /**
     * The transactions that events belong to, with the numbers of their blocks. Immutable.
     *
     * @param isWhole whether they are all of them
     */
    public record Events(Map<Felt, Long> transactions, boolean isWhole) {}

    /**
     * Returns the transactions that events of a contract belong to.
     *
     * @param keys the first keys of the events; empty for all
     * @param chunks how many answers of the network are read at most
     */
    public Events eventsOf(L2Network network, Felt contract, List<Felt> keys, BlockRange blocks, int chunks) {
        ObjectNode params = filter(contract, keys, blocks);
        Map<Felt, Long> found = new LinkedHashMap<>();
        for (int chunk = 0; chunk < chunks; chunk++) {
            JsonNode page = client.ask(network, "starknet_getEvents", params.deepCopy());
            for (JsonNode event : page.path("events")) {
                if (event.path("block_number").isIntegralNumber()) {
                    found.put(
                            Felt.parseHex(event.path("transaction_hash").asString()),
                            event.path("block_number").longValue());
                }
            }
            String continuation = page.path("continuation_token").asString("");
            if (continuation.isEmpty()) {
                return new Events(found, true);
            }
            ((ObjectNode) params.path("filter")).put("continuation_token", continuation);
        }
        return new Events(found, false);
    }

    private static ObjectNode filter(Felt contract, List<Felt> keys, BlockRange blocks) {
        ObjectNode params = JSON.objectNode();
        ObjectNode filter = params.putObject("filter");
        filter.putObject("from_block").put("block_number", blocks.lowest());
        filter.putObject("to_block").put("block_number", blocks.highest());
        filter.put("address", contract.toHex());
        ArrayNode list = filter.putArray("keys");
        keys.forEach(key -> list.addArray().add(key.toHex()));
        filter.put("chunk_size", CHUNK);
        return params;
    }

    /** A transaction as the network has it: its fields, and its receipt. Immutable. */
    public record Found(JsonNode transaction, JsonNode receipt) {}

    /** Returns a transaction and its receipt, or nothing. */
    public Optional<Found> transaction(L2Network network, Felt hash) {
        ObjectNode params = JSON.objectNode();
        params.put("transaction_hash", hash.toHex());
        return L2Client.unless(
                NodeError.UNKNOWN_HASH,
                () -> new Found(
                        client.ask(network, "starknet_getTransactionByHash", params),
                        client.ask(network, "starknet_getTransactionReceipt", params)));
    }
}
