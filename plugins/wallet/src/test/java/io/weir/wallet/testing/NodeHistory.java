package io.weir.wallet.testing;

import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A scripted node's past: every transaction that is in a block is in block 7, and paid its fee there. Thread-safe. */
final class NodeHistory {
    static final long NEWEST = 7;
    private static final int IN_BLOCK = 2;

    private NodeHistory() {}

    /** The blocks of a chain. Immutable. */
    record Blocks(Felt first, long newest, long run) {

        /** Begins anew, with a first block only. */
        Blocks again(Felt newFirst) {
            return new Blocks(newFirst, 0, run + 1);
        }

        /** Has other blocks as its newest ones, or more, or fewer. */
        Blocks upTo(long number) {
            return new Blocks(first, number, run);
        }

        private Felt hash(long number) {
            return number == 0 ? first : Felt.of(1000 * (run + 1) + number);
        }
    }

    /** A block a minute, the newest now. */
    static JsonNode block(Blocks blocks, JsonNode params) {
        long number = params.path("block_id").path("block_number").longValue();
        if (number > blocks.newest()) {
            throw new NodeFailure(24, "Block not found");
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("block_hash", blocks.hash(number).toHex())
                .put("timestamp", Instant.now().getEpochSecond() - (NEWEST - number) * 60);
    }

    static JsonNode events(NodeLedger ledger, JsonNode filter) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ArrayNode events = page.putArray("events");
        JsonNode keys = filter.path("keys");
        boolean ofFees = TransactionCheck.felt(filter, "address").equals(NodeMethods.TOKEN)
                && keys.size() == 2
                && Felt.parseHex(keys.path(0).path(0).stringValue()).equals(Selector.of("Transfer"));
        boolean inRange = filter.path("from_block").path("block_number").longValue() <= NEWEST
                && filter.path("to_block").path("block_number").longValue() >= NEWEST;
        if (ofFees && inRange) {
            Felt payer = Felt.parseHex(keys.path(1).path(0).stringValue());
            ledger.entries.values().stream()
                    .filter(entry -> entry.sender.equals(payer) && entry.stage >= IN_BLOCK)
                    .forEach(entry -> events.addObject()
                            .put("transaction_hash", entry.hash.toHex())
                            .put("block_number", NEWEST));
        }
        return page;
    }

    static JsonNode receipt(NodeLedger.Entry entry, Set<Felt> reverted) {
        ObjectNode receipt = JsonNodeFactory.instance.objectNode();
        receipt.put("contract_address", entry.sender.toHex());
        receipt.put("execution_status", reverted.contains(entry.hash) ? "REVERTED" : "SUCCEEDED");
        return reverted.contains(entry.hash) ? receipt.put("revert_reason", "not enough of the token") : receipt;
    }
}
